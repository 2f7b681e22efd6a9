/** A program beside itself in double precision: against NumPy, and the errors that are made of the two. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { compareValues, precisionOf } from '../../../src/simulator/execute/precision';
import { DEFAULT_MACHINE } from '../../../src/simulator/hardware/machines';
import { type Program, tensorElements } from '../../../src/simulator/program/program';
import { precisionReport } from '../../../src/simulator/session/precisionReport';
import { simulatorBackend } from '../../../src/simulator/session/simulatorBackend';
import { itWithPython } from '../../support/built';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { random } from '../../support/values';

const [P, N] = [128, 64];

/** What Python prints as JSON. */
function python(code: string, given: object): unknown {
  const { status, stdout, stderr } = spawnSync(
    'python3',
    ['-c', `import json, sys\nimport numpy as np\ng = json.load(sys.stdin)\n${code}`],
    {
      input: JSON.stringify(given),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

/** softmax(x.T @ w) on bf16 operands, and a sum that cancels. */
function kernel() {
  const b = new ProgramBuilder({ kernel: 'kernel' });
  const [x, w] = [b.hbm('x', [P, P], 'bfloat16', 'input'), b.hbm('w', [P, N], 'bfloat16', 'input')];
  const y = b.hbm('y', [P, N], 'float32', 'output');
  const tile = (name: string, columns: number, dtype = 'float32') => b.sbuf(name, [P, columns], dtype);
  const [xt, wt, acc] = [tile('xt', P, 'bfloat16'), tile('wt', N, 'bfloat16'), b.psum('acc', [P, N])];
  const [e, total, narrow, large] = [tile('e', N), tile('total', 1), tile('narrow', N, 'bfloat16'), tile('large', N)];
  b.record('nki.isa.dma_copy', { dst: xt, src: x }, {}, { line: 1 });
  b.record('nki.isa.dma_copy', { dst: wt, src: w }, {}, { line: 2 });
  b.record('nki.isa.nc_matmul', { dst: acc, stationary: xt, moving: wt }, {}, { line: 3 });
  b.record('nki.isa.activation', { dst: e, data: acc }, { op: 'exp', scale: 0.125 }, { line: 4 });
  b.record('nki.isa.tensor_reduce', { dst: total, data: e }, { op: 'add', axis: [1] }, { line: 5 });
  b.record('nki.isa.tensor_copy', { dst: narrow, src: e }, {}, { line: 6 });
  b.record('nki.isa.tensor_scalar', { dst: large, data: narrow, operand0: total }, { op0: 'add' }, { line: 7 });
  b.record('nki.isa.tensor_scalar', { dst: large, data: large, operand0: total }, { op0: 'subtract' }, { line: 8 });
  b.record('nki.isa.dma_copy', { dst: y, src: large }, {}, { line: 9 });
  const values = new Map([
    [x.index, Float32Array.from(random(1, P * P, 'bfloat16'))],
    [w.index, Float32Array.from(random(2, P * N, 'bfloat16'))],
  ]);
  return { program: b.finish(), x: x.index, w: w.index, y: y.index, values };
}

const inDoubles = (program: Program, values: ReadonlyMap<number, Float32Array>, wanted: number[]) =>
  precisionOf(program, tensor => values.get(tensor) ?? null, wanted, { machine: DEFAULT_MACHINE });

describe('precision', () => {
  itWithPython('numpy')('computes in double precision what NumPy does', () => {
    const { program, x, w, y, values } = kernel();
    const { reference } = inDoubles(program, values, [y]);
    const code = `x, w = (np.array(g[k]).reshape(${P}, -1) for k in "xw")
e = np.exp(x.T @ w * 0.125)
t = e.sum(axis=1, keepdims=True)
print(json.dumps(((e + t) - t).ravel().tolist()))`;
    const expected = python(code, { x: [...values.get(x)!], w: [...values.get(w)!] }) as number[];
    const { relative } = compareValues(Array.from(reference[0]), expected);
    assert.ok(relative < 1e-12, `${relative}`);
  });

  itWithPython('numpy')('measures errors as NumPy does', () => {
    const [a, b] = [random(3, 500), random(4, 500)];
    const code = `a, b = np.array(g["a"]), np.array(g["b"])
d = a - b
print(json.dumps([float(np.linalg.norm(d) / np.linalg.norm(b)), float(np.abs(d).max() / np.abs(b).max()), float((d * d).mean()),
  float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))]))`;
    const { relative, largest, meanSquared, cosine, notFinite } = compareValues(a, b);
    for (const [k, value] of (python(code, { a, b }) as number[]).entries())
      assert.ok(Math.abs([relative, largest, meanSquared, cosine][k] - value) < 1e-12 * Math.max(1, Math.abs(value)), `${k}`);
    assert.equal(notFinite, 0);
    assert.equal(compareValues([1, Number.NaN, Number.NaN], [1, Number.NaN, 2]).notFinite, 1);
    assert.deepEqual(compareValues([0, 0], [0, 0]), { relative: 0, largest: 0, meanSquared: 0, cosine: 1, notFinite: 0 });
  });

  it('shows where digits are lost: where a tile becomes narrow, and where a difference cancels', () => {
    const { program, y, values } = kernel();
    const machine = DEFAULT_MACHINE;
    const outputs = simulatorBackend.execute(program, values, [y], { machine, shouldStop: () => false });
    const { lines, outputs: compared } = precisionReport(program, inDoubles(program, values, [y]), outputs);
    const of = (line: number) => lines.find(found => found.line === line)!;
    assert.deepEqual([of(1).written, of(2).written], [0, 0], 'both begin with the same inputs');
    assert.ok(of(3).written > 0 && of(3).written < 1e-6);
    assert.ok(of(5).written < 1e-6);
    const rounding = 2 ** -8;
    assert.ok(of(6).written > rounding / 10 && of(6).written < rounding, `bf16 keeps 8 bits: ${of(6).written}`);
    assert.ok(of(8).written > 3 * of(8).read!, 'the difference is further off than what it is made of');
    assert.equal(compared[0].relative, of(9).written);
    assert.ok(compared[0].cosine > 0.9999 && compared[0].cosine < 1);
  });

  it('is a number of every instruction of random programs', () => {
    for (let seed = 1; seed <= 3; seed++) {
      const program = randomProgram(seed, 60);
      const given = new Map(
        program.inputs.map(({ tensor }, k) => [tensor, Float32Array.from(random(seed + k, tensorElements(program, tensor)))]),
      );
      const wanted = program.outputs.map(({ tensor }) => tensor);
      const { errors, reference } = inDoubles(program, given, wanted);
      assert.equal(reference.length, wanted.length);
      for (const column of [errors.read, errors.written])
        for (const error of column) assert.ok(Number.isNaN(error) || (error >= 0 && error <= 2 ** 20), `program ${seed}: ${error}`);
    }
  });
});
