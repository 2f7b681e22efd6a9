/**
 * The changes that an experiment can make, and what each does to the machine code. A change never touches what it is given: columns
 * that differ are new ones.
 */

import { ColumnBuilder } from '../columns/builder';
import { BUFFER, type Cuts, FLOW, type Queue, type Schedulable, TENSOR, TENSOR_MATRIX, TRACK_ENGINE, trackOf } from '../compile/compiled';
import { READS_HBM } from '../compile/directions';
import { neuronPolicy } from '../compile/neuronPolicy';
import { streams } from '../compile/order';
import { type Machine, triggerIssueNs } from '../hardware/machine';
import { withValues } from '../hardware/withValues';
import { ENGINES, type Engine } from '../vocabulary/engines';
import { DGE_MODES } from '../vocabulary/queues';
import { NoExperiment } from './noExperiment';
import { type PipelinedLoop, pipelined } from './pipelined';
import { type DataSources, removed } from './removed';
import { type NewOrder, reordered } from './reordered';

/** `speed`: how many times as fast; Infinity: free. */
export type Change =
  /** All that these events cost, by event as compiled: 1 where it belongs to the line. */
  | { kind: 'events'; events: Uint8Array; speed: number }
  /** These instructions and transfers are not there: what waited for them waits for what they waited for. */
  | { kind: 'removed'; events: Uint8Array; producers?: DataSources; standIns?: DataSources }
  /** Instructions cost this, by instruction as compiled. */
  | { kind: 'costs'; issueNs: Float64Array; durationNs: Float64Array }
  | { kind: 'resource'; name: string; speed: number }
  /** Semaphores are seen at once. */
  | { kind: 'semaphores' }
  /** The PE array is at full clock from the start. */
  | { kind: 'clock' }
  /** Nothing (or none of these events) waits until a buffer is free: as if there were as many buffers as uses. */
  | { kind: 'buffers'; events?: Uint8Array }
  /**
   * These instructions have twice as many buffers: each waits until the buffer is free that the instruction before it, of its line and
   * its place in memory, waited for (`previousUses`).
   */
  | { kind: 'doubled buffers'; events: Uint8Array; previous: Int32Array }
  /** Descriptors of all DMAs (or of those of these events) are made by the hardware. */
  | { kind: 'descriptors'; events?: Uint8Array }
  /** DMAs of these events: as many bytes in a `by`-th of the DMAs, what each costs besides its bytes is shared. */
  | { kind: 'merged DMAs'; events: Uint8Array; by: number }
  /** Transfers of these events have packets of this size, as far as a partition has so many bytes, which do not wait for one another. */
  | { kind: 'longer runs'; events: Uint8Array; runBytes: number }
  /** Transfers of these events move a `by`-th of their bytes; what each costs besides stays. */
  | { kind: 'fewer bytes'; events: Uint8Array; by: number }
  /** Every other DMA of these events goes to another queue, triggered by this engine. */
  | { kind: 'second queue'; events: Uint8Array; engine: Engine }
  /** Instructions of these events run on another engine, at these costs there. Those that read their results wait for them. */
  | ({ kind: 'other engine'; events: Uint8Array; engine: Engine; producers: DataSources } & EngineCosts)
  /** While an iteration of a loop waits, engines work on the next; nothing waits for buffers. After all other changes. */
  | ({ kind: 'pipelined' } & PipelinedLoop)
  /** The instructions in another order, numbered anew. After all other changes, and for one core only. */
  | ({ kind: 'reordered' } & NewOrder)
  /** First bytes move as soon as a DMA (or one of these events) is triggered, and its end is seen at once. */
  | { kind: 'dma starts'; events?: Uint8Array };

/** By instruction as compiled. */
interface EngineCosts {
  issueNs: Float64Array;
  durationNs: Float64Array;
  ports: Uint8Array;
}

