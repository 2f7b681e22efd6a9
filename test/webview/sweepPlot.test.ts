/** Places of points and cells of a sweep's plots. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SweepRow, SweptValue } from '../../src/webview/protocol/sweep';
import { fastestOf, parameterField, shownRows, TIME } from '../../src/webview/sweep/model';
import { heatCells, plotAxis, valuesOf } from '../../src/webview/sweep/plotModel';

const row = (index: number, parameters: Record<string, SweptValue>, totalTimeNs: number | null): SweepRow => ({
  ...{
    index,
    parameters,
    totalTimeNs,
    likelyNs: null,
    bound: totalTimeNs === null ? null : 'DMA',
    instructions: 1,
    sbufPeakBytes: 0,
    psumPeakBytes: 0,
  },
  error: totalTimeNs === null ? 'k.py:3: no room' : null,
});
const SHOWN = { filter: '', onlyStarred: false, onlyRunning: false, stars: new Set<number>() };

describe('plots of a sweep', () => {
  const rows = [row(0, { a: 2, b: 'x' }, 30), row(1, { a: 10, b: 'x' }, 10), row(2, { a: 2, b: 'y' }, 20), row(3, { a: 10, b: 'y' }, null)];
  const [a, b] = ['a', 'b'].map(parameterField);

  it('put values of a parameter at equal distances, in their order', () => {
    const axis = plotAxis(a, rows);
    assert.deepEqual(axis.ticks, [
      { at: 0.25, text: '2' },
      { at: 0.75, text: '10' },
    ]);
    assert.deepEqual(valuesOf(b, rows), ['x', 'y']);
    assert.deepEqual(valuesOf({ ...a, of: ({ index }) => [null, 'z', 3, true][index] }, rows), [3, null, true, 'z']);
  });

  it('put times at their distances, all inside the plot', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 30 }), times => {
        const own = times.map((timeNs, k) => row(k, {}, timeNs));
        const axis = plotAxis(TIME, own);
        const places = own.map(each => axis.placeOf(each)!);
        assert.ok([...places, ...axis.ticks.map(({ at }) => at)].every(at => at >= 0 && at <= 1));
        for (let k = 1; k < times.length; k++) if (times[k] > times[k - 1]) assert.ok(places[k] >= places[k - 1]);
      }),
      { seed: 21, numRuns: 200 },
    );
    assert.equal(plotAxis(TIME, rows).placeOf(rows[3]), null);
  });

  it('have the fastest point of each cell, and no cell where nothing runs', () => {
    const more = [...rows, row(4, { a: 2, b: 'x' }, 15)];
    const cells = heatCells(more, [a, b], TIME);
    assert.deepEqual(
      cells.map(({ column, line, row: { index }, share }) => [column, line, index, share]),
      [
        [0, 0, 4, 0.5],
        [1, 0, 1, 0],
        [0, 1, 2, 1],
      ],
    );
  });

  it('show rows that have all words, stars, or run', () => {
    const shown = (limits: Partial<typeof SHOWN>) => shownRows(rows, { ...SHOWN, ...limits }).map(({ index }) => index);
    assert.deepEqual(shown({ filter: 'a=2 B=Y' }), [2]);
    assert.deepEqual(shown({ filter: 'no room' }), [3]);
    assert.deepEqual(shown({ onlyRunning: true }), [0, 1, 2]);
    assert.deepEqual(shown({ onlyStarred: true, stars: new Set([3]) }), [3]);
    assert.equal(fastestOf(rows)?.index, 1);
    assert.equal(fastestOf([rows[3]]), null);
  });
});
