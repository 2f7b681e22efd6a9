/** Values around an instruction are those that a plain execution has at that point. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Execution } from '../../../src/simulator/execute/execute';
import { statisticsOf } from '../../../src/simulator/execute/operandValues';
import { decodeValues, encodeValues } from '../../../src/simulator/profile/instructionValues';
import { ProgramBuilder } from '../../support/programs';

const X = Float32Array.from({ length: 8 }, (_, i) => i - 3);

/** out = exp(x) + x, [2, 4]; the sum is computed in place, of the second half of the columns only. */
function program() {
  const b = new ProgramBuilder();
  const x = b.hbm('x', [2, 4], 'float32', 'input');
  const out = b.hbm('out', [2, 4], 'float32', 'output');
  const [tile, sum] = [b.sbuf('tile', [2, 4]), b.sbuf('sum', [2, 4], 'bfloat16')];
  b.record('nki.language.load', { dst: tile, src: x });
  b.record('nki.isa.activation', { dst: sum, data: tile }, { op: 'exp', scale: 1, reduce_cmd: 'idle' });
  b.record('nki.language.add', { dst: sum.slice(':', [2, 4]), x: sum.slice(':', [2, 4]), y: tile.slice(':', [2, 4]) });
  b.record('nki.language.store', { dst: out, value: sum });
  return b.finish();
}

const inputs = (tensor: number) => (tensor === 0 ? X : null);
const bf16 = (value: number) => {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >> 16) & 1)) & 0xffff0000;
  return new Float32Array(bits.buffer)[0];
};

describe('values of operands', () => {
  it('are what the instruction read and wrote, through its access patterns', () => {
    const execution = new Execution(program(), inputs);
    const { operation, operands } = execution.inspect(2);
    assert.equal(operation, 'nki.language.add');
    const shown = operands.map(({ name, moment, tensor, space, dtype, shape }) => [name, moment, tensor, space, dtype, shape.join()]);
    assert.deepEqual(shown, [
      ['x', 'before', 'sum', 'sbuf', 'bfloat16', '2,2'],
      ['y', 'before', 'tile', 'sbuf', 'float32', '2,2'],
      ['dst', 'after', 'sum', 'sbuf', 'bfloat16', '2,2'],
    ]);
    const right = [X[2], X[3], X[6], X[7]];
    const exp = right.map(value => bf16(Math.fround(Math.exp(value))));
    assert.deepEqual([...operands[1].values], right);
    for (const [i, value] of exp.entries()) assert.ok(Math.abs(operands[0].values[i] - value) <= value / 128, 'exp rounded to bfloat16');
    const sums = right.map((value, i) => bf16(operands[0].values[i] + value));
    assert.deepEqual([...operands[2].values], sums);
    assert.equal(operands[2].statistics.max, Math.max(...sums));
  });

  it('leave the execution as it was: its end is that of a run without a look', () => {
    const looked = new Execution(program(), inputs);
    for (let i = 0; i < 4; i++) looked.inspect(i);
    assert.throws(() => looked.inspect(1), RangeError);
    const plain = new Execution(program(), inputs);
    plain.run();
    assert.deepEqual([...looked.tensor(1)], [...plain.tensor(1)]);
  });

  it('show what was never written as not a number', () => {
    const b = new ProgramBuilder();
    const [from, to] = [b.sbuf('from', [1, 2]), b.sbuf('to', [1, 2])];
    b.record('nki.language.copy', { dst: to, x: from });
    const [read] = new Execution(b.output(to).finish(), () => null).inspect(0).operands;
    assert.deepEqual([...read.values], [Number.NaN, Number.NaN]);
    assert.deepEqual([read.statistics.nans, read.statistics.min, read.statistics.mean], [2, null, null]);
  });

  it('stop when asked to, and go on from there', () => {
    let stop = true;
    const execution = new Execution(program(), inputs, { shouldStop: () => stop });
    assert.throws(() => execution.inspect(3), /stopped/);
    stop = false;
    assert.equal(execution.inspect(3).operands.length, 2);
  });

  it('come through the container bit for bit', () => {
    const execution = new Execution(program(), inputs);
    const given = { instruction: 1, ...execution.inspect(1) };
    assert.deepEqual(decodeValues(encodeValues(given)), given);
  });

  it('have statistics of finite elements, and counts of the others', () => {
    const number = fc.oneof(
      fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e30, max: 1e30 }),
      fc.constantFrom(Number.NaN, 0, Number.NEGATIVE_INFINITY),
    );
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 50 }), list => {
        const values = Float32Array.from(list);
        const finite = [...values].filter(Number.isFinite);
        const s = statisticsOf(values);
        assert.deepEqual(
          [s.elements, s.nans, s.zeros],
          [values.length, [...values].filter(Number.isNaN).length, finite.filter(v => v === 0).length],
        );
        assert.equal(s.infinities, values.length - finite.length - s.nans);
        assert.ok(s.min === (finite.length > 0 ? Math.min(...finite) : null));
        assert.ok(s.mean === null || (s.mean >= s.min! && s.mean <= s.max!));
      }),
    );
  });
});
