/**
 * Program, machine code and times -> Profile. Converts times to the profile's clock, which starts before the body, names tracks, and
 * copies sources and shapes. It adds no events.
 */

import { filled, gathered } from '../columns/rows';
import { type Compiled, TRACK_ENGINE } from '../compile/compiled';
import { operandTable } from '../compile/operands/ofCompiled';
import { semaphores, signals, waits } from '../compile/semaphores';
import { aroundBody, type Machine, semaphoreWriteNs } from '../hardware/machine';
import { type Program, tensorShape } from '../program/program';
import type { Schedule } from '../schedule/times';
import { dtypes } from '../vocabulary/dtypes';
import { ENGINE_TRACKS, ENGINES } from '../vocabulary/engines';
import { accuracyStatement } from './accuracy';
import { buildAllocations } from './buildAllocations';
import { ProfileClock } from './clock';
import { type EventOrder, eventOrder } from './eventOrder';
import type { Profile, ProfileDmaSlices, ProfileInstructions, ProfileMachine, ProfileTransfers, Track } from './profile';
import { buildTiming } from './timing';

/** A legacy kernel for which no version is given: most that are published were run before 2026. */
const ranOnOlderSoftware = ({ dialect, nkiVersion }: Program) => dialect === 'neuronxcc' && nkiVersion === undefined;

/**
 * `isExperiment`: the machine or policy does not model existing hardware. `times` must not be used afterwards: its slices, which have by
 * far the most rows, are changed in place and become the profile's.
 */
export function buildProfile(program: Program, compiled: Compiled, times: Schedule, isExperiment = false): Profile {
  const { machine } = compiled;
  const { preambleNs, postambleNs, nclOverheadNs } = aroundBody(machine, ranOnOlderSoftware(program));
  const clock = new ProfileClock(preambleNs - times.bodyStartNs);
  const bodyStartNs = clock.at(times.bodyStartNs);
  const bodyEndNs = clock.at(times.bodyEndNs);
  const strings = [...program.strings, ...compiled.patterns.addedNames];
  const raised = signals(compiled);
  const named = (tensor: number) =>
    tensor < compiled.patterns.programTensors
      ? program.tensors.name[tensor]
      : program.strings.length + tensor - compiled.patterns.programTensors;
  const operands = operandTable(compiled, named);
  const order = eventOrder(compiled);
  const rows: Rows = { program, compiled, times, order, clock };
  return {
    kernel: program.kernel,
    dialect: program.dialect,
    target: program.target,
    pipeline: compiled.pipeline,
    ...(compiled.triggersLoads !== 'early' && { triggersLoads: compiled.triggersLoads }),
    simulated: true,
    totalTimeNs: bodyEndNs + postambleNs,
    bodyStartNs,
    bodyEndNs,
    nclUs: (bodyEndNs - bodyStartNs + nclOverheadNs) / 1000,
    tracks: tracks(compiled),
    strings,
    opcodes: [...compiled.opcodes],
    semaphores: semaphores(compiled),
    files: program.files,
    inputs: tensorsOf(program, program.inputs),
    outputs: tensorsOf(program, program.outputs),
    checks: [...compiled.checks],
    accuracy: accuracyStatement(compiled, { nkiVersion: program.dialect === 'nki' ? program.nkiVersion : undefined, isExperiment }),
    machine: profileMachine(machine),
    instructions: instructions(rows, operands.index, raised.semaphore),
    ...operands.table,
    waits: waits(compiled, raised, order.instructions),
    transfers: transfers(rows, named),
    dmaSlices: dmaSlices(rows),
    allocations: buildAllocations(compiled, times, clock, named),
    frames: program.frames,
    iterations: program.iterations,
    timing: buildTiming(compiled, order),
    ...(program.layers && { layers: program.layers }),
  };
}

function tracks({ queues }: Compiled): Track[] {
  const engines = ENGINE_TRACKS.map((name, track): Track => ({ kind: 'engine', name, engine: ENGINES[TRACK_ENGINE[track]] }));
  return [...engines, ...queues.map((q): Track => ({ kind: 'queue', name: q.name, engine: q.engine }))];
}

