/**
 * A profile's machine code, as the scheduler was given it: put together from the profile's columns and its `timing`. It is what
 * experiments change. Nothing is compiled here, and no source is needed.
 */

import { type Queue, type Schedulable, TRACK_ENGINE } from '../compile/compiled';
import type { Machine } from '../hardware/machine';
import { machineFor, TARGETS } from '../hardware/targets';
import { withoutCore } from '../profile/ofCore';
import type { Profile, Track } from '../profile/profile';
import { arrayRowsOf, type ProfileTiming, sameBurstOf } from '../profile/timing';
import { ENGINE_TRACKS, ENGINES, type Engine } from '../vocabulary/engines';
import { NoExperiment } from './noExperiment';

/** DMA engines take turns of some packets; what is timed is bounded by them. A million DMAs of 512 packets have 32 million. */
const MOST_TURNS = 2 ** 27;

/** What ran, core after core: of each core its own machine code, and of all cores together one with all events. */
export interface RunCode {
  /**
   * All events in the numbering of experiments: instructions core after core, then transfers. A queue is one for all cores that have it.
   * To be read; what is timed are the cores.
   */
  whole: Schedulable;
  cores: readonly TimedCore[];
}

/** One core's machine code, in its own numbering. */
export interface TimedCore {
  code: Schedulable;
  /** Its first instruction and its first transfer among those of all cores. */
  firstInstruction: number;
  firstTransfer: number;
  /** Its instructions that wait for the other cores, the k-th of each for one another. */
  barriers: readonly number[];
}

/** @throws NoExperiment saying why this profile cannot be timed again */
export function machineCode(p: Profile): RunCode {
  const { timing } = p;
  if (!timing) throw new NoExperiment(whyNot(p));
  const machine = machineOf(p);
  checkCuts(timing, machine);
  const layout = layoutOf(p, timing);
  if (layout.cores.length > 1 && !machine.logicalCore)
    throw new NoExperiment(`${p.target} has no logical cores, and the profile has several`);
  const whole: Schedulable = {
    machine,
    queues: layout.queues,
    opcodes: p.opcodes,
    triggersLoads: p.triggersLoads,
    instructions: instructions(p, timing, layout),
    transfers: transfers(p, timing, layout),
    cuts: { packets: timing.cuts.packets, bytes: timing.cuts.bytes, speed: timing.speeds.speed, sameBurst: sameBurstOf(timing) },
    dependencies: { start: starts(timing.instructions.dependencies), event: timing.dependencies.event, kind: timing.dependencies.kind },
    streams: streams(p, timing, layout),
  };
  const cores =
    layout.cores.length === 1 ? [{ code: whole, firstInstruction: 0, firstTransfer: 0, barriers: [] }] : coresOf(whole, layout, timing);
  return { whole, cores };
}

/** Where each core's events and tracks are in the profile. */
interface Layout {
  cores: readonly { number: number; instructions: number; transfers: number; queues: Queue[] }[];
  /** Distinct ones of all cores. */
  queues: Queue[];
  /** Track of the profile -> its row of `ENGINE_TRACKS`, or behind those the queue's index in `queues`. */
  trackOf: Uint16Array;
}

/** @throws NoExperiment where the events of the cores do not stand core after core, or on rows of another kind */
function layoutOf(p: Profile, { instructions: { row }, transfers: { row: transferRow } }: ProfileTiming): Layout {
  const coreOf = Uint8Array.from(p.tracks, ({ core = 0 }) => core);
  const numbers = [...new Set(coreOf)].sort((a, b) => a - b);
  const queues: Queue[] = [];
  const own = numbers.map((): Queue[] => []);
  const next = numbers.map(() => 0);
  const trackOf = Uint16Array.from(p.tracks, ({ kind, name, engine, core = 0 }) => {
    const of = numbers.indexOf(core);
    if (kind !== 'queue') return next[of]++;
    const queue = { name: numbers.length > 1 ? withoutCore(name, core) : name, engine: engine as Engine };
    own[of].push(queue);
    const known = queues.findIndex(other => other.name === queue.name);
    return ENGINE_TRACKS.length + (known >= 0 ? known : queues.push(queue) - 1);
  });
  if (next.some(engines => engines !== ENGINE_TRACKS.length))
    throw new NoExperiment('the profile has other rows of engines than this version');
  const count = (rows: Uint32Array, track: ArrayLike<number>, kind: Track['kind']) => {
    const counts = numbers.map(() => 0);
    let last = 0;
    for (const at of rows) {
      if (p.tracks[track[at]].kind !== kind) throw new NoExperiment(`the row ${p.tracks[track[at]].name} has events of another kind`);
      const of = numbers.indexOf(coreOf[track[at]]);
      if (of < last) throw new NoExperiment('the events of its cores do not stand core after core');
      counts[of]++;
      last = of;
    }
    return counts;
  };
  const [ofInstructions, ofTransfers] = [count(row, p.instructions.track, 'engine'), count(transferRow, p.transfers.track, 'queue')];
  const cores = numbers.map((number, k) => ({ number, instructions: ofInstructions[k], transfers: ofTransfers[k], queues: own[k] }));
  return { cores, queues, trackOf };
}

