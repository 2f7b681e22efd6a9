/** Events of a range as comma-separated values, complete whatever the zoom; the track comes first, times are nanoseconds. */
import { describeEvent } from '../../simulator/analyze/events';
import { visibleRows } from '../../simulator/profile/windowMarks';
import type { TimeSpan } from '../math/timeSpan';
import type { View } from '../view/view';

const HEAD = 'timeline_track,start_ns,end_ns,duration_ns,wait_ns,wait_reason,opcode,operands,bytes,nki_source_location,iteration';

export function rangeCsv(view: View, { startNs, endNs }: TimeSpan, tracks: ReadonlySet<number> | null): string {
  const { profile, tracks: all } = view.model!;
  const lines = [HEAD];
  for (const { track, lanes } of all) {
    if (tracks && !tracks.has(track)) continue;
    for (const lane of lanes) {
      const [from, to] = visibleRows(lane, startNs, endNs);
      for (let i = from; i < to; i++) {
        const d = describeEvent(profile, lane.id(i));
        const where = `${d.position.file}:${d.position.line}`;
        const cells = [
          d.track,
          d.startNs,
          d.endNs,
          d.durationNs,
          d.waitNs,
          d.stall,
          d.opcode,
          d.operands,
          d.dma?.bytes ?? '',
          where,
          d.iteration,
        ];
        lines.push(cells.map(quoted).join(','));
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

const quoted = (cell: string | number) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
