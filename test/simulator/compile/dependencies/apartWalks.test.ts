/** Access patterns that share no element, against the elements themselves. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FLOW } from '../../../../src/simulator/compile/compiled';
import { ApartWalks } from '../../../../src/simulator/compile/dependencies/apartWalks';
import { Patterns } from '../../../../src/simulator/compile/patterns';
import { ProgramBuilder } from '../../../support/programs';
import { compile, inOrder } from '../../../support/stages';

type Walk = [stride: number, count: number][];

const SIZE = 4096;

function patternsOf(...walks: { offset: number; walk: Walk }[]): { patterns: Patterns; numbers: number[] } {
  const b = new ProgramBuilder({ target: 'trn2', literal: true });
  b.record('nki.isa.memset', { dst: b.sbuf('tile', [1, 1]) }, { value: 0, engine: 'GpSimd' });
  const patterns = new Patterns(b.finish());
  const tensor = patterns.addTensor('x', 'hbm', patterns.dtype(0), [SIZE], 0);
  const numbers = walks.map(({ offset, walk }) =>
    patterns.add(
      tensor,
      offset,
      walk.map(([stride]) => stride),
      walk.map(([, count]) => count),
    ),
  );
  return { patterns, numbers };
}

const elements = ({ offset, walk }: { offset: number; walk: Walk }) =>
  walk.reduce((all, [stride, count]) => all.flatMap(e => Array.from({ length: count }, (_, k) => e + k * stride)), [offset]);

function shares(a: { offset: number; walk: Walk }, b: { offset: number; walk: Walk }): boolean {
  const own = new Set(elements(a));
  return elements(b).some(e => own.has(e));
}

describe('patterns that are apart', () => {
  const walk = fc.record({
    offset: fc.nat({ max: 200 }),
    walk: fc.array(fc.tuple(fc.integer({ min: -2, max: 40 }), fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 3 }),
  });

  it('share no element, whatever their dimensions', () => {
    fc.assert(
      fc.property(walk, walk, (a, b) => {
        const { patterns, numbers } = patternsOf(a, b);
        if (new ApartWalks(patterns).are(numbers[0], numbers[1])) assert.ok(!shares(a, b));
      }),
      { numRuns: 3000, seed: 17 },
    );
  });

  it('are all that share none, of tiles of one matrix', () => {
    const tile = fc.record({
      row: fc.nat({ max: 6 }),
      column: fc.nat({ max: 28 }),
      rows: fc.integer({ min: 1, max: 4 }),
      columns: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(tile, tile, (one, other) => {
        const [a, b] = [one, other].map(({ row, column, rows, columns }) => ({
          offset: row * 40 + column,
          walk: [
            [40, rows],
            [1, columns],
          ] as Walk,
        }));
        const { patterns, numbers } = patternsOf(a, b);
        assert.equal(new ApartWalks(patterns).are(numbers[0], numbers[1]), !shares(a, b));
      }),
      { numRuns: 2000, seed: 17 },
    );
  });
});

describe('stores to one tensor in HBM', () => {
  /** Waits of each store for the one before, in a kernel that writes the patterns one after another. */
  function waitsBetween(shape: number[], patterns: { offset: number; walk: Walk }[]): number {
    const b = new ProgramBuilder({ target: 'trn2', literal: true });
    const out = b.hbm('out', shape, 'float32', 'output');
    for (const { offset, walk } of patterns) {
      const tile = b.sbuf(
        'tile',
        walk.map(([, count]) => count),
      );
      b.record('nki.isa.memset', { dst: tile }, { value: 0, engine: 'Vector' });
      b.record('nki.isa.dma_copy', { dst: out.ap(walk, offset), src: tile });
    }
    const { instructions, dependencies } = compile(b.finish(), { pipeline: 'literal', policy: inOrder });
    return dependencies.event.filter((event, d) => event >= instructions.track.length && dependencies.kind[d] !== FLOW).length;
  }

  it('do not wait for each other where one run of elements ends in the row in which the next begins', () => {
    const run = (k: number) => ({
      offset: k * 128 * 100,
      walk: [
        [100, 128],
        [1, 100],
      ] as Walk,
    });
    assert.equal(waitsBetween([512, 300], [run(0), run(1), run(2)]), 0);
  });

  it('do not wait where their columns of a flat tensor alternate', () => {
    const columns = (k: number) => ({
      offset: k * 64,
      walk: [
        [256, 128],
        [1, 64],
      ] as Walk,
    });
    assert.equal(waitsBetween([128 * 256], [columns(0), columns(1), columns(2), columns(3)]), 0);
  });

  it('wait where they write the same elements', () => {
    const columns = (offset: number) => ({
      offset,
      walk: [
        [256, 128],
        [1, 64],
      ] as Walk,
    });
    assert.ok(waitsBetween([128 * 256], [columns(0), columns(63)]) > 0);
    // The second lies between columns of the first; the third writes both again.
    assert.ok(
      waitsBetween(
        [128 * 256],
        [
          columns(0),
          columns(128),
          {
            offset: 0,
            walk: [
              [256, 128],
              [1, 256],
            ],
          },
        ],
      ) >= 2,
    );
  });
});