function machineOf({ target }: Profile): Machine {
  if (!TARGETS.includes(target)) throw new NoExperiment(`the profile is of ${target}, a target that this version does not have`);
  return machineFor(target);
}

function checkCuts({ cuts, speeds, transfers }: ProfileTiming, { dma }: Machine) {
  const engines = dma.engines.value;
  if (cuts.packets.length !== speeds.speed.length * engines) throw new NoExperiment('the profile does not say how its DMAs are cut');
  const turns = new Float64Array(speeds.speed.length);
  for (let part = 0; part < cuts.packets.length; part++)
    turns[Math.floor(part / engines)] += Math.ceil(cuts.packets[part] / dma.turnPackets.value);
  let all = 0;
  for (let t = 0; t < transfers.cut.length; t++) all += turns[transfers.cut[t]];
  if (!(all <= MOST_TURNS)) throw new NoExperiment(`its DMAs have ${all} turns: at most ${MOST_TURNS} are timed again`);
}

function whyNot({ simulated, rank }: Profile): string {
  if (!simulated)
    return 'experiments need a simulated profile: a recording does not say what its times are made of. Capture the kernel here; of a recording there are its path, and what if for engines, queues, DMA and HBM';
  if (rank) return 'experiments with one of several ranks are not possible: what it waits for is in the others';
  return 'the profile was made by an older version, which did not keep what experiments need. Capture the kernel again';
}

function instructions(p: Profile, timing: ProfileTiming, { trackOf }: Layout): Schedulable['instructions'] {
  const { row, cost } = timing.instructions;
  const count = row.length;
  const columns = {
    track: new Uint8Array(count),
    opcode: new Uint16Array(count),
    origin: new Int32Array(count),
    issueNs: new Float64Array(count),
    durationNs: new Float64Array(count),
    flops: new Float64Array(count),
    arrayRows: new Uint8Array(count),
    transfer: new Int32Array(count).fill(-1),
    ports: new Uint8Array(count),
    detail: new Uint32Array(count),
    alternative: new Uint32Array(count),
    accessStart: new Uint32Array(count + 1),
  };
  const { track, opcode, origin, flops } = p.instructions;
  const { issueNs, durationNs, ports } = timing.costs;
  const arrayRows = arrayRowsOf(timing);
  for (let i = 0; i < count; i++) {
    columns.track[i] = trackOf[track[row[i]]];
    columns.opcode[i] = opcode[row[i]];
    columns.origin[i] = origin[row[i]];
    columns.flops[i] = flops[row[i]];
    columns.issueNs[i] = issueNs[cost[i]];
    columns.durationNs[i] = durationNs[cost[i]];
    columns.ports[i] = ports[cost[i]];
    columns.arrayRows[i] = arrayRows[cost[i]];
  }
  const triggers = triggersOf(p, timing);
  for (let t = 0; t < triggers.length; t++) columns.transfer[triggers[t]] = t;
  return columns;
}

/** Compiled transfer -> the compiled instruction that triggers it. */
function triggersOf(p: Profile, { instructions, transfers }: ProfileTiming): Uint32Array {
  const compiledAt = new Uint32Array(instructions.row.length);
  for (let i = 0; i < compiledAt.length; i++) compiledAt[instructions.row[i]] = i;
  const result = new Uint32Array(transfers.row.length);
  for (let t = 0; t < result.length; t++) {
    const trigger = p.transfers.trigger[transfers.row[t]];
    if (trigger < 0 || trigger >= compiledAt.length) throw new NoExperiment(`nothing triggers DMA ${transfers.row[t]} of the profile`);
    result[t] = compiledAt[trigger];
  }
  return result;
}

