/** The part of a change that concerns one core of a run, in that core's numbering, and times of all cores as one schedule. */
import type { Schedulable } from '../compile/compiled';
import type { Schedule } from '../schedule/times';
import { type Change, resources } from './changes';
import type { LoopBuffers } from './loopBuffers';
import type { TimedCore } from './machineCode';
import type { DataSources } from './removed';

/** Null: the change is of a queue that this core does not have. @param whole of all cores */
export function changeOfCore(change: Change, core: TimedCore, whole: Schedulable): Change | null {
  if (change.kind === 'resource')
    return resources(whole).includes(change.name) && !resources(core.code).includes(change.name) ? null : change;
  const own = { ...change } as Record<string, unknown>;
  const { firstInstruction: first } = core;
  const count = core.code.instructions.track.length;
  if ('events' in change && change.events) own.events = eventsOfCore(change.events, core, whole);
  if ('issueNs' in change) {
    own.issueNs = change.issueNs.slice(first, first + count);
    own.durationNs = change.durationNs.slice(first, first + count);
    if ('ports' in change) own.ports = change.ports.slice(first, first + count);
  }
  if ('previous' in change) own.previous = change.previous.slice(first, first + count).map(i => (i < 0 ? i : i - first));
  if ('iteration' in change) own.iteration = change.iteration.slice(first, first + count);
  if ('buffers' in change && change.buffers) own.buffers = buffersOfCore(change.buffers, first, count);
  if ('producers' in change && change.producers) own.producers = sourcesOfCore(change.producers, first, count);
  if ('standIns' in change && change.standIns) own.standIns = sourcesOfCore(change.standIns, first, count);
  return own as unknown as Change;
}

function eventsOfCore(events: Uint8Array, { code, firstInstruction, firstTransfer }: TimedCore, whole: Schedulable): Uint8Array {
  const count = code.instructions.track.length;
  const transfers = code.transfers.queue.length;
  const behind = whole.instructions.track.length + firstTransfer;
  const result = new Uint8Array(count + transfers);
  result.set(events.subarray(firstInstruction, firstInstruction + count));
  result.set(events.subarray(behind, behind + transfers), count);
  return result;
}

function sourcesOfCore({ producerStart, producer }: DataSources, first: number, count: number): DataSources {
  const [from, to] = [producerStart[first], producerStart[first + count]];
  return {
    producerStart: producerStart.slice(first, first + count + 1).map(at => at - from),
    producer: producer.slice(from, to).map(i => i - first),
  };
}

function buffersOfCore({ space, sizeBytes, useStart, use }: LoopBuffers, first: number, count: number): LoopBuffers {
  const isOwn = (_: unknown, b: number) => use[useStart[b]] >= first && use[useStart[b]] < first + count;
  const [from, to] = [Math.max(0, space.findIndex(isOwn)), space.findLastIndex(isOwn) + 1];
  const start = useStart[from];
  return {
    space: space.slice(from, to),
    sizeBytes: sizeBytes.slice(from, to),
    useStart: useStart.slice(from, Math.max(from, to) + 1).map(at => at - start),
    use: use.slice(start, useStart[to]).map(i => i - first),
  };
}

/** Without slices. Events have the numbers of the whole run; who waited for another core names the event there. */
export function joinSchedules(times: readonly Schedule[], cores: readonly TimedCore[], count: number): Schedule {
  const event = (e: number, k: number) => {
    if (e < 0) return e;
    const { code, firstInstruction, firstTransfer } = cores[k];
    const own = code.instructions.track.length;
    return e < own ? e + firstInstruction : count + firstTransfer + e - own;
  };
  const blockers = (group: 'instructions' | 'transfers') =>
    Int32Array.from(times.flatMap((own, k) => Array.from(own[group].blocker, e => event(e, k))));
  const instructions = { ...columns(times, ({ instructions: { blocker: _, ...own } }) => own), blocker: blockers('instructions') };
  const transfers = { ...columns(times, ({ transfers: { blocker: _, ...own } }) => own), blocker: blockers('transfers') };
  for (const [k, { coreWaits = [] }] of times.entries())
    for (const wait of coreWaits) instructions.blocker[event(wait.instruction, k)] = event(wait.event, wait.core);
  return {
    instructions,
    transfers,
    slices: times[0].slices,
    bodyStartNs: Math.min(...times.map(own => own.bodyStartNs)),
    bodyEndNs: Math.max(...times.map(own => own.bodyEndNs)),
  };
}

/** Columns of all cores, one behind the other. */
function columns<G extends Record<string, Float64Array | Uint8Array>>(times: readonly Schedule[], group: (own: Schedule) => G): G {
  const all = times.map(group);
  return Object.fromEntries(
    Object.keys(all[0]).map(name => {
      const parts = all.map(own => own[name]);
      const Type = parts[0].constructor as new (length: number) => Float64Array;
      const result = new Type(parts.reduce((rows, part) => rows + part.length, 0));
      let at = 0;
      for (const part of parts) {
        result.set(part, at);
        at += part.length;
      }
      return [name, result];
    }),
  ) as G;
}
