/**
 * Dependences against brute force: on random programs, every pair of events that touches the same element (one of them
 * writing) must be ordered by the edges, program order of engines and queues included.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Compiled, FLOW, READ } from '../../../../src/simulator/compile/compiled';
import { Boxes } from '../../../../src/simulator/compile/dependencies/boxes';
import { CROWDED } from '../../../../src/simulator/compile/dependencies/regions';
import { isReordered } from '../../../../src/simulator/compile/order';
import { Patterns } from '../../../../src/simulator/compile/patterns';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { ENGINE_TRACKS } from '../../../../src/simulator/vocabulary/engines';
import { compileByPartition, compileInLeastSpace, randomParts } from '../../../support/partPrograms';
import { ProgramBuilder } from '../../../support/programs';
import { randomProgram } from '../../../support/randomPrograms';
import { compile, inOrder } from '../../../support/stages';

/** Elements a pattern touches, as flat numbers. */
function elements(p: Patterns, pattern: number): number[] {
  let result = [p.offset(pattern)];
  for (let d = 0; d < p.dims(pattern); d++)
    result = result.flatMap(e => Array.from({ length: p.countOf(pattern, d) }, (_, k) => e + k * p.strideOf(pattern, d)));
  return result;
}

interface Touch {
  instruction: number;
  event: number;
  lane: string;
  /** Byte cells `space:partition:byte-block`, or tensor elements in HBM. */
  low: number[];
  high: number[];
  key: string;
  writes: boolean;
}

/** Rows x columns boxes in memory: tiles of the random programs are slices of columns over all partitions. */
function touches(c: Compiled): Touch[] {
  const { patterns: p, accesses, instructions, allocation } = c;
  const count = instructions.track.length;
  const result: Touch[] = [];
  for (let i = 0; i < count; i++)
    for (let a = instructions.accessStart[i]; a < instructions.accessStart[i + 1]; a++) {
      const pattern = accesses.pattern[a];
      const tensor = p.tensor(pattern);
      const transfer = instructions.transfer[i];
      const hbm = allocation.addressBytes[tensor] < 0;
      const row = p.elementsPerPartition(tensor);
      const base = hbm ? 0 : allocation.addressBytes[tensor];
      const firstByte = (p.offset(pattern) % row) * p.bytesOf(pattern) + base;
      const partition = allocation.firstPartition[tensor] + p.firstPartition(pattern);
      result.push({
        instruction: i,
        event: transfer < 0 ? i : count + transfer,
        lane: transfer < 0 ? ENGINE_TRACKS[instructions.track[i]] : c.queues[c.transfers.queue[transfer]].name,
        key: hbm ? `hbm ${tensor}` : `${p.space(tensor)}`,
        low: [partition, firstByte],
        high: [partition + p.partitions(pattern), firstByte + p.freeElements(pattern) * p.bytesOf(pattern)],
        writes: accesses.role[a] !== READ,
      });
    }
  return result;
}

/** Events that must be over before each instruction starts: closure over edges and order within a lane. */
function before(c: Compiled): Set<number>[] {
  const count = c.instructions.track.length;
  const result: Set<number>[] = [];
  const rows = new Map<string, number[]>();
  const previous = new Map<number, number>();
  for (const stream of c.streams) for (let k = 1; k < stream.length; k++) previous.set(stream[k], stream[k - 1]);
  for (let i = 0; i < count; i++) if (c.instructions.transfer[i] < 0) rows.set(laneOf(c, i), [...(rows.get(laneOf(c, i)) ?? []), i]);
  const closure = (i: number): Set<number> => {
    if (result[i]) return result[i];
    // What was over when the stream's instruction before started, is over now; it may come later in the program.
    const before = previous.get(i);
    const set = new Set<number>(before === undefined ? [] : closure(before));
    for (let d = c.dependencies.start[i]; d < c.dependencies.start[i + 1]; d++) {
      const event = c.dependencies.event[d];
      // Engine rows complete in order: whatever the row did up to this event is over. Queues do not promise that.
      const row = event < count ? rows.get(laneOf(c, event))! : [event];
      for (const earlier of row.slice(0, row.indexOf(event) + 1)) {
        set.add(earlier);
        for (const e of closure(earlier < count ? earlier : c.transfers.trigger[earlier - count])) set.add(e);
      }
    }
    result[i] = set;
    return set;
  };
  for (let i = 0; i < count; i++) closure(i);
  return result;
}

