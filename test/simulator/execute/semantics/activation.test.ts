import assert from 'node:assert/strict';
import type { AttributeValue, Predicate } from '../../../../src/simulator/program/program';
import { type Operand, ProgramBuilder } from '../../../support/programs';
import { assertUlps, executed, random, valuesOf } from '../../../support/values';

const values = random(81, 12, 'float32', -3, 3);

function activated(
  row: string,
  attributes: Record<string, AttributeValue>,
  operands: Record<string, number[]> = {},
  from = values,
): number[] {
  const b = new ProgramBuilder();
  const x = b.hbm('x', [3, 4], 'float32', 'input');
  const dst = b.sbuf('dst', [3, 4]);
  const given: Record<string, Operand> = { dst, [row.includes('.isa.') ? 'data' : 'x']: x };
  const inputs = new Map([[x, from]]);
  for (const [name, column] of Object.entries(operands)) {
    const tensor = b.hbm(name, [3, 1], 'float32', 'input');
    inputs.set(tensor, column);
    given[name] = tensor;
  }
  b.record(row, given, attributes);
  return valuesOf(b, dst, inputs);
}

describe('activation', () => {
  it('exp is e^x to the last bit but half', () => {
    assertUlps(activated('nki.language.exp', {}), values.map(Math.exp), 0.5);
  });

  it('scales, then adds the bias; numbers or one value per partition', () => {
    const at = (i: number) => Math.floor(i / 4);
    const numbers = activated('nki.isa.activation', { op: 'copy', scale: 2, bias: 0.5 });
    assert.deepEqual(
      numbers,
      values.map(x => Math.fround(Math.fround(x * 2) + 0.5)),
    );
    const [scale, bias] = [
      [1, -2, 0.5],
      [10, 20, 30],
    ];
    const columns = activated('nki.isa.activation', { op: 'relu' }, { scale, bias });
    assert.deepEqual(
      columns,
      values.map((x, i) => Math.max(0, Math.fround(Math.fround(x * scale[at(i)]) + bias[at(i)]))),
    );
  });

  it('rows with fixed attributes: cos, negative, reciprocal', () => {
    // the rounding of x + pi/2, and of pi/2 itself: near the zeros of cos they are all that is left
    for (const [i, x] of activated('nki.language.cos', {}).entries()) assert.ok(Math.abs(x - Math.cos(values[i])) < 3.5e-7);
    assert.deepEqual(
      activated('nki.language.negative', {}),
      values.map(x => -x),
    );
    assertUlps(
      activated('nki.isa.reciprocal', {}),
      values.map(x => 1 / x),
      0.5,
    );
  });

  it('is exact for the masked tail of a tile: 250 rows in tiles of 128', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [250, 8], 'float32', 'input');
    const out = b.hbm('out', [250, 8], 'float32', 'output');
    const tile = b.sbuf('tile', [128, 8]);
    for (const [start, stop] of [
      [0, 128],
      [128, 250],
    ]) {
      const rows = tile.slice([0, stop - start]);
      b.record('nki.language.load', { dst: rows, src: x.slice([start, stop]) });
      b.record('nki.language.exp', { dst: rows, x: rows });
      b.record('nki.language.store', { dst: out.slice([start, stop]), value: rows });
    }
    const from = random(82, 2000);
    assertUlps(valuesOf(b, out, new Map([[x, from]])), from.map(Math.exp), 0.5);
  });
});

describe('reduction after activation', () => {
  function reducing(commands: Record<string, AttributeValue>[], options: { predicate?: Predicate; row?: string } = {}) {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [3, 4], 'float32', 'input');
    const [dst, sums] = [b.sbuf('dst', [3, 4]), b.sbuf('sums', [3, 1])];
    for (const attributes of commands)
      b.record(options.row ?? 'nki.isa.activation', { dst, data: x, reduce_res: sums }, { op: 'copy', ...attributes }, options);
    const whole = Array.from({ length: 12 }, (_, i) => i - 5);
    return [...executed(b, new Map([[x, whole]])).tensor(sums.index)];
  }

  const once = [-14, 2, 18];
  it('reset_reduce starts anew, reduce adds, idle keeps, reset clears', () => {
    assert.deepEqual(reducing([{ reduce_cmd: 'reset_reduce' }]), once);
    assert.deepEqual(
      reducing([{ reduce_cmd: 'reset_reduce' }, { reduce_cmd: 'reduce' }]),
      once.map(x => 2 * x),
    );
    assert.deepEqual(reducing([{ reduce_cmd: 'reset_reduce' }, { reduce_cmd: 'reset_reduce' }]), once);
    assert.deepEqual(reducing([{ reduce_cmd: 'reset_reduce' }, { reduce_cmd: 'idle' }]), once);
    assert.deepEqual(reducing([{ reduce_cmd: 'reset_reduce' }, { reduce_cmd: 'reset' }]), [0, 0, 0]);
  });

  it('activation_reduce is activation with reset_reduce; a maximum does not meet the 0 of the reset', () => {
    const row = 'nki.isa.activation_reduce';
    assert.deepEqual(reducing([{ reduce_op: 'add' }], { row }), once);
    assert.deepEqual(reducing([{ reduce_op: 'maximum', scale: 1, bias: -20 }], { row }), [-22, -18, -14]);
  });

  it('leaves out what the predicate leaves out', () => {
    const predicate = { terms: [{ coefficients: [0, -1], constant: 1 }] };
    assert.deepEqual(reducing([{ reduce_cmd: 'reset_reduce' }], { predicate }), [-9, -1, 7]);
  });

  it('registers belong to partitions: two halves of a tile are read together', () => {
    const b = new ProgramBuilder();
    const x = b.sbuf('x', [4, 2]);
    const sums = b.sbuf('sums', [4, 1]);
    b.record('nki.language.ones', { dst: x });
    b.record('nki.isa.activation', { dst: x.slice([0, 2]), data: x.slice([0, 2]) }, { op: 'copy', reduce_cmd: 'reset_reduce' });
    b.record('nki.isa.activation', { dst: x.slice([2, 4]), data: x.slice([2, 4]) }, { op: 'copy', scale: 3, reduce_cmd: 'reduce' });
    b.record('nki.isa.activation', { dst: x, data: x, reduce_res: sums }, { op: 'copy', reduce_cmd: 'idle' });
    assert.deepEqual(valuesOf(b, sums), [2, 2, 6, 6]);
  });
});
