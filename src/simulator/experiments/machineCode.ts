/**
 * A profile's machine code, as the scheduler was given it: put together from the profile's columns and its `timing`. It is what
 * experiments change. Nothing is compiled here, and no source is needed.
 */

import { type Queue, type Schedulable, TRACK_ENGINE } from '../compile/compiled';
import type { Machine } from '../hardware/machine';
import { machineFor, TARGETS } from '../hardware/targets';
import type { Profile } from '../profile/profile';
import type { ProfileTiming } from '../profile/timing';
import { ENGINE_TRACKS, ENGINES, type Engine } from '../vocabulary/engines';
import { NoExperiment } from './noExperiment';

/** DMA engines take turns of some packets; what is timed is bounded by them. A million DMAs of 512 packets have 32 million. */
const MOST_TURNS = 2 ** 27;

/** @throws NoExperiment saying why this profile cannot be timed again */
export function machineCode(p: Profile): Schedulable {
  const { timing } = p;
  if (!timing) throw new NoExperiment(whyNot(p));
  const machine = machineOf(p);
  checkCuts(timing, machine);
  return {
    machine,
    queues: p.tracks.slice(ENGINE_TRACKS.length).map(({ name, engine }): Queue => ({ name, engine: engine as Engine })),
    instructions: instructions(p, timing),
    transfers: transfers(p, timing),
    cuts: { packets: timing.cuts.packets, bytes: timing.cuts.bytes, speed: timing.speeds.speed },
    dependencies: { start: starts(timing.instructions.dependencies), event: timing.dependencies.event, kind: timing.dependencies.kind },
    streams: streams(p, timing),
  };
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

function whyNot({ simulated, machine, rank }: Profile): string {
  if (!simulated)
    return 'experiments need a simulated profile: a recording does not say what its times are made of. Capture the kernel here';
  if (rank) return 'experiments with one of several ranks are not possible: what it waits for is in the others';
  if ((machine.cores ?? 1) > 1)
    return 'the profile is of several cores, which wait for each other: experiments time one core. Capture the kernel with a grid of one core';
  return 'the profile was made by an older version, which did not keep what experiments need. Capture the kernel again';
}

function instructions(p: Profile, timing: ProfileTiming): Schedulable['instructions'] {
  const { row, cost } = timing.instructions;
  const count = row.length;
  const columns = {
    track: new Uint8Array(count),
    opcode: new Uint16Array(count),
    origin: new Int32Array(count),
    issueNs: new Float64Array(count),
    durationNs: new Float64Array(count),
    flops: new Float64Array(count),
    transfer: new Int32Array(count).fill(-1),
    ports: new Uint8Array(count),
    detail: new Uint32Array(count),
    accessStart: new Uint32Array(count + 1),
  };
  const { track, opcode, origin, flops } = p.instructions;
  const { issueNs, durationNs, ports } = timing.costs;
  for (let i = 0; i < count; i++) {
    columns.track[i] = track[row[i]];
    columns.opcode[i] = opcode[row[i]];
    columns.origin[i] = origin[row[i]];
    columns.flops[i] = flops[row[i]];
    columns.issueNs[i] = issueNs[cost[i]];
    columns.durationNs[i] = durationNs[cost[i]];
    columns.ports[i] = ports[cost[i]];
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

function transfers(p: Profile, timing: ProfileTiming): Schedulable['transfers'] {
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
    result.queue[t] = from.track[row[t]] - ENGINE_TRACKS.length;
    result.bytes[t] = from.bytes[row[t]];
    result.packets[t] = from.packets[row[t]];
    result.engines[t] = from.engines[row[t]];
    result.direction[t] = from.direction[row[t]];
    result.tensor[t] = from.variable[row[t]];
  }
  return result;
}

/** Rows of one engine stand in the order in which it issued them. */
function streams(p: Profile, { instructions: { row } }: ProfileTiming): Uint32Array[] {
  const compiledAt = new Uint32Array(row.length);
  for (let i = 0; i < row.length; i++) compiledAt[row[i]] = i;
  const { track } = p.instructions;
  const lengths = new Uint32Array(ENGINES.length);
  for (let k = 0; k < row.length; k++) lengths[TRACK_ENGINE[track[k]]]++;
  const result = Array.from(lengths, length => new Uint32Array(length));
  const next = new Uint32Array(ENGINES.length);
  for (let k = 0; k < row.length; k++) {
    const engine = TRACK_ENGINE[track[k]];
    result[engine][next[engine]++] = compiledAt[k];
  }
  return result;
}

function starts(lengths: Uint32Array): Uint32Array {
  const result = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) result[i + 1] = result[i] + lengths[i];
  return result;
}