function laneOf(c: Compiled, event: number): string {
  const count = c.instructions.track.length;
  return event < count ? ENGINE_TRACKS[c.instructions.track[event]] : c.queues[c.transfers.queue[event - count]].name;
}

const intersect = (a: Touch, b: Touch) => a.key === b.key && [0, 1].every(k => a.low[k] < b.high[k] && b.low[k] < a.high[k]);

describe('dependences', () => {
  /** @throws AssertionError where an access does not wait for an earlier one of the same bytes, one of the two a write. */
  function assertConflictsOrdered(c: Compiled) {
    const all = touches(c);
    const over = before(c);
    for (const [k, later] of all.entries())
      for (const earlier of all.slice(0, k)) {
        if (earlier.instruction === later.instruction || (!earlier.writes && !later.writes) || !intersect(earlier, later)) continue;
        if (earlier.lane === later.lane && earlier.event < c.instructions.track.length && later.writes) continue;
        assert.ok(over[later.instruction].has(earlier.event), `${later.instruction} does not wait for ${earlier.event} (${earlier.lane})`);
      }
  }

  it('order every conflicting pair of accesses, through reused addresses too', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), seed =>
        assertConflictsOrdered(compile(randomProgram(seed, 50, 'trn2', seed % 2 === 1))),
      ),
      { numRuns: 40, seed: 11 },
    );
  });

  it('order them where tensors have their places before the scheduler runs', () => {
    let [reordered, reused] = [0, 0];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
        const c = compileInLeastSpace({ ...randomParts(seed), literal: true, dialect: 'nki', nkiVersion: '0.3' });
        assertConflictsOrdered(c);
        if (isReordered(c)) reordered++;
        reused += c.allocation.reused.length;
        schedule(c);
      }),
      { numRuns: 20, seed: 13 },
    );
    assert.ok(reordered > 15 && reused > 300, `${reordered} in another order, ${reused} places used again`);
  });

  it('order them where tensors have the same bytes in other partitions, and make none wait for what comes later', () => {
    let [moved, takenOver] = [0, 0];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
        const c = compileByPartition(randomParts(seed));
        assertConflictsOrdered(c);
        const { firstPartition, firstUse, lastUse, reused, reuseStart } = c.allocation;
        moved += firstPartition.filter(first => first > 0).length;
        for (let t = 0; t < firstUse.length; t++)
          for (const earlier of reused.subarray(reuseStart[t], reuseStart[t + 1])) {
            assert.ok(lastUse[earlier] <= firstUse[t]);
            if (lastUse[earlier] === firstUse[t]) takenOver++;
          }
        schedule(c);
      }),
      { numRuns: 20, seed: 12 },
    );
    assert.ok(moved > 20 && takenOver > 5, `${moved} moved, ${takenOver} taken over`);
  });

  it('never make an instruction wait for one of another tensor or of other columns', () => {
    const b = new ProgramBuilder();
    const t = b.sbuf('t', [128, 256]);
    b.record('nki.isa.memset', { dst: t.slice(':', [0, 128]) }, { value: 0, engine: 'Vector' });
    b.record('nki.isa.memset', { dst: t.slice(':', [128, 256]) }, { value: 0, engine: 'GpSimd' });
    b.record('nki.isa.activation', { dst: b.sbuf('o', [128, 128]), data: t.slice(':', [128, 256]) }, { op: 'copy' });
    const { dependencies } = compile(b.finish());
    assert.deepEqual([...dependencies.event], [1]);
    assert.deepEqual([...dependencies.kind], [FLOW]);
  });

  interface Slice {
    first: number;
    step: number;
    count: number;
    engine: string;
  }

  /** Writes such columns of one tile in this order, and holds each to those before it that have a column in common. */
  function assertOrdered(slices: readonly Slice[], columns: number) {
    const b = new ProgramBuilder();
    const [t, from] = [b.sbuf('t', [128, columns]), b.sbuf('from', [128, columns])];
    for (const { first, step, count, engine } of slices) {
      const dst = t.slice(':', [first, first + step * (count - 1) + 1, step]);
      if (engine === 'Scalar') b.record('nki.isa.activation', { dst, data: from.slice(':', [0, count]) }, { op: 'copy' });
      else b.record('nki.isa.memset', { dst }, { value: 0, engine });
    }
    const over = before(compile(b.finish(), { policy: inOrder }));
    const touched = slices.map(({ first, step, count }) => new Set(Array.from({ length: count }, (_, k) => first + k * step)));
    for (const [later, mine] of touched.entries())
      for (const earlier of touched.keys()) {
        if (earlier >= later || slices[earlier].engine === slices[later].engine) continue;
        if ([...mine].some(column => touched[earlier].has(column))) assert.ok(over[later].has(earlier), `${later} before ${earlier}`);
      }
  }

  it('order accesses with gaps exactly when they meet', () => {
    const slice = fc.record({
      first: fc.integer({ min: 0, max: 5 }),
      step: fc.integer({ min: 1, max: 4 }),
      count: fc.integer({ min: 1, max: 5 }),
      engine: fc.constantFrom('Vector', 'GpSimd', 'Scalar'),
    });
    fc.assert(
      fc.property(fc.array(slice, { minLength: 2, maxLength: 10 }), slices => assertOrdered(slices, 24)),
      { numRuns: 300, seed: 17 },
    );
    const b = new ProgramBuilder();
    const t = b.sbuf('t', [128, 24]);
    for (const [k, engine] of ['Vector', 'GpSimd', 'Vector', 'GpSimd'].entries())
      b.record('nki.isa.memset', { dst: t.slice(':', [k, 24, 4]) }, { value: 0, engine });
    assert.equal(compile(b.finish()).dependencies.event.length, 0, 'columns in turn');
  });

  it('order accesses with gaps of which there are too many in one place to compare each', () => {
    const end = 1023;
    const over = (engine: string, first: number, step: number): Slice => {
      return { first, step, count: Math.floor((end - 1 - first) / step) + 1, engine };
    };
    // The second has no column in common with the others, but its box holds theirs: it takes the place of the first, for which the third has to wait.
    const last = [over('Scalar', 1, 2), over('Vector', 0, 2), over('GpSimd', 3, 2)];
    for (let crowd = CROWDED - 3; crowd <= CROWDED + 1; crowd++) {
      const earlier = Array.from({ length: crowd }, (_, k) => over('GpSimd', k % 16, 3 + Math.floor(k / 16)));
      assertOrdered([...earlier, ...last], end);
    }
  });

  it('keep tiles of one HBM matrix apart', () => {
    const b = new ProgramBuilder();
    const [tile, out] = [b.sbuf('t', [128, 128]), b.hbm('out', [512, 512], 'float32', 'output')];
    for (let k = 0; k < 16; k++) {
      const [row, column] = [Math.floor(k / 4) * 128, (k % 4) * 128];
      b.record('nki.isa.dma_copy', { dst: out.slice([row, row + 128], [column, column + 128]), src: tile });
    }
    assert.equal(compile(b.finish()).dependencies.event.length, 0);
  });
});

