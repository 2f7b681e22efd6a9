/** Programs with narrower operands of some matmuls, against the same programs with a cast before each product. */
import assert from 'node:assert/strict';
import { Execution } from '../../../src/simulator/execute/execute';
import { executeNarrowed } from '../../../src/simulator/execute/narrowed';
import { ProgramBuilder } from '../../support/programs';
import { random } from '../../support/values';

const [K, M, N] = [128, 64, 96];
const FILE = 'k.py';

/** y = x.T @ w + x.T @ w, and x + 0 apart: what others read of the operands. `cast`: the products of line 3 read copies in this dtype. */
function product(cast?: string) {
  const b = new ProgramBuilder({ kernel: 'product' });
  const [x, w] = [b.hbm('x', [K, M], 'float32', 'input'), b.hbm('w', [K, N], 'float32', 'input')];
  const [y, z] = [b.hbm('y', [M, N], 'float32', 'output'), b.hbm('z', [K, M], 'float32', 'output')];
  const [xt, wt] = [b.sbuf('xt', [K, M], 'float32'), b.sbuf('wt', [K, N], 'float32')];
  const [sums, out, same] = [b.psum('sums', [M, N]), b.sbuf('out', [M, N], 'float32'), b.sbuf('same', [K, M], 'float32')];
  b.record('nki.isa.dma_copy', { dst: xt, src: x }, {}, { line: 1 });
  b.record('nki.isa.dma_copy', { dst: wt, src: w }, {}, { line: 2 });
  const narrow = (tile: typeof xt, name: string, columns: number) => {
    if (!cast) return tile;
    const copy = b.sbuf(name, [K, columns], cast);
    b.record('nki.isa.tensor_copy', { dst: copy, src: tile }, {}, { line: 9 });
    return copy;
  };
  const [a, c] = [narrow(xt, 'a', M), narrow(wt, 'c', N)];
  b.record('nki.isa.nc_matmul', { dst: sums, stationary: a, moving: c }, { accumulate: false }, { line: 3 });
  b.record('nki.isa.nc_matmul', { dst: sums, stationary: xt, moving: wt }, { accumulate: true }, { line: 4 });
  b.record('nki.isa.tensor_copy', { dst: out, src: sums }, {}, { line: 5 });
  b.record('nki.isa.tensor_copy', { dst: same, src: xt }, {}, { line: 6 });
  b.record('nki.isa.dma_copy', { dst: y, src: out }, {}, { line: 7 });
  b.record('nki.isa.dma_copy', { dst: z, src: same }, {}, { line: 8 });
  return { program: b.finish(), x: x.index, w: w.index, wanted: [y.index, z.index] };
}

function given({ x, w }: { x: number; w: number }, scale = 1) {
  const values = new Map([
    [x, Float32Array.from(random(1, K * M), value => scale * value)],
    [w, Float32Array.from(random(2, K * N))],
  ]);
  return (tensor: number) => values.get(tensor) ?? null;
}

describe('execution with narrower operands', () => {
  for (const dtype of ['bfloat16', 'float8_e4m3'])
    it(`gives what a cast to ${dtype} before the products of the line gives, bit by bit`, () => {
      const plain = product();
      const { path } = plain.program.files[0];
      const { instructions, values } = executeNarrowed(
        plain.program,
        given(plain),
        plain.wanted,
        {},
        { dtype, lines: [{ file: path, line: 3 }] },
      );
      const cast = product(dtype);
      const execution = new Execution(cast.program, given(cast));
      execution.run();
      assert.equal(instructions, 1);
      assert.deepEqual(
        values.map(own => [...own]),
        cast.wanted.map(tensor => [...execution.tensor(tensor)]),
      );
      const as = new Execution(plain.program, given(plain));
      as.run();
      assert.notDeepEqual([...values[0]], [...as.tensor(plain.wanted[0])], 'digits are lost');
    });

  it('leaves alone what is no product of these lines, and what is as narrow already', () => {
    const plain = product();
    const { path } = plain.program.files[0];
    const as = new Execution(plain.program, given(plain));
    as.run();
    for (const narrowing of [
      { dtype: 'bfloat16', lines: [{ file: path, line: 5 }] },
      { dtype: 'bfloat16', lines: [{ file: FILE + FILE, line: 3 }] },
      { dtype: 'float32', lines: [{ file: path, line: 3 }] },
    ]) {
      const { instructions, values } = executeNarrowed(plain.program, given(plain), plain.wanted, {}, narrowing);
      assert.equal(instructions, 0);
      assert.deepEqual([...values[0]], [...as.tensor(plain.wanted[0])]);
    }
  });

  it('shows values that the dtype does not have as not finite', () => {
    const plain = product();
    const { path } = plain.program.files[0];
    const { values } = executeNarrowed(
      plain.program,
      given(plain, 1e4),
      plain.wanted,
      {},
      { dtype: 'float8_e4m3', lines: [{ file: path, line: 3 }] },
    );
    assert.ok(values[0].some(value => !Number.isFinite(value)));
    assert.ok(values[1].every(Number.isFinite), 'what others read stays');
  });
});
