/** `summary-text` and `summary-json` of a system profile. */
import { percentText, timeText } from '../analyze/format';
import { systemSummary } from '../analyze/systemSummary';
import { encodeProfile } from '../profile/codec';
import type { Profile } from '../profile/profile';
import { profileId } from './contentHash';

export function systemText(p: Profile): string {
  const { instances, processes, kinds, cores } = systemSummary(p);
  const lines = [
    `${p.kernel} (system profile, measured)`,
    '',
    `  time        ${timeText(p.totalTimeNs)}`,
    `  instances   ${instances.filter(Boolean).join(', ') || 'not named'}`,
    `  processes   ${processes}`,
    '',
    'Events',
    ...aligned([
      ['source', 'event', 'count', 'time', 'mean', 'longest'],
      ...kinds.map(({ source, name, count, timeNs, longestNs }) => [
        source,
        name,
        String(count),
        timeText(timeNs),
        timeText(timeNs / count),
        timeText(longestNs),
      ]),
    ]),
  ];
  if (cores.length > 0)
    lines.push(
      '',
      'NeuronCores',
      ...aligned([
        ['process', 'core', 'executions', 'active', 'share'],
        ...cores.map(({ row, executions, activeNs }) => [
          row.processId,
          row.coreIdx === '' ? `NC:${row.ncIdx}` : `NC${row.ncIdx}:${row.coreIdx}`,
          String(executions),
          timeText(activeNs),
          percentText(activeNs / Math.max(1, p.totalTimeNs)),
        ]),
      ]),
    );
  return `${[...lines, '', p.accuracy].join('\n')}\n`;
}

/** Times in seconds, as in the summaries of kernels. */
export function systemJson(p: Profile): string {
  const { instances, processes, kinds, cores } = systemSummary(p);
  const metrics = {
    total_time: p.totalTimeNs * 1e-9,
    event_count: p.instructions.startNs.length,
    instances,
    process_count: processes,
    timestamp_sync_points: p.system?.syncPoints ?? 0,
    events: kinds.map(({ source, name, count, timeNs, longestNs }) => ({
      trace_event_source: source,
      name,
      count,
      total_time: timeNs * 1e-9,
      longest_time: longestNs * 1e-9,
    })),
    neuron_cores: cores.map(({ row, executions, activeNs }) => ({
      instance_id: row.instanceId,
      process_id: row.processId,
      lnc_idx: row.ncIdx,
      device_core_idx: row.coreIdx,
      execution_count: executions,
      active_time: activeNs * 1e-9,
      active_time_percent: activeNs / Math.max(1, p.totalTimeNs),
    })),
  };
  return `${JSON.stringify({ [profileId(encodeProfile(p))]: metrics }, null, 2)}\n`;
}

/** The first two columns to the left, the others to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, k) => rows.reduce((most, row) => Math.max(most, row[k].length), 0));
  return rows.map(row => `  ${row.map((cell, k) => (k < 2 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('  ')}`);
}