describe('boxes', () => {
  it('hold all elements of random patterns, and nothing more for slices', () => {
    const shape = [6, 5, 8];
    const size = 6 * 5 * 8;
    const dim = fc.record({ stride: fc.integer({ min: -50, max: 50 }), count: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: size - 1 }), fc.array(dim, { maxLength: 3 }), (offset, dims) => {
        const b = new ProgramBuilder();
        const tensor = b.hbm('x', shape, 'float32', 'output');
        const patterns = new Patterns(b.finish());
        const pattern = patterns.add(
          tensor.index,
          offset,
          dims.map(d => d.stride),
          dims.map(d => d.count),
        );
        const touched = elements(patterns, pattern);
        fc.pre(touched.every(e => e >= 0 && e < size));
        const boxes = new Boxes(patterns);
        const box = boxes.of(pattern);
        for (const e of touched) {
          const at = [Math.floor(e / 40), Math.floor(e / 8) % 5, e % 8];
          for (const [axis, coordinate] of at.entries())
            assert.ok(boxes.low(box + axis) <= coordinate && coordinate < boxes.high(box + axis), `${at} outside on axis ${axis}`);
        }
      }),
      { numRuns: 400, seed: 13 },
    );
  });

  it('are exact for slices', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [6, 5, 8], 'float32', 'output');
    b.record('nki.isa.memset', { dst: x.slice([2, 4], 3, [1, 7]) }, { value: 0 });
    const boxes = new Boxes(new Patterns(b.finish()));
    const row = boxes.of(0);
    assert.deepEqual(
      [0, 1, 2].map(k => [boxes.low(row + k), boxes.high(row + k)]),
      [
        [2, 4],
        [3, 4],
        [1, 7],
      ],
    );
  });
});
