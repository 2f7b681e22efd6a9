/** What a system profile says as a whole: its hosts and cores, the time of each kind of event, and how busy each core was. */
import type { Profile } from '../profile/profile';
import { EVENT_SOURCES, type EventSource, type SystemRow } from '../profile/system';
import { lengthNs, union } from './intervals';

/** Events with one name from one source. */
export interface EventKind {
  source: EventSource;
  name: string;
  count: number;
  /** Durations added up. */
  timeNs: number;
  longestNs: number;
}

/** A logical core of a process, by what its device recorded. */
export interface CoreUse {
  row: SystemRow;
  executions: number;
  /** At least one execution ran. */
  activeNs: number;
}

export interface SystemSummary {
  instances: string[];
  processes: number;
  /** The most time first, in the order of sources. */
  kinds: EventKind[];
  cores: CoreUse[];
}

/** The event that a device records while it executes a model. */
export const EXECUTION = 'nc_exec_running';

export function systemSummary(p: Profile): SystemSummary {
  const rows = p.tracks.flatMap(({ system }) => system ?? []);
  const processes = new Set(rows.map(({ instanceId, processId }) => `${instanceId}\n${processId}`));
  return { instances: [...new Set(rows.map(row => row.instanceId))], processes: processes.size, kinds: kindsOf(p), cores: coresOf(p) };
}

function kindsOf(p: Profile): EventKind[] {
  const { startNs, endNs, track, opcode } = p.instructions;
  const kinds = new Map<number, EventKind>();
  const sourceOf = p.tracks.map(({ system }) => EVENT_SOURCES.indexOf(system?.source ?? 'neuron_rt'));
  for (let event = 0; event < startNs.length; event++) {
    const source = sourceOf[track[event]];
    const key = opcode[event] * EVENT_SOURCES.length + source;
    const kind = kinds.get(key) ?? { source: EVENT_SOURCES[source], name: p.opcodes[opcode[event]], count: 0, timeNs: 0, longestNs: 0 };
    kinds.set(key, kind);
    const ns = endNs[event] - startNs[event];
    kind.count++;
    kind.timeNs += ns;
    kind.longestNs = Math.max(kind.longestNs, ns);
  }
  const rank = ({ source }: EventKind) => EVENT_SOURCES.indexOf(source);
  return [...kinds.values()].sort((a, b) => rank(a) - rank(b) || b.timeNs - a.timeNs);
}

function coresOf(p: Profile): CoreUse[] {
  const execution = p.opcodes.indexOf(EXECUTION);
  const { startNs, endNs, track, opcode } = p.instructions;
  const spans = new Map<string, { row: SystemRow; startNs: number[]; endNs: number[] }>();
  for (let event = 0; event < startNs.length; event++) {
    const row = p.tracks[track[event]].system;
    if (opcode[event] !== execution || !row) continue;
    const key = `${row.instanceId}\n${row.processId}\n${row.ncIdx}\n${row.coreIdx}`;
    const core = spans.get(key) ?? { row, startNs: [], endNs: [] };
    spans.set(key, core);
    core.startNs.push(startNs[event]);
    core.endNs.push(endNs[event]);
  }
  return [...spans.values()].map(({ row, ...spans }) => ({
    row,
    executions: spans.startNs.length,
    activeNs: lengthNs(union({ startNs: Float64Array.from(spans.startNs), endNs: Float64Array.from(spans.endNs) })),
  }));
}
