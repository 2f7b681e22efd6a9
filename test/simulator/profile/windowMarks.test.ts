import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lane, timeColumns } from '../../../src/simulator/profile/lane';
import { Marks, visibleMarks, visibleRows } from '../../../src/simulator/profile/windowMarks';

/** Gap before, wait within the gap, length. */
const anyLane = fc
  .array(
    fc.tuple(
      fc.double({ min: 0, max: 40, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 30, noNaN: true }),
    ),
    {
      minLength: 1,
      maxLength: 200,
    },
  )
  .map(parts => {
    let now = 0;
    const [readyNs, startNs, endNs] = [0, 1, 2].map(() => new Float64Array(parts.length));
    for (const [i, [gap, share, length]] of parts.entries()) {
      startNs[i] = now + gap;
      readyNs[i] = now + gap * share;
      endNs[i] = startNs[i] + length;
      now = endNs[i];
    }
    return new Lane(timeColumns({ readyNs, startNs, endNs }), Uint32Array.from(parts.keys()), 0);
  });
const anyView = fc.record({
  startNs: fc.double({ min: 0, max: 4000, noNaN: true }),
  length: fc.double({ min: 1, max: 8000, noNaN: true }),
  widthPx: fc.integer({ min: 1, max: 500 }),
});

const bruteVisible = (lane: Lane, from: number, to: number) => [...lane.ids()].filter(i => lane.startNs(i) < to && lane.endNs(i) >= from);

describe('profile/windowMarks', () => {
  const marks = new Marks();

  it('counts every visible event exactly once, whatever the zoom', () => {
    fc.assert(
      fc.property(anyLane, anyView, (lane, { startNs, length, widthPx }) => {
        const view = { startNs, endNs: startNs + length, widthPx };
        visibleMarks(lane, view, marks);
        const seen: number[] = [];
        for (let i = 0; i < marks.length; i++) for (let k = 0; k < marks.count[i]; k++) seen.push(marks.first[i] + k);
        const visible = bruteVisible(lane, view.startNs, view.endNs);
        const beyond = seen.filter(row => !visible.includes(row));
        assert.deepEqual(
          seen.filter(row => visible.includes(row)),
          visible,
        );
        // only the event whose wait reaches into the view may be added
        assert.ok(beyond.length <= 1 && beyond.every(row => lane.startNs(row) - lane.leadNs(row) < view.endNs));
      }),
    );
  });

  it('makes at most about one mark per pixel, merges only narrow events of one column, and names the longest', () => {
    fc.assert(
      fc.property(anyLane, anyView, (lane, { startNs, length, widthPx }) => {
        const view = { startNs, endNs: startNs + length, widthPx };
        const nsPerPx = length / widthPx;
        visibleMarks(lane, view, marks);
        assert.ok(marks.length <= widthPx * 2 + 3);
        for (let i = 0; i < marks.length; i++) {
          const rows = Array.from({ length: marks.count[i] }, (_, k) => marks.first[i] + k);
          const lengths = rows.map(row => lane.endNs(row) - lane.startNs(row));
          assert.equal(lane.endNs(marks.longest[i]) - lane.startNs(marks.longest[i]), Math.max(...lengths));
          if (rows.length === 1) continue;
          assert.ok(lengths.every(ns => ns < nsPerPx));
          assert.equal(new Set(rows.map(row => Math.floor(lane.startNs(row) / nsPerPx + 1e-9))).size, 1);
        }
      }),
    );
  });

  it('groups the same way after a pan', () => {
    fc.assert(
      fc.property(anyLane, fc.integer({ min: 1, max: 50 }), (lane, byPx) => {
        const grouping = (startNs: number) => {
          visibleMarks(lane, { startNs, endNs: startNs + 1000, widthPx: 100 }, marks);
          return new Map(Array.from({ length: marks.length }, (_, i) => [marks.first[i], marks.count[i]]));
        };
        const before = grouping(0);
        const after = grouping(byPx * 10);
        const [, end] = visibleRows(lane, 0, 1000);
        const [from] = visibleRows(lane, byPx * 10, byPx * 10 + 1000);
        // groups cut by an edge may differ; those inside both windows may not
        const inside = [...after].filter(([first, count]) => first > from + 1 && first + count < end - 1);
        for (const [first, count] of inside) if (before.has(first)) assert.equal(before.get(first), count);
      }),
    );
  });
});
