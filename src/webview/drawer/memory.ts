/** SBUF and PSUM over time: what lies where, for one partition, and who holds it; hovering names it, a press opens the line that allocated it. */
import { bytesText, percentText, timeText } from '../../simulator/analyze/format';
import { SAMPLED_PARTITIONS } from '../../simulator/analyze/partitionUsage';
import { framePosition, hasSource } from '../../simulator/analyze/places';
import { coresOf } from '../../simulator/profile/ofCore';
import { CORE_PARTITIONS, type Profile } from '../../simulator/profile/profile';
import { showMoment, showSpan } from '../actions/navigation';
import { context2d, element, sizeCanvas } from '../dom/element';
import { pxToTime, type TimeSpan } from '../math/timeSpan';
import { countText, instantText } from '../math/units';
import { link } from '../panels/links';
import { TextFitter } from '../render/labels';
import type { Theme } from '../render/theme';
import type { View } from '../view/view';
import { blockAt, type Holder, holders, type MemoryBlocks, memoryBlocks, SPACE_CODES } from './memoryBlocks';
import { drawMemory } from './memoryPicture';
import type { Tab } from './tab';
import { type Sorting, type TableColumn, table, unsorted } from './table';

const HEIGHT_PX = 150;
/** Size of the names in the map. */
const NAME_PX = 9;
const TITLES = { sbuf: 'SBUF', psum: 'PSUM' } as const;
type Memory = keyof typeof TITLES;

interface Shown {
  span: TimeSpan;
  widthPx: number;
  theme: Theme;
}

export function memoryTab(): Tab {
  let partition = 0;
  const sortings: Record<Memory, Sorting> = { sbuf: unsorted(), psum: unsorted() };
  return {
    id: 'memory',
    title: 'Memory',
    about: 'SBUF and PSUM over time and address',
    slow: true,
    content(view) {
      if (view.model!.profile.allocations.startNs.length === 0)
        return [element('p.hint', {}, 'This profile does not say what lies in SBUF and PSUM.')];
      const picker = element('select.select', { 'aria-label': 'Partition' });
      for (const core of coresOrNone(view.model!.profile))
        for (const n of SAMPLED_PARTITIONS) {
          const value = (core ?? 0) * CORE_PARTITIONS + n;
          const text = core === null ? `partition ${n}` : `partition ${n} (nc${core})`;
          picker.append(element('option', { value, selected: value === partition }, text));
        }
      const maps = element('div.memoryMaps');
      const { span, widthPx, theme } = view.state;
      const fill = () =>
        maps.replaceChildren(
          ...(['sbuf', 'psum'] as const).map(memory => memoryMap(view, memory, partition, { span, widthPx, theme }, sortings[memory])),
        );
      picker.addEventListener('change', () => {
        partition = Number(picker.value);
        fill();
      });
      // measured once it is in the page
      requestAnimationFrame(fill);
      const hint = element(
        'p.hint',
        {},
        'The visible time across, under the rows; bytes of one partition upwards. Press a tensor to see the line that allocated it.',
      );
      // below: a low drawer has little room, and the map comes first
      return [element('header', {}, picker), maps, hint];
    },
  };
}

/** null: there is one. */
function coresOrNone(p: Profile): (number | null)[] {
  const cores = coresOf(p);
  return cores.length > 0 ? cores : [null];
}

function memoryMap(view: View, memory: Memory, partition: number, shown: Shown, sorting: Sorting): HTMLElement {
  const { profile } = view.model!;
  const capacity = memory === 'sbuf' ? profile.machine.sbufBytesPerPartition : profile.machine.psumBytesPerPartition;
  const blocks = memoryBlocks(profile, SPACE_CODES[memory], partition);
  const { peakBytes, peakNs, topBytes } = blocks;
  if (!profile.allocations.space.includes(SPACE_CODES[memory])) {
    const why = profile.recorded ? 'This profile does not say what lies in it.' : 'The kernel has no tensor in it.';
    return element('section.block.memory', {}, element('h3', {}, TITLES[memory]), element('p.hint', {}, why));
  }
  const canvas = element('canvas.memoryMap', {
    tabindex: 0,
    role: 'img',
    'aria-label': `${TITLES[memory]}: at most ${bytesText(peakBytes)} of ${bytesText(capacity)} in use`,
  });
  const peak = `${bytesText(peakBytes)} of ${bytesText(capacity)} (${percentText(peakBytes / capacity)})${peakBytes > 0 ? ` at ${instantText(peakNs)}` : ''}`;
  const shownPeak = peakBytes > 0 ? link(peak, 'Shows the moment of the peak', () => showMoment(view, peakNs)) : peak;
  const said = ['peak ', shownPeak, `, addresses up to ${bytesText(topBytes)}`];
  const under = element('p.hint', { 'aria-live': 'off' }, ' ');
  const addresses = element('div.addresses', { 'aria-hidden': 'true' }, element('span', {}, bytesText(topBytes)), element('span', {}, '0'));
  requestAnimationFrame(() => fillMap(view, canvas, under, blocks, shown));
  return element(
    'section.block.memory',
    {},
    element('h3', {}, TITLES[memory], element('span.where', {}, ...said)),
    element('div.memoryPlot', {}, addresses, canvas),
    under,
    blocks.rows.length === 0 ? null : holderTable(memory, holders(profile, blocks, view.model!.analysis.idleNs()), sorting),
  );
}