function transfers(p: Profile, timing: ProfileTiming, { trackOf }: Layout): Schedulable['transfers'] {
  const { row, mode, cut } = timing.transfers;
  const from = p.transfers;
  const result = {
    queue: new Uint8Array(row.length),
    mode,
    trigger: triggersOf(p, timing),
    bytes: new Float64Array(row.length),
    packets: new Uint32Array(row.length),
    engines: new Uint16Array(row.length),
    direction: new Uint8Array(row.length),
    tensor: new Uint32Array(row.length),
    cut,
  };
  for (let t = 0; t < row.length; t++) {
    result.queue[t] = trackOf[from.track[row[t]]] - ENGINE_TRACKS.length;
    result.bytes[t] = from.bytes[row[t]];
    result.packets[t] = from.packets[row[t]];
    result.engines[t] = from.engines[row[t]];
    result.direction[t] = from.direction[row[t]];
    result.tensor[t] = from.variable[row[t]];
  }
  return result;
}

/** Rows of one engine of one core stand in the order in which it issued them. */
function streams(p: Profile, { instructions: { row } }: ProfileTiming, { trackOf }: Layout): Uint32Array[] {
  const compiledAt = new Uint32Array(row.length);
  for (let i = 0; i < row.length; i++) compiledAt[row[i]] = i;
  const { track } = p.instructions;
  const lengths = new Uint32Array(ENGINES.length);
  for (let k = 0; k < row.length; k++) lengths[TRACK_ENGINE[trackOf[track[k]]]]++;
  const result = Array.from(lengths, length => new Uint32Array(length));
  const next = new Uint32Array(ENGINES.length);
  for (let k = 0; k < row.length; k++) {
    const engine = TRACK_ENGINE[trackOf[track[k]]];
    result[engine][next[engine]++] = compiledAt[k];
  }
  return result;
}

/** @throws NoExperiment where an event waits for one of another core */
function coresOf(whole: Schedulable, { cores, queues }: Layout, { barriers }: ProfileTiming): TimedCore[] {
  const count = whole.instructions.track.length;
  let [firstInstruction, firstTransfer] = [0, 0];
  return cores.map(own => {
    const [endInstruction, endTransfer] = [firstInstruction + own.instructions, firstTransfer + own.transfers];
    const [i0, t0] = [firstInstruction, firstTransfer];
    const event = (e: number) => {
      const isOwn = e < count ? e >= i0 && e < endInstruction : e - count >= t0 && e - count < endTransfer;
      if (!isOwn) throw new NoExperiment('an instruction of the profile waits for an event of another core without a barrier');
      return e < count ? e - i0 : e - count - t0 + own.instructions;
    };
    const { start, event: on, kind } = whole.dependencies;
    const queueOf = queues.map(({ name }) => own.queues.findIndex(queue => queue.name === name));
    const ofInstructions = sliced(whole.instructions, i0, endInstruction);
    const ofTransfers = sliced(whole.transfers, t0, endTransfer);
    const code: Schedulable = {
      ...whole,
      queues: own.queues,
      instructions: {
        ...ofInstructions,
        transfer: ofInstructions.transfer.map(t => (t < 0 ? t : t - t0)),
        accessStart: new Uint32Array(own.instructions + 1),
      },
      transfers: {
        ...ofTransfers,
        queue: ofTransfers.queue.map(queue => queueOf[queue]),
        trigger: ofTransfers.trigger.map(i => event(i)),
      },
      dependencies: {
        start: start.slice(i0, endInstruction + 1).map(at => at - start[i0]),
        event: on.slice(start[i0], start[endInstruction]).map(event),
        kind: kind.slice(start[i0], start[endInstruction]),
      },
      streams: whole.streams.map(stream => stream.filter(i => i >= i0 && i < endInstruction).map(i => i - i0)),
    };
    const waiting = Array.from(barriers?.instruction ?? []).filter(i => i >= i0 && i < endInstruction);
    [firstInstruction, firstTransfer] = [endInstruction, endTransfer];
    return { code, firstInstruction: i0, firstTransfer: t0, barriers: waiting.map(i => i - i0) };
  });
}

function sliced<G extends object>(group: G, from: number, to: number): G {
  return Object.fromEntries(Object.entries(group).map(([name, column]) => [name, (column as Uint32Array).slice(from, to)])) as G;
}

function starts(lengths: Uint32Array): Uint32Array {
  const result = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) result[i + 1] = result[i] + lengths[i];
  return result;
}