/** @throws NoExperiment where the machine has nothing of the kind */
export function changed(code: Schedulable, change: Change): Schedulable {
  switch (change.kind) {
    case 'events':
      return faster(code, change.events, change.speed);
    case 'removed':
      return inIssueOrder(removed(code, change.events, change));
    case 'costs':
      return { ...code, instructions: { ...code.instructions, issueNs: change.issueNs, durationNs: change.durationNs } };
    case 'resource':
      return withResource(code, change.name, change.speed);
    case 'semaphores':
      return { ...code, machine: withoutHops(code.machine) };
    case 'clock':
      return { ...code, machine: { ...code.machine, tensor: { ...code.machine.tensor, clock: undefined } } };
    case 'buffers':
      return inIssueOrder(withBufferWaits(code, i => (change.events && !change.events[i] ? bufferWaits(code, i) : [])));
    case 'doubled buffers':
      return inIssueOrder(withBufferWaits(code, i => doubled(code, change, i)));
    case 'descriptors':
      return withHardwareDescriptors(code, change.events);
    case 'merged DMAs':
      return withMergedDmas(code, change.events, change.by);
    case 'longer runs':
      return withLongerRuns(code, change.events, change.runBytes);
    case 'fewer bytes':
      return withFasterCuts(code, change.events, change.by);
    case 'second queue':
      return withSecondQueue(code, change.events, change.engine);
    case 'other engine':
      return inIssueOrder(withWaitsFor(onOtherEngine(code, change.events, change.engine, change), change.events, change.producers));
    case 'pipelined':
      return pipelined(code, change);
    case 'reordered':
      return inIssueOrder(reordered(code, change));
    case 'dma starts':
      return withFixedShare(
        code,
        transferEvents(code, t => !change.events || change.events[code.instructions.track.length + t] === 1),
        0,
      );
  }
}

/** Names for `--resource` in this machine code: engines with instructions, queues, all DMA engines, HBM. */
export function resources({ streams, queues, transfers }: Schedulable): string[] {
  const engines = ENGINES.filter((_, k) => streams[k].length > 0);
  return [...engines, ...queues.map(queue => queue.name), ...(transfers.queue.length > 0 ? ['DMA', 'HBM'] : [])];
}

function withResource(code: Schedulable, name: string, speed: number): Schedulable {
  const engine = (ENGINES as readonly string[]).indexOf(name);
  if (engine >= 0)
    return faster(
      code,
      instructionEvents(code, i => TRACK_ENGINE[code.instructions.track[i]] === engine),
      speed,
    );
  const queue = code.queues.findIndex(known => known.name === name);
  if (queue >= 0)
    return faster(
      code,
      transferEvents(code, t => code.transfers.queue[t] === queue),
      speed,
    );
  if (name === 'DMA')
    return faster(
      code,
      transferEvents(code, () => true),
      speed,
    );
  if (name === 'HBM') return withHbm(code, speed);
  throw new NoExperiment(`there is no resource ${name} in this profile; there are ${resources(code).join(', ')}`);
}

/** HBM that delivers and takes more; each DMA engine moves what it did. */
function withHbm(code: Schedulable, speed: number): Schedulable {
  const { hbmReadBytesPerNs, writeBytesPerNs, hbmReadNs, hbmRunNs, sameBurstNs, sameBurstLatencyNs } = code.machine.dma;
  const { logicalCore } = code.machine;
  return {
    ...code,
    machine: withValues(code.machine, {
      'dma.hbmReadBytesPerNs': hbmReadBytesPerNs.value * speed,
      'dma.writeBytesPerNs': writeBytesPerNs.value * speed,
      'dma.hbmReadNs': hbmReadNs.value / speed,
      'dma.hbmRunNs': hbmRunNs.value / speed,
      'dma.sameBurstNs': sameBurstNs.value / speed,
      ...(sameBurstLatencyNs && { 'dma.sameBurstLatencyNs': sameBurstLatencyNs.value / speed }),
      ...(logicalCore && { 'logicalCore.hbmBytesPerNs': logicalCore.hbmBytesPerNs.value * speed }),
    }),
  };
}

