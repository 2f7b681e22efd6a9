import assert from 'node:assert/strict';
import type { AttributeValue } from '../../../../src/simulator/program/program';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { assertUlps, random, valuesOf } from '../../../support/values';

/**
 * In units in the last place, for 512 elements. The sum of n positive float32 numbers, one after the other, is off by
 * sqrt(n) / 2 units typically and n / 2 at worst. Softmax adds 8 for `x - max` of magnitude 8 to 16 (2^-21 at most).
 */
const ULPS = { softmax: 32, norm: 16 };

const softmaxOf = (row: number[]) => {
  const total = row.reduce((sum, x) => sum + Math.exp(x), 0);
  return row.map(x => Math.exp(x) / total);
};

const rmsOf = (row: number[], w: number[], epsilon: number) => {
  const scale = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0) / row.length + epsilon);
  return row.map((x, i) => (x / scale) * w[i]);
};

const rowsOf = (values: number[], run: number) =>
  Array.from({ length: values.length / run }, (_, r) => values.slice(r * run, (r + 1) * run));

function run(
  row: string,
  shape: number[],
  attributes: Record<string, AttributeValue>,
  values: number[],
  w?: { shape: number[]; values: number[] },
) {
  const b = new ProgramBuilder();
  const x = b.hbm('x', shape, 'float32', 'input');
  const dst = b.sbuf('dst', shape);
  const inputs = new Map<Tensor, number[]>([[x, values]]);
  const weights = w && b.hbm('w', w.shape, 'float32', 'input');
  if (weights) inputs.set(weights, w.values);
  b.record(row, weights ? { dst, x, w: weights } : { dst, x }, attributes);
  return valuesOf(b, dst, inputs);
}

describe('softmax', () => {
  it('is the closed form, row by row', () => {
    const values = random(91, 8 * 512, 'float32', -6, 6);
    assertUlps(run('nki.language.softmax', [8, 512], { axis: [1] }, values), rowsOf(values, 512).flatMap(softmaxOf), ULPS.softmax);
  });

  it('over several last axes, and over the last of several', () => {
    const values = random(92, 2 * 3 * 20);
    assertUlps(run('nki.language.softmax', [2, 3, 20], { axis: [1, 2] }, values), rowsOf(values, 60).flatMap(softmaxOf), ULPS.softmax);
    assertUlps(run('nki.language.softmax', [2, 3, 20], { axis: [2] }, values), rowsOf(values, 20).flatMap(softmaxOf), ULPS.softmax);
  });

  it('does not overflow', () => {
    assert.deepEqual(run('nki.language.softmax', [1, 2], { axis: [1] }, [1000, 1000]), [0.5, 0.5]);
  });

  it('compute_dtype rounds what is between', () => {
    const values = random(93, 64);
    const narrow = run('nki.language.softmax', [1, 64], { axis: [1], compute_dtype: 'bfloat16' }, values);
    const [exact] = [softmaxOf(values)];
    assert.notDeepEqual(narrow, run('nki.language.softmax', [1, 64], { axis: [1] }, values));
    // three roundings to 8 bits of mantissa
    for (const [i, x] of narrow.entries()) assert.ok(Math.abs(x / exact[i] - 1) < 3 * 2 ** -8);
  });

  it('refuses axes that are not the last', () => {
    assert.throws(
      () => run('nki.language.softmax', [1, 2, 2], { axis: [1] }, [1, 2, 3, 4]),
      /axis 1 are not the last dimensions of \[1,2,2\]/,
    );
  });
});

describe('rms_norm', () => {
  const values = random(94, 8 * 512);
  it('is the closed form, with weights for each row or one row of weights for all', () => {
    const row = random(95, 512);
    const want = rowsOf(values, 512).flatMap(x => rmsOf(x, row, 1e-6));
    const attributes = { axis: [1], n: 512 };
    assertUlps(run('nki.language.rms_norm', [8, 512], attributes, values, { shape: [1, 512], values: row }), want, ULPS.norm);
    const every = { shape: [8, 512], values: Array(8).fill(row).flat() };
    assertUlps(run('nki.language.rms_norm', [8, 512], attributes, values, every), want, ULPS.norm);
  });

  it('epsilon keeps zeros from dividing', () => {
    const ones = { shape: [1, 4], values: [1, 1, 1, 1] };
    assert.deepEqual(run('nki.language.rms_norm', [1, 4], { axis: [1], n: 4, epsilon: 0.25 }, [0, 0, 0, 0], ones), [0, 0, 0, 0]);
    assertUlps(run('nki.language.rms_norm', [1, 4], { axis: [1], n: 4, epsilon: 0.75 }, [1, 0, 0, 0], ones), [1, 0, 0, 0], 1);
  });
});
