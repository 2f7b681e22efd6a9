/** The first NaN or infinity: the instruction that made it of finite values, its line, its iteration, what it read. */
import assert from 'node:assert/strict';
import { findings } from '../../../src/simulator/analyze/findings';
import { machineFor } from '../../../src/simulator/hardware/targets';
import type { Program } from '../../../src/simulator/program/program';
import type { BackendValues } from '../../../src/simulator/session/backend';
import { nonFiniteChecks } from '../../../src/simulator/session/nonFiniteChecks';
import { simulatorBackend } from '../../../src/simulator/session/simulatorBackend';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';

const N = 64;

/** Four rounds of `op` on rows of x; the values of x are 1 but for one of round `bad`. */
function rounds(op: string, bad: number, value: number) {
  const b = new ProgramBuilder({ kernel: 'rounds' });
  const x = b.hbm('x', [4, 128, N], 'float32', 'input');
  const y = b.hbm('y', [4, 128, N], 'float32', 'output');
  b.loop('i', 4, i => {
    const [tile, result] = [b.sbuf(`tile${i}`, [128, N], 'float32'), b.sbuf(`result${i}`, [128, N], 'float32')];
    b.record('nki.isa.dma_copy', { dst: tile, src: x.slice(i) }, {}, { line: 5 });
    b.record('nki.isa.activation', { dst: result, data: tile }, { op }, { line: 6 });
    b.record('nki.isa.activation', { dst: result, data: result }, { op: 'square' }, { line: 7 });
    b.record('nki.isa.dma_copy', { dst: y.slice(i), src: result }, {}, { line: 8 });
  });
  const values = new Float32Array(4 * 128 * N).fill(1);
  values[bad * 128 * N + 17] = value;
  return { program: b.finish(), x: x.index, y: y.index, values };
}

function checks({ program, x, y, values }: { program: Program; x: number; y: number; values: BackendValues }) {
  const given = new Map([[x, values]]);
  const machine = machineFor(program.target);
  const outputs = simulatorBackend.execute(program, given, [y], { machine, shouldStop: () => false });
  const stepped = () => simulatorBackend.inspect(program, given, machine);
  return nonFiniteChecks(program, { given, outputs, stepped, shouldStop: () => false });
}

describe('the first NaN or infinity', () => {
  it('is told with its line, its iteration, and what the instruction read', () => {
    const made = rounds('log', 2, -3);
    const [check, ...others] = checks(made);
    assert.deepEqual(others, []);
    assert.equal(check.line, 6);
    assert.equal(
      check.message,
      'First NaN in i=2: nki.isa.activation writes 1 of 8192 elements of result2 (float32). It reads data (tile2: -3 to 1).',
    );
    assert.equal(made.program.instructions.operation.length, 16);
    assert.equal(check.instruction, 9);
  });

  it('of infinity the same, and of NaN that infinity became the infinity', () => {
    const [infinity] = checks(rounds('reciprocal', 1, 0));
    assert.match(infinity.message, /^First infinity in i=1: nki\.isa\.activation writes 1 of 8192 elements of result1 /);
    const b = new ProgramBuilder({ kernel: 'minus' });
    const [x, y] = [b.hbm('x', [128, N], 'float32', 'input'), b.hbm('y', [128, N], 'float32', 'output')];
    const tile = b.sbuf('tile', [128, N], 'float32');
    b.record('nki.isa.dma_copy', { dst: tile, src: x }, {}, { line: 3 });
    b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' }, { line: 4 });
    b.record('nki.isa.tensor_tensor', { dst: tile, data1: tile, data2: tile }, { op: 'subtract' }, { line: 5 });
    b.record('nki.isa.dma_copy', { dst: y, src: tile }, {}, { line: 6 });
    const [origin] = checks({ program: b.finish(), x: x.index, y: y.index, values: new Float32Array(128 * N).fill(1000) });
    assert.match(
      origin.message,
      /^First infinity: nki\.isa\.activation writes 8192 of 8192 elements of tile \(float32\)\. It reads data \(tile: all 1000\)\.$/,
    );
    assert.equal(origin.line, 4);
  });

  it('is no finding where all is finite, where the inputs hold it already, and where they are zeros', () => {
    assert.deepEqual(checks(rounds('log', 0, 2)), []);
    assert.deepEqual(checks(rounds('log', 0, Number.NaN)), []);
    const zeros = rounds('reciprocal', 0, 0);
    assert.deepEqual(checks({ ...zeros, values: new Float32Array(zeros.values.length) }), []);
  });

  it('is shown at its own event, not at the first of its line', () => {
    const { program, ...rest } = rounds('log', 2, -3);
    const profile = { ...simulate(program, { pipeline: 'literal' }), checks: checks({ program, ...rest }) };
    const [finding] = findings(profile);
    assert.equal(profile.instructions.origin[finding.event], 9);
  });
});