function withoutHops(machine: Machine): Machine {
  const paths = [
    ...(machine.logicalCore ? ['logicalCore.semaphoreNs'] : []),
    ...Object.keys(machine.semaphoreNs).map(pair => `semaphoreNs.${pair}`),
    ...Object.keys(machine.dmaSemaphoreNs).map(engine => `dmaSemaphoreNs.${engine}`),
  ];
  return withValues(machine, Object.fromEntries(paths.map(path => [path, 0])));
}

/** `waits`: the events whose buffers an instruction waits for. */
function withBufferWaits(code: Schedulable, waits: (instruction: number) => readonly number[]): Schedulable {
  const { start, event, kind } = code.dependencies;
  const kept = { start: new Uint32Array(start.length), event: new ColumnBuilder(Uint32Array), kind: new ColumnBuilder(Uint8Array) };
  let rows = 0;
  const keep = (of: number, why: number) => {
    kept.event.push(of);
    kept.kind.push(why);
    rows++;
  };
  for (let i = 0; i + 1 < start.length; i++) {
    for (let d = start[i]; d < start[i + 1]; d++) if (kind[d] !== BUFFER) keep(event[d], kind[d]);
    for (const buffer of waits(i)) keep(buffer, BUFFER);
    kept.start[i + 1] = rows;
  }
  return { ...code, dependencies: { start: kept.start, event: kept.event.finish(), kind: kept.kind.finish() } };
}

function doubled(code: Schedulable, { events, previous }: { events: Uint8Array; previous: Int32Array }, i: number): number[] {
  if (!events[i]) return bufferWaits(code, i);
  return previous[i] < 0 ? [] : bufferWaits(code, previous[i]);
}

/** Events that an instruction waits for because it overwrites what they use. */
export function bufferWaits({ dependencies: { start, event, kind } }: Schedulable, i: number): number[] {
  const result: number[] = [];
  for (let d = start[i]; d < start[i + 1]; d++) if (kind[d] === BUFFER) result.push(event[d]);
  return result;
}

/** Like the compiler when a kernel requests them: the engines of its policy trigger loads and stores. */
function withHardwareDescriptors(code: Schedulable, events?: Uint8Array): Schedulable {
  const trigger = code.machine.dma.triggers.hardware;
  if (!trigger) throw new NoExperiment(`${code.machine.product} has no hardware that makes descriptors`);
  const { hardware: engines } = neuronPolicy.triggeringEngines.value;
  const { transfers } = code;
  const { track, issueNs, durationNs } = code.instructions;
  const instructions = { ...code.instructions, track: track.slice(), issueNs: issueNs.slice(), durationNs: durationNs.slice() };
  const queues = [...code.queues];
  const [mode, queue] = [transfers.mode.slice(), transfers.queue.slice()];
  for (let t = 0; t < mode.length; t++) {
    if (DGE_MODES[mode[t]] !== 'software' || (events && !events[track.length + t])) continue;
    const i = transfers.trigger[t];
    const engine = engines[READS_HBM[transfers.direction[t]] ? 'load' : 'store'];
    mode[t] = DGE_MODES.indexOf('hardware');
    queue[t] = queueNumber(queues, `q${engine}DynamicHW`, engine);
    instructions.track[i] = engine === 'Tensor' ? TENSOR : trackOf(engine);
    instructions.issueNs[i] = triggerIssueNs(trigger, transfers.packets[t]);
    instructions.durationNs[i] = trigger.leadNs.value + trigger.durationNs.value;
  }
  return inIssueOrder({ ...code, queues, instructions, transfers: { ...transfers, mode, queue } });
}

function queueNumber(queues: Queue[], name: string, engine: Engine): number {
  const known = queues.findIndex(queue => queue.name === name);
  return known >= 0 ? known : queues.push({ name, engine }) - 1;
}

function withMergedDmas(code: Schedulable, events: Uint8Array, by: number): Schedulable {
  const count = code.instructions.track.length;
  const { issueNs, durationNs } = code.instructions;
  const instructions = { ...code.instructions, issueNs: issueNs.slice(), durationNs: durationNs.slice() };
  const isTransfer = new Uint8Array(events.length);
  for (let t = 0; t < code.transfers.queue.length; t++) {
    if (!events[count + t]) continue;
    isTransfer[count + t] = 1;
    instructions.issueNs[code.transfers.trigger[t]] /= by;
    instructions.durationNs[code.transfers.trigger[t]] /= by;
  }
  return withFixedShare({ ...code, instructions }, isTransfer, 1 / by);
}