interface Rows {
  program: Program;
  compiled: Compiled;
  times: Schedule;
  order: EventOrder;
  clock: ProfileClock;
}

function instructions({ program, compiled, times, order, clock }: Rows, operands: Uint32Array, signal: Uint8Array): ProfileInstructions {
  const { instructions: code } = compiled;
  const { instructions: t } = times;
  const from = order.instructions;
  const origin = gathered(code.origin, from);
  return {
    readyNs: clock.column(t.readyNs, from),
    startNs: clock.column(t.startNs, from),
    endNs: clock.column(t.endNs, from),
    track: filled(new Uint16Array(from.length), from, i => code.track[i]),
    opcode: gathered(code.opcode, from),
    frame: gathered(program.instructions.frame, origin),
    iteration: gathered(program.instructions.iteration, origin),
    stall: gathered(t.stall, from),
    blocker: filled(new Int32Array(from.length), from, i => order.rename(t.blocker[i])),
    origin,
    flops: filled(new Float32Array(from.length), from, i => code.flops[i]),
    operands: gathered(operands, from),
    signal: gathered(signal, from),
  };
}

function transfers({ program, compiled, times, order, clock }: Rows, named: (tensor: number) => number): ProfileTransfers {
  const { instructions: code, transfers: moved } = compiled;
  const { transfers: t } = times;
  const from = order.transfers;
  const origin = filled(new Int32Array(from.length), from, k => code.origin[moved.trigger[k]]);
  return {
    readyNs: clock.column(t.readyNs, from),
    startNs: clock.column(t.startNs, from),
    endNs: clock.column(t.endNs, from),
    doneNs: clock.column(t.doneNs, from),
    track: filled(new Uint16Array(from.length), from, k => ENGINE_TRACKS.length + moved.queue[k]),
    frame: gathered(program.instructions.frame, origin),
    iteration: gathered(program.instructions.iteration, origin),
    stall: gathered(t.stall, from),
    blocker: filled(new Int32Array(from.length), from, k => order.rename(t.blocker[k])),
    origin,
    trigger: filled(new Int32Array(from.length), from, k => order.rename(moved.trigger[k])),
    bytes: gathered(moved.bytes, from),
    packets: gathered(moved.packets, from),
    engines: gathered(moved.engines, from),
    variable: filled(new Uint32Array(from.length), from, k => named(moved.tensor[k])),
    direction: gathered(moved.direction, from),
  };
}

function dmaSlices({ compiled, times: { slices }, order, clock }: Rows): ProfileDmaSlices {
  const count = compiled.instructions.track.length;
  return {
    startNs: clock.move(slices.startNs),
    endNs: clock.move(slices.endNs),
    engine: slices.engine,
    transfer: filled(slices.transfer, slices.transfer, t => order.rename(count + t) - count),
    bytes: slices.bytes,
  };
}

function tensorsOf(program: Program, list: Program['inputs']): Profile['inputs'] {
  return list.map(({ name, tensor }) => ({
    name,
    shape: [...tensorShape(program, tensor)],
    dtype: dtypes[program.tensors.dtype[tensor]].name,
  }));
}

function profileMachine(machine: Machine): ProfileMachine {
  return {
    instanceType: machine.instanceType,
    generation: machine.generation,
    peakFlops: machine.peakFlops.value,
    hbmBytesPerSecond: machine.hbmBytesPerSecond.value,
    dmaBytesPerSecond: machine.dmaBytesPerSecond.value,
    dmaEngines: machine.dma.engines.value,
    dmaReadNs: machine.dma.hbmReadNs.value,
    dmaSemaphoreWriteNs: semaphoreWriteNs(machine),
    baseClockGhz: machine.baseClockGhz.value,
    sbufBytesPerPartition: machine.sbufBytesPerPartition.value,
    psumBytesPerPartition: machine.psumBytesPerPartition.value,
  };
}
