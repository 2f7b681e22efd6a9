/**
 * Program, machine code and times -> Profile. Shifts times so that the profile starts before the body does, names tracks,
 * carries sources and shapes over. Adds nothing that was not compiled or scheduled.
 */

import { gathered } from '../columns/rows';
import { type Compiled, ENGINE_TRACKS, ENGINES, TRACK_ENGINE } from '../compile/compiled';
import { operandStrings } from '../compile/operands';
import type { Machine } from '../hardware/machine';
import { dtypes } from '../isa/dtypes';
import { type Program, tensorShape } from '../program/program';
import type { Schedule } from '../schedule/schedule';
import { accuracyStatement } from './accuracy';
import { buildAllocations } from './build-allocations';
import { type EventOrder, eventOrder } from './event-order';
import type { Profile, ProfileDmaSlices, ProfileInstructions, ProfileMachine, ProfileTransfers, Track } from './profile';

export function buildProfile(program: Program, compiled: Compiled, times: Schedule): Profile {
  const { machine } = compiled;
  const shift = machine.preambleNs.value - times.bodyStartNs;
  const bodyStartNs = times.bodyStartNs + shift;
  const bodyEndNs = times.bodyEndNs + shift;
  const strings = [...program.strings, ...compiled.patterns.addedNames];
  const { strings: operands, index } = operandStrings(compiled);
  const named = (tensor: number) =>
    tensor < compiled.patterns.programTensors
      ? program.tensors.name[tensor]
      : program.strings.length + tensor - compiled.patterns.programTensors;
  const order = eventOrder(compiled);
  const rows: Rows = { program, compiled, times, order, shift };
  return {
    kernel: program.kernel,
    dialect: program.dialect,
    target: program.target,
    pipeline: compiled.pipeline,
    simulated: true,
    totalTimeNs: bodyEndNs + machine.postambleNs.value,
    bodyStartNs,
    bodyEndNs,
    nclUs: (bodyEndNs - bodyStartNs + machine.nclOverheadNs.value) / 1000,
    tracks: tracks(compiled),
    strings,
    opcodes: [...compiled.opcodes],
    operands,
    files: program.files,
    inputs: tensorsOf(program, program.inputs),
    outputs: tensorsOf(program, program.outputs),
    checks: [...compiled.checks],
    accuracy: accuracyStatement(compiled),
    machine: profileMachine(machine),
    instructions: instructions(rows, index),
    transfers: transfers(rows, named),
    dmaSlices: dmaSlices(rows),
    allocations: buildAllocations(compiled, times, shift, named),
    frames: program.frames,
    iterations: program.iterations,
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
  /** Ns added to all times. */
  shift: number;
}

function instructions({ program, compiled, times, order, shift }: Rows, operands: Uint32Array): ProfileInstructions {
  const { instructions: code } = compiled;
  const { instructions: t } = times;
  const from = order.instructions;
  const origin = gathered(code.origin, from);
  return {
    readyNs: gathered(t.readyNs, from, shift),
    startNs: gathered(t.startNs, from, shift),
    endNs: gathered(t.endNs, from, shift),
    track: Uint16Array.from(from, i => code.track[i]),
    opcode: gathered(code.opcode, from),
    frame: gathered(program.instructions.frame, origin),
    iteration: gathered(program.instructions.iteration, origin),
    stall: gathered(t.stall, from),
    blocker: Int32Array.from(from, i => order.rename(t.blocker[i])),
    origin,
    flops: gathered(code.flops, from),
    operands: gathered(operands, from),
  };
}

function transfers({ program, compiled, times, order, shift }: Rows, named: (tensor: number) => number): ProfileTransfers {
  const { instructions: code, transfers: moved } = compiled;
  const { transfers: t } = times;
  const from = order.transfers;
  const origin = Int32Array.from(from, k => code.origin[moved.trigger[k]]);
  return {
    readyNs: gathered(t.readyNs, from, shift),
    startNs: gathered(t.startNs, from, shift),
    endNs: gathered(t.endNs, from, shift),
    doneNs: gathered(t.doneNs, from, shift),
    track: Uint16Array.from(from, k => ENGINE_TRACKS.length + moved.queue[k]),
    frame: gathered(program.instructions.frame, origin),
    iteration: gathered(program.instructions.iteration, origin),
    stall: gathered(t.stall, from),
    blocker: Int32Array.from(from, k => order.rename(t.blocker[k])),
    origin,
    trigger: Int32Array.from(from, k => order.rename(moved.trigger[k])),
    bytes: gathered(moved.bytes, from),
    packets: gathered(moved.packets, from),
    engines: gathered(moved.engines, from),
    variable: Uint32Array.from(from, k => named(moved.tensor[k])),
    direction: gathered(moved.direction, from),
  };
}

function dmaSlices({ compiled, times: { slices }, order, shift }: Rows): ProfileDmaSlices {
  const count = compiled.instructions.track.length;
  return {
    startNs: slices.startNs.map(ns => ns + shift),
    endNs: slices.endNs.map(ns => ns + shift),
    engine: slices.engine,
    transfer: slices.transfer.map(t => order.rename(count + t) - count),
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
    baseClockGhz: machine.baseClockGhz.value,
    sbufBytesPerPartition: machine.sbufBytesPerPartition.value,
    psumBytesPerPartition: machine.psumBytesPerPartition.value,
  };
}