function withSecondQueue(code: Schedulable, events: Uint8Array, engine: Engine): Schedulable {
  const count = code.instructions.track.length;
  const name = `q${engine}SecondQueue`;
  const queues = [...code.queues, { name, engine }];
  const queue = code.transfers.queue.slice();
  const moved = new Uint8Array(events.length);
  let own = 0;
  for (let t = 0; t < queue.length; t++) {
    if (!events[count + t] || own++ % 2 === 0) continue;
    queue[t] = queues.length - 1;
    moved[code.transfers.trigger[t]] = 1;
  }
  return inIssueOrder(onOtherEngine({ ...code, queues, transfers: { ...code.transfers, queue } }, moved, engine, code.instructions));
}

function onOtherEngine(code: Schedulable, events: Uint8Array, engine: Engine, { issueNs, durationNs, ports }: EngineCosts): Schedulable {
  const { instructions } = code;
  const to = (i: number) => (engine === 'Tensor' && instructions.transfer[i] >= 0 ? TENSOR : trackOf(engine));
  return {
    ...code,
    instructions: {
      ...instructions,
      track: instructions.track.map((from, i) => (events[i] ? to(i) : from)),
      issueNs: instructions.issueNs.map((ns, i) => (events[i] ? issueNs[i] : ns)),
      durationNs: instructions.durationNs.map((ns, i) => (events[i] ? durationNs[i] : ns)),
      ports: instructions.ports.map((mask, i) => (events[i] ? ports[i] : mask)),
    },
  };
}

/**
 * With the waits for these instructions that the order of their engine stood for: of an engine, an instruction waits for the last one
 * that it depends on only.
 */
function withWaitsFor(code: Schedulable, events: Uint8Array, { producerStart, producer }: DataSources): Schedulable {
  const { start, event, kind } = code.dependencies;
  const kept = { start: new Uint32Array(start.length), event: new ColumnBuilder(Uint32Array), kind: new ColumnBuilder(Uint8Array) };
  let rows = 0;
  for (let i = 0; i + 1 < start.length; i++) {
    const known = new Set<number>();
    const keep = (of: number, why: number) => {
      known.add(of);
      kept.event.push(of);
      kept.kind.push(why);
      rows++;
    };
    for (let d = start[i]; d < start[i + 1]; d++) keep(event[d], kind[d]);
    for (let p = producerStart[i]; p < producerStart[i + 1]; p++)
      if (events[producer[p]] && !known.has(producer[p])) keep(producer[p], FLOW);
    kept.start[i + 1] = rows;
  }
  return { ...code, dependencies: { start: kept.start, event: kept.event.finish(), kind: kept.kind.finish() } };
}

/** Each engine issues in the order that the compiler would choose for what changed; what was removed stays so. */
function inIssueOrder(code: Schedulable): Schedulable {
  const isThere = new Uint8Array(code.instructions.track.length);
  for (const stream of code.streams) for (const i of stream) isThere[i] = 1;
  return { ...code, streams: streams(code, neuronPolicy).map(stream => stream.filter(i => isThere[i])) };
}

/** These events take a `speed`-th of their time: instructions, and what transfers move and wait for. */
function faster(code: Schedulable, events: Uint8Array, speed: number): Schedulable {
  const count = code.instructions.track.length;
  const { issueNs, durationNs, track } = code.instructions;
  const instructions = { ...code.instructions, issueNs: issueNs.slice(), durationNs: durationNs.slice() };
  for (let i = 0; i < count; i++) {
    if (!events[i]) continue;
    instructions.issueNs[i] /= speed;
    instructions.durationNs[i] /= speed;
  }
  const sooner = withFixedShare(
    { ...code, instructions },
    events.map((is, e) => (is && (e >= count || isTensor(track[e])) ? 1 : 0)),
    1 / speed,
  );
  return withFasterCuts(sooner, events, speed);
}

