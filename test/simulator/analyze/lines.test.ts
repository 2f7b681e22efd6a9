import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lines } from '../../../src/simulator/analyze/lines';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

/** Busy time of a line on a track by painting nanoseconds: the slow truth. */
function paintedBusyNs(p: Profile, line: number, track: string): number {
  const painted = new Set<number>();
  p.instructions.startNs.forEach((start, i) => {
    if (p.frames.line[p.instructions.frame[i]] !== line || p.tracks[p.instructions.track[i]].name !== track) return;
    for (let t = start; t < p.instructions.endNs[i]; t++) painted.add(t);
  });
  return painted.size;
}

describe('lines', () => {
  it('gives no time to a line that only overlaps with something longer', () => {
    const p = tinyProfile({
      events: [
        { line: 3, track: 'Vector', ready: 0, start: 0, end: 1000 },
        { line: 4, track: 'Scalar', ready: 0, start: 0, end: 900 },
        { line: 5, track: 'GpSimd', ready: 0, start: 1000, end: 1100, stall: 'data', blocker: 0 },
      ],
    });
    const byLine = new Map(lines(p).map(l => [l.line, l]));
    assert.deepEqual(
      [3, 4, 5].map(n => byLine.get(n)!.timeNs),
      [1000, 0, 100],
    );
    assert.equal(byLine.get(4)!.engines['Scalar'], 900);
    assert.deepEqual(byLine.get(5)!.stalls, { data: 1000 });
    assert.deepEqual(
      lines(p).map(l => l.line),
      [3, 5, 4],
      'hottest first',
    );
  });

  it('counts a DMA for its line: bytes, transfers, busy time, and the wait of others for it', () => {
    const p = tinyProfile({
      events: [{ line: 4, track: 'Scalar', ready: 0, start: 1900, end: 2000, stall: 'dma', blocker: 1 }],
      dmas: [{ line: 2, ready: 0, start: 1300, end: 1500, done: 1850, bytes: 4096, stall: 'descriptor' }],
      source: 'one\n  two(x)  \nthree\nfour\n',
    });
    const [load, use] = lines(p);
    assert.deepEqual(load, {
      file: '/kernels/tiled.py',
      line: 2,
      text: 'two(x)',
      instructions: 0,
      transfers: 1,
      iterations: 0,
      timeNs: 1850,
      share: 0.925,
      engines: { DMA: 200 },
      stalls: { descriptor: 1300 },
      dmaBytes: 4096,
    });
    assert.equal(use.timeNs, 150);
    assert.deepEqual(use.stalls, { dma: 1900 });
  });

  it('adds callers when asked, once each under recursion', () => {
    const p = tinyProfile({
      events: [
        { line: [9, 4], track: 'Vector', ready: 0, start: 0, end: 10 },
        { line: [9, 5], track: 'Vector', ready: 10, start: 10, end: 30 },
        { line: [9, 9, 5], track: 'Vector', ready: 30, start: 30, end: 60 },
      ],
    });
    const time = (attribute: 'leaf' | 'callers') =>
      Object.fromEntries(lines(p, { attribute }).map(l => [l.line, [l.timeNs, l.instructions]]));
    assert.deepEqual(time('leaf'), { 9: [60, 3] });
    assert.deepEqual(time('callers'), { 9: [60, 3], 5: [50, 2], 4: [10, 1] });
  });

  it('keeps shares within 1, counts every event once and sums waits and bytes exactly, on any profile', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), (size, seed) => {
        const p = syntheticProfile(size, seed);
        const table = lines(p);
        assert.ok(sum(table.map(l => l.share)) <= 1 + 1e-9);
        assert.equal(sum(table.map(l => l.instructions)), size);
        assert.equal(sum(table.map(l => l.transfers)), p.transfers.startNs.length);
        assert.equal(sum(table.map(l => l.dmaBytes)), sum([...p.transfers.bytes]));
        const waits = [p.instructions, p.transfers].flatMap(e => Array.from(e.startNs, (t, i) => (e.stall[i] ? t - e.readyNs[i] : 0)));
        assert.ok(near(sum(table.flatMap(l => Object.values(l.stalls))), sum(waits)));
      }),
      { seed: 7, numRuns: 50 },
    );
  });

  it('takes busy time as a union, also when rows are not in start order', () => {
    const event = fc.record({ line: fc.integer({ min: 2, max: 4 }), start: fc.nat(60), length: fc.nat(30), scalar: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 20 }), events => {
        const p = tinyProfile({
          events: events.map(e => ({
            line: e.line,
            track: e.scalar ? 'Scalar' : 'Vector',
            ready: e.start,
            start: e.start,
            end: e.start + e.length,
          })),
        });
        for (const l of lines(p))
          for (const track of ['Scalar', 'Vector']) assert.equal(l.engines[track] ?? 0, paintedBusyNs(p, l.line, track));
      }),
      { seed: 9, numRuns: 200 },
    );
  });

  it('of a range: only what happens in it, and shares of it', () => {
    const p = syntheticProfile(500, 4);
    const [start, end] = [p.bodyStartNs, p.bodyEndNs];
    const cut = start + (end - start) / 3;
    // Engines are busy a little before and after the body.
    const parts = [{ startNs: start - 1e9, endNs: cut }, { startNs: cut, endNs: end + 1e9 }, undefined];
    const [head, tail, all] = parts.map(range => new Map(lines(p, { range }).map(l => [`${l.file}:${l.line}`, l])));
    for (const [place, line] of all) {
      const both = [head.get(place), tail.get(place)];
      assert.ok(near(line.timeNs, sum(both.map(part => part?.timeNs ?? 0))), place);
      assert.ok(near(line.engines['Vector'] ?? 0, sum(both.map(part => part?.engines['Vector'] ?? 0))), place);
    }
    assert.ok(sum(lines(p, { range: { startNs: start, endNs: cut } }).map(l => l.share)) <= 1 + 1e-9);
    assert.deepEqual(lines(p, { range: { startNs: start - 2e9, endNs: start - 1e9 } }), []);
  });

  it('counts the loop iterations of a line', () => {
    const p = syntheticProfile(300, 5);
    const distinct = new Map<number, Set<number>>();
    for (const { iteration, frame } of [p.instructions, p.transfers])
      iteration.forEach((value, row) => {
        const line = p.frames.line[frame[row]];
        if (value >= 0) distinct.set(line, (distinct.get(line) ?? new Set()).add(value));
      });
    const counted = lines(p);
    assert.ok(counted.some(l => l.iterations > 1));
    for (const l of counted) assert.ok(l.iterations <= (distinct.get(l.line)?.size ?? 0));
  });
});
