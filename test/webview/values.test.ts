/** Operands as matrices: which element is where, what a pixel of a heat map means, where keys go. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OperandValues } from '../../src/simulator/profile/instructionValues';
import { contrast, luminance } from '../../src/webview/render/colour';
import { moved } from '../../src/webview/values/grid';
import { heatScale } from '../../src/webview/values/heatColours';
import { cellsOf, indexText, matrixOf, valueText } from '../../src/webview/values/matrix';

const operand = (shape: number[], values: ArrayLike<number>) => ({ shape, values: Float32Array.from(values) }) as unknown as OperandValues;
const numbers = (count: number) => Float32Array.from({ length: count }, (_, i) => i);

describe('operands as matrices', () => {
  it('have the first dimension down and all others across', () => {
    const matrix = matrixOf(operand([2, 3, 4], numbers(24)));
    assert.deepEqual([matrix.rows, matrix.columns], [2, 12]);
    assert.equal(indexText(matrix, 1, 7), '[1, 1, 3]');
    assert.deepEqual([matrixOf(operand([5], numbers(5))).rows, matrixOf(operand([5], numbers(5))).columns], [1, 5]);
    assert.equal(matrixOf(operand([], [7])).columns, 1);
  });

  it('become cells that cover every element once: their mean is that of the elements', () => {
    const sizes = fc.record({ rows: fc.integer({ min: 1, max: 20 }), columns: fc.integer({ min: 1, max: 50 }) });
    fc.assert(
      fc.property(sizes, sizes, ({ rows, columns }, most) => {
        const matrix = matrixOf(operand([rows, columns], numbers(rows * columns)));
        const { across, down, means } = cellsOf(matrix, most.columns, most.rows);
        assert.ok(across <= most.columns && down <= most.rows && means.length === across * down);
        const size = (k: number, cells: number, count: number) => Math.floor(((k + 1) * count) / cells) - Math.floor((k * count) / cells);
        let sum = 0;
        for (const [i, mean] of means.entries()) sum += mean * size(i % across, across, columns) * size(Math.floor(i / across), down, rows);
        const all = (rows * columns * (rows * columns - 1)) / 2;
        assert.ok(Math.abs(sum - all) < 1e-6 * Math.max(1, all));
      }),
    );
  });

  it('show one element that is not finite, however many a cell covers, and what was not handed on', () => {
    const values = numbers(10_000);
    values[4321] = Number.NaN;
    assert.equal(cellsOf(matrixOf(operand([100, 100], values)), 7, 5).means.filter(Number.isNaN).length, 1);
    assert.ok(Number.isNaN(cellsOf(matrixOf(operand([1, 10], numbers(9))), 10, 1).means[9]));
  });

  it('keep the cursor inside, wherever keys send it', () => {
    const key = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', '[', ']');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }), fc.array(key), (rows, columns, keys) => {
        const matrix = matrixOf(operand([rows, columns], numbers(rows * columns)));
        let cursor = { row: 0, column: 0 };
        for (const pressed of keys) cursor = moved(cursor, pressed, matrix, 8)!;
        assert.ok(cursor.row >= 0 && cursor.row < rows && cursor.column >= 0 && cursor.column < columns);
      }),
    );
    assert.equal(moved({ row: 0, column: 0 }, 'a', matrixOf(operand([1, 1], [0])), 8), null);
  });

  it('are written with as many digits as the dtype tells apart', () => {
    const third = Math.fround(1 / 3);
    assert.deepEqual(
      ['float32', 'float16', 'bfloat16', 'float8_e4m3'].map(dtype => valueText(third, dtype)),
      ['0.3333333', '0.33333', '0.3333', '0.333'],
    );
    assert.deepEqual(
      [valueText(Number.NaN, 'float32'), valueText(12345678, 'int32'), valueText(undefined, 'float32')],
      ['NaN', '12345678', '…'],
    );
  });
});

describe('colours of numbers', () => {
  const theme = { background: [30, 30, 30] as const, notFinite: [227, 119, 194] as const };

  it('of one sign get lighter with the number', () => {
    const { colour, bothSigns } = heatScale(2, 10, theme);
    const lightness = [2, 3, 4, 5, 6, 7, 8, 9, 10].map(value => luminance(colour(value)));
    assert.ok(!bothSigns && lightness.every((value, i) => i === 0 || value > lightness[i - 1]), lightness.join());
  });

  it('of both signs stand away from the background on both sides, and from each other by more than red and green', () => {
    for (const background of [
      [30, 30, 30],
      [255, 255, 255],
      [0, 0, 0],
    ] as const) {
      const { colour } = heatScale(-4, 2, { ...theme, background });
      assert.deepEqual(colour(0).map(Math.round), background);
      assert.ok(contrast(colour(-4), background) > 2.5 && contrast(colour(2), background) > 1.8, background.join());
      assert.ok(Math.abs(colour(-4)[2] - colour(4)[2]) > 100, 'they differ in blue');
    }
  });

  it('that are not finite have their own, and a constant has one', () => {
    assert.deepEqual(heatScale(0, 1, theme).colour(Number.NaN), theme.notFinite);
    assert.ok(heatScale(3, 3, theme).colour(3).every(Number.isFinite));
  });
});
