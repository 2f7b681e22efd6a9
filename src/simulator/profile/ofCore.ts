/**
 * One physical core's part of a run over several, as a profile, so that every analysis also works for one core. Rows of other cores are
 * left out, and references to them become -1. Tables of texts, frames and iterations stay. Times stay on the run's clock. The body is
 * that of the core, from its first event to its last.
 */
import { gathered } from '../columns/rows';
import { type CaptureOrigin, CORE_PARTITIONS, NO_SEMAPHORE, type Profile, type Track } from './profile';

/** A file may contain any number. A logical core has two cores, and each costs a pass over all events. */
const MOST_CORES = 8;

/** The numbers of the cores that ran something, ascending; empty for a run on one core. */
export function coresOf(p: Profile): number[] {
  if ((p.machine.cores ?? 1) < 2) return [];
  const cores = [...new Set(p.tracks.map(({ core = 0 }) => core))].sort((a, b) => a - b);
  return cores.length > 1 && cores.length <= MOST_CORES ? cores : [];
}

/** Each core's part with its number; for a run on one core, the run itself. */
export function byCore(p: Profile): { core: number; part: Profile }[] {
  const cores = coresOf(p);
  return cores.length === 0 ? [{ core: 0, part: p }] : cores.map(core => ({ core, part: ofCore(p, core) }));
}

/** Peak of the PE arrays of all cores together, FLOP/s. */
export const peakFlopsOf = ({ machine }: Profile) => machine.peakFlops * (machine.cores ?? 1);

/** `Tensor (nc1)` of core 1 -> `Tensor`. */
export const withoutCore = (name: string, core: number) => name.replace(` (nc${core})`, '');

export function ofCore(p: Profile, core: number): Profile {
  const tracks = rows(p.tracks.length, k => (p.tracks[k].core ?? 0) === core);
  const semaphores = rows(
    p.semaphores.length,
    k => !/ \(nc\d+\)$/.test(p.semaphores[k].name) || p.semaphores[k].name.endsWith(`(nc${core})`),
  );
  const instructions = rows(p.instructions.track.length, i => tracks.has(p.instructions.track[i]));
  const transfers = rows(p.transfers.track.length, t => tracks.has(p.transfers.track[t]));
  const waits = rows(p.waits.instruction.length, w => instructions.has(p.waits.instruction[w]));
  const slices = rows(p.dmaSlices.transfer.length, s => transfers.has(p.dmaSlices.transfer[s]));
  const allocations = rows(
    p.allocations.partitionStart.length,
    a => Math.floor(p.allocations.partitionStart[a] / CORE_PARTITIONS) === core,
  );
  const event = (id: number) => {
    const all = p.instructions.track.length;
    if (id < 0) return -1;
    if (id < all) return instructions.at(id);
    const row = transfers.at(id - all);
    return row < 0 ? -1 : instructions.kept.length + row;
  };
  const { cores: _, ...machine } = p.machine;
  const { timing: __, ...run } = p;
  const part: Profile = {
    ...run,
    tracks: Array.from(tracks.kept, k => trackOf(p.tracks[k], core)),
    semaphores: Array.from(semaphores.kept, k => ({ ...p.semaphores[k], name: withoutCore(p.semaphores[k].name, core) })),
    machine,
    ...(p.recorded && { recorded: recordedOf(p.recorded, instructions.kept) }),
    instructions: {
      ...picked(p.instructions, instructions.kept),
      track: renamed(p.instructions.track, instructions.kept, tracks.at),
      blocker: renamed(p.instructions.blocker, instructions.kept, event),
      signal: renamed(p.instructions.signal, instructions.kept, s => (s === NO_SEMAPHORE ? s : semaphores.at(s))),
    },
    waits: {
      ...picked(p.waits, waits.kept),
      instruction: renamed(p.waits.instruction, waits.kept, instructions.at),
      semaphore: renamed(p.waits.semaphore, waits.kept, semaphores.at),
    },
    transfers: {
      ...picked(p.transfers, transfers.kept),
      track: renamed(p.transfers.track, transfers.kept, tracks.at),
      blocker: renamed(p.transfers.blocker, transfers.kept, event),
      trigger: renamed(p.transfers.trigger, transfers.kept, event),
    },
    dmaSlices: {
      ...picked(p.dmaSlices, slices.kept),
      engine: renamed(p.dmaSlices.engine, slices.kept, engine => engine % p.machine.dmaEngines),
      transfer: renamed(p.dmaSlices.transfer, slices.kept, transfers.at),
    },
    allocations: {
      ...picked(p.allocations, allocations.kept),
      partitionStart: renamed(p.allocations.partitionStart, allocations.kept, partition => partition % CORE_PARTITIONS),
    },
  };
  return { ...part, ...timesOf(part) };
}

/** The recorded data without the profiler's sums, which belong to the whole run. */
function recordedOf(recorded: CaptureOrigin, instructions: Uint32Array): CaptureOrigin {
  return { ...recorded, summary: {}, ids: recorded.ids.length === 0 ? [] : Array.from(instructions, i => recorded.ids[i]) };
}

function trackOf({ kind, name, engine }: Track, core: number): Track {
  return { kind, name: withoutCore(name, core), engine };
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

interface Kept {
  kept: Uint32Array;
  has(row: number): boolean;
  /** Its new number, or -1. */
  at(row: number): number;
}

function rows(count: number, isKept: (row: number) => boolean): Kept {
  const to = new Int32Array(count).fill(-1);
  const kept = new Uint32Array(count);
  let next = 0;
  for (let row = 0; row < count; row++) {
    if (!isKept(row)) continue;
    kept[next] = row;
    to[row] = next++;
  }
  return { kept: kept.slice(0, next), has: row => to[row] >= 0, at: row => to[row] };
}

function picked<G extends object>(group: G, kept: Uint32Array): G {
  return Object.fromEntries(Object.entries(group).map(([name, column]) => [name, gathered(column as Column, kept)])) as G;
}

function renamed<C extends Column>(column: C, kept: Uint32Array, name: (value: number) => number): C {
  const result = gathered(column, kept);
  for (let row = 0; row < result.length; row++) result[row] = name(result[row]);
  return result;
}

/** The times before and after the body are those of the run. */
function timesOf(p: Profile): Pick<Profile, 'bodyStartNs' | 'bodyEndNs' | 'totalTimeNs' | 'nclUs'> {
  const [instructions, transfers] = [p.instructions, p.transfers];
  let [bodyStartNs, bodyEndNs] = [Number.POSITIVE_INFINITY, 0];
  for (const { startNs, endNs } of [instructions, transfers])
    for (let row = 0; row < startNs.length; row++) {
      if (startNs[row] < bodyStartNs) bodyStartNs = startNs[row];
      if (endNs[row] > bodyEndNs) bodyEndNs = endNs[row];
    }
  if (bodyEndNs === 0) bodyStartNs = bodyEndNs = p.bodyStartNs;
  const run = p.bodyEndNs - p.bodyStartNs;
  return {
    bodyStartNs,
    bodyEndNs,
    totalTimeNs: bodyEndNs + p.totalTimeNs - p.bodyEndNs,
    nclUs: p.nclUs - (run - (bodyEndNs - bodyStartNs)) / 1000,
  };
}
