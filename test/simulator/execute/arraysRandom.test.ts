/** Random streams against numbers that NumPy is known to print for a seed (its documentation and countless published sessions). */
import assert from 'node:assert/strict';
import { ArrayEngine } from '../../../src/simulator/execute/arrays';

type Draw = [op: string, attributes: Record<string, unknown>, dtype: string, count: number];

function draw(algorithm: string, seed: unknown, ...draws: Draw[]): number[][] {
  const engine = new ArrayEngine();
  const generator = engine.op('generator', [], { algorithm, seed }, 'uint32', [0]);
  const handles = draws.map(([op, attributes, dtype, count]) => engine.op(op, [], { ...attributes, generator }, dtype, [count]));
  return handles.map(handle => [...engine.values(handle)]);
}

const near = (actual: number[], expected: number[], digits = 8) =>
  assert.deepEqual(
    actual.map(x => x.toFixed(digits)),
    expected.map(x => x.toFixed(digits)),
  );

describe('arrays: random streams', () => {
  it('RandomState(0): rand', () =>
    near(draw('mt19937', '0', ['random.uniform', {}, 'float64', 3])[0], [0.5488135, 0.71518937, 0.60276338]));

  it('RandomState(42): rand', () =>
    near(draw('mt19937', '42', ['random.uniform', {}, 'float64', 3])[0], [0.37454012, 0.95071431, 0.73199394]));

  it('RandomState(0): randn, an odd count keeps the spare normal', () => {
    const [three, two] = draw('mt19937', '0', ['random.normal', {}, 'float64', 3], ['random.normal', {}, 'float64', 2]);
    near(three, [1.76405235, 0.40015721, 0.97873798]);
    near(two, [2.2408932, 1.86755799]);
  });

  it('RandomState(0): randint(0, 10)', () => {
    const ten = draw('mt19937', '0', ['random.integers', { low: 0, high: 9 }, 'int64', 10])[0];
    assert.deepEqual(ten, [5, 0, 3, 3, 7, 9, 3, 5, 2, 4]);
  });

  it('RandomState(42): randint(0, 100)', () => {
    const five = draw('mt19937', '42', ['random.integers', { low: 0, high: 99 }, 'int64', 5])[0];
    assert.deepEqual(five, [51, 92, 14, 71, 60]);
  });

  it('init_by_array: first words of the reference implementation for {0x123, 0x234, 0x345, 0x456}', () => {
    const words = draw('mt19937', [0x123, 0x234, 0x345, 0x456], ['random.integers', { low: 0, high: 0xffffffff }, 'uint32', 3])[0];
    assert.deepEqual(words, [1067595299, 955945823, 477289528]);
  });

  it('RandomState(0): permutation(10)', () => {
    const engine = new ArrayEngine();
    const generator = engine.op('generator', [], { algorithm: 'mt19937', seed: '0' }, 'uint32', [0]);
    const ten = engine.op('arange', [], { start: 0, step: 1 }, 'int64', [10]);
    const shuffled = engine.op('random.shuffle', [ten], { generator }, 'int64', [10]);
    assert.deepEqual([...engine.values(shuffled)], [2, 8, 4, 9, 1, 6, 7, 3, 0, 5]);
  });

  it('default_rng(0): random', () =>
    near(draw('pcg64', '0', ['random.uniform', {}, 'float64', 3])[0], [0.63696169, 0.26978671, 0.04097352]));

  it('default_rng(42): random', () =>
    near(draw('pcg64', '42', ['random.uniform', {}, 'float64', 3])[0], [0.77395605, 0.43887844, 0.85859792]));

  it('default_rng(0): standard_normal', () =>
    near(draw('pcg64', '0', ['random.normal', {}, 'float64', 3])[0], [0.12573022, -0.13210486, 0.64042265]));

  it('default_rng(42): standard_normal', () =>
    near(draw('pcg64', '42', ['random.normal', {}, 'float64', 4])[0], [0.30471708, -1.03998411, 0.7504512, 0.94056472]));

  it('default_rng(42): integers(0, 10)', () => {
    const ten = draw('pcg64', '42', ['random.integers', { low: 0, high: 9 }, 'int64', 10])[0];
    assert.deepEqual(ten, [0, 7, 6, 4, 4, 8, 0, 6, 2, 0]);
  });

  it('normals of the ziggurat have the moments of a normal, tail included', () => {
    const normals = draw('pcg64', '7', ['random.normal', {}, 'float64', 200_000])[0];
    const moment = (k: number) => normals.reduce((sum, x) => sum + x ** k, 0) / normals.length;
    assert.ok(Math.abs(moment(1)) < 0.01 && Math.abs(moment(2) - 1) < 0.015 && Math.abs(moment(4) - 3) < 0.15);
    // P(|x| > 3.654) is 2.58e-4: about 52 of them.
    const beyond = normals.filter(x => Math.abs(x) > 3.6541528853610088).length;
    assert.ok(beyond > 25 && beyond < 85, `${beyond} beyond the lowest strip`);
  });

  it('draws give the same numbers in whichever order they are asked for', () => {
    const engine = new ArrayEngine();
    const make = () => engine.op('generator', [], { algorithm: 'mt19937', seed: '5' }, 'uint32', [0]);
    const three = (generator: number) => [0, 1, 2].map(() => engine.op('random.normal', [], { generator }, 'float64', [3]));
    const [a, b, c] = three(make());
    const forward = [a, b, c].map(handle => [...engine.values(handle)]);
    const [x, y, z] = three(make());
    engine.free(y);
    const backward = [z, x].map(handle => [...engine.values(handle)]);
    assert.deepEqual(backward, [forward[2], forward[0]]);
  });

  it('every width of bounded integers stays in range and reaches both ends', () => {
    for (const algorithm of ['mt19937', 'pcg64'])
      for (const [dtype, low, high] of [
        ['int8', -3, 4],
        ['uint8', 0, 255],
        ['int16', -2, 2],
        ['uint32', 5, 9],
        ['bool', 0, 1],
        ['int64', -(2 ** 40), 2 ** 40],
      ] as const) {
        const values = draw(algorithm, '3', ['random.integers', { low, high }, dtype, 3000])[0];
        assert.ok(values.every(x => Number.isInteger(x) && x >= low && x <= high));
        const [least, most] = [Math.min(...values), Math.max(...values)];
        const slack = (high - low) / 100;
        assert.ok(least <= low + slack && most >= high - slack, `${algorithm} ${dtype}: ${least}..${most}`);
      }
  });
});