function fillMap(view: View, canvas: HTMLCanvasElement, under: HTMLElement, blocks: MemoryBlocks, { span, widthPx, theme }: Shown) {
  const { profile } = view.model!;
  const { allocations } = profile;
  // under the rows, so that a time is in one place in both
  canvas.style.width = `${widthPx}px`;
  const context = context2d(canvas);
  sizeCanvas(canvas, context, widthPx, HEIGHT_PX);
  context.font = `${NAME_PX}px ${theme.font}`;
  context.textBaseline = 'middle';
  const fitter = new TextFitter(text => context.measureText(text).width);
  drawMemory(context, profile, blocks, { span, widthPx, heightPx: HEIGHT_PX, theme, namePx: NAME_PX }, fitter);
  const at = ({ offsetX, offsetY }: MouseEvent) =>
    blockAt(profile, blocks, pxToTime(offsetX, span, widthPx), ((HEIGHT_PX - offsetY) / HEIGHT_PX) * blocks.topBytes);
  canvas.addEventListener('pointermove', event => {
    const row = at(event);
    under.textContent = row === null ? ' ' : describe(profile, row);
  });
  canvas.addEventListener('click', event => {
    const row = at(event);
    if (row !== null && hasSource(profile, allocations.frame[row])) view.openSource(framePosition(profile, allocations.frame[row]), false);
  });
  canvas.addEventListener('dblclick', event => {
    const row = at(event);
    if (row !== null) showSpan(view, { startNs: allocations.startNs[row], endNs: allocations.endNs[row] });
  });
}

function holderTable(memory: Memory, rows: Holder[], sorting: Sorting): HTMLElement {
  const all = Math.max(1, rows.reduce((sum, row) => sum + row.byteNs, 0)); // biome-ignore format: one thought
  const share = (row: Holder) => row.byteNs / all;
  const columns: readonly TableColumn<Holder>[] = [
    { title: 'Tensor', text: row => row.name, words: true, code: true },
    { title: 'Bytes × time', about: 'Of all bytes held, times how long', text: row => percentText(share(row)), value: share, share },
    {
      title: 'At the peak',
      about: 'Held when most was in use',
      text: row => (row.atPeakBytes > 0 ? bytesText(row.atPeakBytes) : ''),
      value: row => row.atPeakBytes,
    },
    ...(rows[0]?.idleByteNs === null ? [] : [IDLE]),
    { title: 'Allocations', text: row => countText(row.allocations), value: row => row.allocations },
  ];
  return table({ label: `Who holds ${TITLES[memory]}`, columns, rows, sorting });
}

/** What a shorter life, or a later load, would free. */
const IDLE: TableColumn<Holder> = {
  title: 'Idle',
  about: 'Of its bytes × time: nothing read or wrote them',
  text: row => percentText(idleShare(row)),
  value: idleShare,
};

function idleShare({ byteNs, idleByteNs }: Holder): number {
  return byteNs > 0 ? (idleByteNs ?? 0) / byteNs : 0;
}

function describe(profile: Profile, row: number): string {
  const a = profile.allocations;
  const made = hasSource(profile, a.frame[row]) ? `, allocated in line ${framePosition(profile, a.frame[row]).line}` : '';
  const first = a.partitionStart[row] % CORE_PARTITIONS;
  const last = first + a.partitions[row] - 1;
  const held = timeText(a.endNs[row] - a.startNs[row]);
  const where = `0x${a.addressBytes[row].toString(16)}, ${bytesText(a.sizeBytes[row])} in ${first === last ? `partition ${first}` : `partitions ${first} to ${last}`}`;
  return `${profile.strings[a.name[row]]}: ${where}, for ${held}${made}`;
}
