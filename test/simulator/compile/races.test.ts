/** Data races between two cores: which accesses are ordered, which elements two walks share, and what is said on which lines. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { overlap, runsOf } from '../../../src/simulator/compile/dependencies/walkOverlap';
import { Patterns } from '../../../src/simulator/compile/patterns';
import type { Check } from '../../../src/simulator/profile/profile';
import { simulateCores } from '../../../src/simulator/simulate';
import { type Operand, ProgramBuilder, type Tensor } from '../../support/programs';

type Body = (b: ProgramBuilder, core: number, shared: Tensor, tile: Tensor) => number[];

/** What is said of a kernel on two cores; lines are the k-th call's `10 * (core + 1) + k`, unless the body gives others. */
function said(body: Body): Check[] {
  const recorded = [0, 1].map(core => {
    const b = new ProgramBuilder();
    for (const line of LINES) b.record('nki.isa.memset', { dst: b.sbuf(`unused ${line}`, [1, 1]) }, { value: 0 }, { line });
    const shared = b.hbm('shared', [256, 512]);
    const tile = b.sbuf('tile', [128, 512]);
    return { coreBarriers: body(b, core, shared, tile), program: b.finish() };
  });
  const run = simulateCores(
    recorded.map(({ program }) => program),
    { verified: null, coreBarriers: recorded.map(({ coreBarriers }) => coreBarriers) },
  );
  return run.checks.filter(({ message }) => /data race/.test(message));
}

/** Programs of one recording have the same frames. */
const LINES = [10, 11, 12, 20, 21, 22];

const store = (b: ProgramBuilder, to: Operand, tile: Tensor, line: number) =>
  b.record('nki.isa.dma_copy', { dst: to, src: tile }, {}, { line });
const load = (b: ProgramBuilder, tile: Tensor, from: Operand, line: number) =>
  b.record('nki.isa.dma_copy', { dst: tile, src: from }, {}, { line });
const barrier = (b: ProgramBuilder, data: Tensor, line: number, engine = 'gpsimd') =>
  b.record('nki.isa.core_barrier', { data }, { cores: [0, 1], engine }, { line });

describe('data races between cores', () => {
  const halves = (core: number): [number, number] => [128 * core, 128 * (core + 1)];

  it('one writes what the other reads, with nothing in between: on both lines', () => {
    const checks = said((b, core, shared, tile) => {
      if (core === 0) store(b, shared.slice([0, 128]), tile, 10);
      else load(b, tile, shared.slice([64, 192]), 20);
      return [];
    });
    assert.deepEqual(
      checks.map(({ severity, line }) => [severity, line]),
      [
        ['warning', 10],
        ['warning', 20],
      ],
    );
    assert.match(checks[0].message, /^core 0 writes shared here and core 1 reads the same elements on line 20, and nothing orders the two/);
    assert.match(checks[1].message, /^core 1 reads shared here and core 0 writes the same elements on line 10, /);
  });

  it('both write the same: said once where it is one line', () => {
    const checks = said((b, _, shared, tile) => {
      store(b, shared.slice([0, 128]), tile, 10);
      return [];
    });
    assert.deepEqual(
      checks.map(({ line }) => line),
      [10],
    );
    assert.match(checks[0].message, /^core 0 writes shared here and core 1 writes the same elements here, too, /);
  });

  it('each its own half, or every second row: nothing to say', () => {
    const apart = said((b, core, shared, tile) => {
      store(b, shared.slice(halves(core)), tile, 10);
      return [];
    });
    const alternating = said((b, core, shared, tile) => {
      b.record('nki.isa.dma_copy', { dst: shared.slice([core, 256, 2]), src: tile }, {}, { line: 10 });
      return [];
    });
    assert.deepEqual([...apart, ...alternating], []);
  });

  it('both read: nothing to say', () => {
    const checks = said((b, _, shared, tile) => {
      load(b, tile, shared.slice([0, 128]), 10);
      return [];
    });
    assert.deepEqual(checks, []);
  });

  it('a barrier on the tensor orders what is before it with what is after it, on any engine', () => {
    for (const engine of ['gpsimd', 'vector', 'sync']) {
      const checks = said((b, core, shared, tile) => {
        store(b, shared.slice(halves(core)), tile, 10);
        const wait = barrier(b, shared, 11, engine);
        load(b, tile, shared.slice(halves(1 - core)), 12);
        return [wait];
      });
      assert.deepEqual(checks, [], engine);
    }
  });

  it('a barrier on another tensor orders nothing of this one', () => {
    const checks = said((b, core, shared, tile) => {
      const other = b.hbm('other', [1, 1]);
      store(b, shared.slice(halves(core)), tile, 10);
      const wait = barrier(b, other, 11);
      const fresh = b.sbuf('fresh', [128, 512]);
      load(b, fresh, shared.slice(halves(1 - core)), 12);
      return [wait];
    });
    assert.deepEqual(
      checks.map(({ line }) => line),
      [10, 12],
    );
  });

  it('what is written again after the barrier is a race with what the other reads after it', () => {
    const checks = said((b, core, shared, tile) => {
      store(b, shared.slice(halves(core)), tile, 10);
      const wait = barrier(b, shared, 11);
      if (core === 0) load(b, tile, shared.slice([128, 256]), 12);
      else store(b, shared.slice([128, 256]), tile, 22);
      return [wait];
    });
    assert.deepEqual(
      checks.map(({ line }) => line),
      [12, 22],
    );
  });
});

describe('walks through one tensor', () => {
  it('share an element when their sets of elements do', () => {
    const walk = fc.record({
      offset: fc.integer({ min: 0, max: 200 }),
      dims: fc.array(fc.tuple(fc.integer({ min: -9, max: 40 }), fc.integer({ min: 1, max: 6 })), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(walk, walk, (a, b) => {
        const program = new ProgramBuilder();
        program.hbm('x', [4096]);
        const patterns = new Patterns(program.finish());
        const runs = [a, b].map(
          ({ offset, dims }) =>
          runsOf(patterns, patterns.add(0, offset + 1000, dims.map(([stride]) => stride), dims.map(([, count]) => count))!), // biome-ignore format: one thought
        );
        const elements = [a, b].map(({ offset, dims }) =>
          dims.reduce((all, [stride, count]) => all.flatMap(x => Array.from({ length: count }, (_, k) => x + k * stride)), [offset + 1000]),
        );
        const theirs = new Set(elements[1]);
        assert.equal(
          overlap(runs[0]!, runs[1]!),
          elements[0].some(x => theirs.has(x)),
        );
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