const isTensor = (track: number) => track === TENSOR || track === TENSOR_MATRIX;

/** Transfers of these events move a `speed`-th of their bytes in a `speed`-th of their packets. */
function withFasterCuts(code: Schedulable, events: Uint8Array, speed: number): Schedulable {
  const less = (column: Cuts['packets']) => Float64Array.from(column, value => value / speed);
  return withOwnCuts(code, events, cuts => ({ ...cuts, packets: less(cuts.packets), bytes: less(cuts.bytes) }));
}

/**
 * A packet still is of one partition: an engine has as many packets as it has partitions, or fewer where it had fewer. Triggers write fewer
 * descriptors.
 */
function withLongerRuns(code: Schedulable, events: Uint8Array, runBytes: number): Schedulable {
  const { machine, transfers } = code;
  const engines = machine.dma.engines.value;
  const rows = machine.dma.partitionsPerEngine.value;
  const longer = withOwnCuts(code, events, cuts => ({
    ...cuts,
    packets: Float64Array.from(cuts.packets, (packets, part) => Math.min(packets, Math.max(rows, Math.ceil(cuts.bytes[part] / runBytes)))),
    sameBurst: new Float64Array(cuts.sameBurst.length),
  }));
  const packetsOf = ({ cuts }: Schedulable, cut: number) =>
    Float64Array.from(cuts.packets.subarray(cut * engines, (cut + 1) * engines)).reduce((all, packets) => all + packets, 0);
  const issueNs = code.instructions.issueNs.slice();
  for (const [t, trigger] of transfers.trigger.entries()) {
    const made = machine.dma.triggers[DGE_MODES[transfers.mode[t]]];
    if (!made || !events[code.instructions.track.length + t]) continue;
    const packets = [packetsOf(code, transfers.cut[t]), packetsOf(longer, longer.transfers.cut[t])];
    const [before, after] = packets.map(count => triggerIssueNs(made, count));
    issueNs[trigger] = Math.max(0, issueNs[trigger] - before + after);
  }
  return { ...longer, instructions: { ...longer.instructions, issueNs } };
}

/** Transfers of these events have cuts of their own. @param changed of all cuts */
function withOwnCuts(code: Schedulable, events: Uint8Array, changed: (cuts: Cuts) => Cuts): Schedulable {
  const count = code.instructions.track.length;
  const ways = code.cuts.speed.length;
  const cut = code.transfers.cut.slice();
  let any = false;
  for (let t = 0; t < cut.length; t++) {
    if (!events[count + t]) continue;
    any = true;
    cut[t] += ways;
  }
  if (!any) return code;
  const own = changed(code.cuts);
  const both = (column: keyof Cuts) => Float64Array.from([...code.cuts[column], ...own[column]]);
  const cuts = { packets: both('packets'), bytes: both('bytes'), speed: both('speed'), sameBurst: both('sameBurst') };
  return { ...code, cuts, transfers: { ...code.transfers, cut } };
}

/** Multiplies the fixed times of these events, which do not depend on their size, by this share. */
function withFixedShare(code: Schedulable, events: Uint8Array, share: number): Schedulable {
  const before = code.fixedShare;
  const fixedShare = new Float64Array(events.length);
  for (let e = 0; e < events.length; e++) fixedShare[e] = (before?.[e] ?? 1) * (events[e] ? share : 1);
  return { ...code, fixedShare };
}

function instructionEvents({ instructions, transfers }: Schedulable, is: (i: number) => boolean): Uint8Array {
  const count = instructions.track.length;
  const result = new Uint8Array(count + transfers.queue.length);
  for (let i = 0; i < count; i++) result[i] = is(i) ? 1 : 0;
  return result;
}

function transferEvents({ instructions, transfers }: Schedulable, is: (t: number) => boolean): Uint8Array {
  const count = instructions.track.length;
  const result = new Uint8Array(count + transfers.queue.length);
  for (let t = 0; t < transfers.queue.length; t++) result[count + t] = is(t) ? 1 : 0;
  return result;
}
