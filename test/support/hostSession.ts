/** Sessions of the host without an interpreter: a simulator that says what was asked of it, and a kernel that copies. */
import assert from 'node:assert/strict';
import { statisticsOf } from '../../src/simulator/execute/operandValues';
import { Interrupt } from '../../src/simulator/frontend/interrupt';
import { ownPaths } from '../../src/simulator/frontend/paths';
import { encodeProgram } from '../../src/simulator/program/codec';
import type { Program } from '../../src/simulator/program/program';
import type { SimulatorBackend } from '../../src/simulator/session/backend';
import { HostSession } from '../../src/simulator/session/hostSession';
import type { ProfileSave, SessionOptions } from '../../src/simulator/session/sessionContext';
import { ProgramBuilder } from './programs';
import { syntheticProfile } from './syntheticProfile';

/** SimulatorBackend that say what was asked of them; execution doubles the first input. */
export class FakeBackend implements SimulatorBackend {
  simulated: Program[] = [];
  executions = 0;

  simulate: SimulatorBackend['simulate'] = (cores, { onPhase }) => {
    onPhase('compile');
    onPhase('schedule');
    this.simulated.push(...cores);
    return syntheticProfile(20);
  };

  execute: SimulatorBackend['execute'] = (_program, inputs, wanted) => {
    this.executions++;
    const [first] = inputs.values();
    return wanted.map(() => Float32Array.from(first, x => 2 * x));
  };

  /** As exact as can be. */
  precision: SimulatorBackend['precision'] = (program, inputs, wanted, options) => ({
    errors: { read: new Float64Array(program.operations.length), written: new Float64Array(program.operations.length) },
    reference: this.execute(program, inputs, wanted, options),
  });

  narrowed: SimulatorBackend['narrowed'] = (program, inputs, wanted, options) => ({
    instructions: 0,
    values: this.execute(program, inputs, wanted, options) as Float32Array[],
  });

  simulateRanks: SimulatorBackend['simulateRanks'] = (ranks, { onPhase }) => {
    onPhase('compile');
    return ranks.map(() => syntheticProfile(20));
  };

  compileRank: SimulatorBackend['compileRank'] = () => ({ checks: [], cores: [] });

  executeRanks: SimulatorBackend['executeRanks'] = ranks =>
    ranks.map(({ inputs, wanted }) => {
      const [first] = inputs.values();
      return wanted.map(() => Float32Array.from(first, x => 2 * x));
    });

  /** The first input as it is. */
  inspect: SimulatorBackend['inspect'] = (program, inputs) => ({
    at: instruction => {
      const [values] = inputs.values();
      const statistics = statisticsOf(Float32Array.from(values));
      const operand = { name: 'src', moment: 'before' as const, tensor: 'x', space: 'hbm', dtype: 'float32', shape: [values.length] };
      return { operation: program.operations[instruction], operands: [{ ...operand, values: Float32Array.from(values), statistics }] };
    },
  });

  /** Of the first input, as many bytes as the piece has. */
  live: SimulatorBackend['live'] = inputs => {
    let pieces = 0;
    return {
      append: piece => {
        pieces += piece.length;
      },
      read: tensor => ({ dtype: 'float32', values: Float32Array.of(pieces, ...inputs(tensor)!), written: true, assumed: [] }),
    };
  };

  checksum: SimulatorBackend['checksum'] = (dtype, values) => `${dtype}:${[...values].join()}`;
}

/** out = in, [2, 3] float32, so many times. */
export function copyProgram(rows = 2, copies = 1): Program {
  const b = new ProgramBuilder({ target: 'trn2' });
  const x = b.hbm('x', [rows, 3], 'float32', 'input');
  const y = b.hbm('y', [rows, 3], 'float32', 'output');
  for (let copy = 0; copy < copies; copy++) b.record('nki.isa.dma_copy', { dst: y, src: x }, {}, { line: 3 });
  return b.finish();
}

export function session(options: Partial<SessionOptions> = {}, backend = new FakeBackend()) {
  const request = { file: '/w/k.py', root: '/w', ...options.request };
  const files = { readFile: () => new Uint8Array(0), saveProfile: ({ name, folder = '/w' }: ProfileSave) => `${folder}/${name}.nkiprof` };
  const rest = { limits: { instructions: 1000, seconds: 5, memoryMb: 1024 }, target: 'trn2', paths: ownPaths, interrupt: new Interrupt() };
  const host = new HostSession({ ...rest, ...files, backend, onProgress: () => {}, ...options, request });
  return { host, backend, call: (header: object, payload?: Uint8Array) => call(host, header, payload) };
}

export function call(host: HostSession, header: object, payload: Uint8Array = new Uint8Array(0)) {
  const reply = host.handle({ header: header as Record<string, unknown>, payload });
  const { ok, error } = reply.header as { ok?: Record<string, unknown>; error?: { kind: string; message: string } };
  return { ok, error, payload: reply.payload };
}

export const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);

/** Puts an input and runs the copy on it. Gives the output's handle. */
export function runCopy(s: ReturnType<typeof session>, values = [1, 2, 3, 4, 5, 6]) {
  const { ok } = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 3] }, floats(...values));
  const run = s.call({ call: 'run', inputs: [ok?.array] }, encodeProgram(copyProgram()));
  assert.equal(run.error, undefined);
  return { run: run.ok!, output: (run.ok!.outputs as number[])[0], input: ok?.array as number };
}
