/** Versions of a tile: which writes begin one, that everybody reads the version that holds his values, and what iterations gain. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Compiled, READ } from '../../../../src/simulator/compile/compiled';
import { ProgramBuilder } from '../../../support/programs';
import { compile, inOrder } from '../../../support/stages';

const COLUMNS = 8;

/** Writes, fills or reads columns [from, to) of the tile. */
interface Step {
  readonly writes: boolean;
  readonly fills?: boolean;
  readonly from: number;
  readonly to: number;
}

interface Options {
  readonly addressBytes?: number;
  readonly dialect?: 'nki' | 'neuronxcc';
}

/** Copies into and out of columns of one tile. */
function stepped(steps: readonly Step[], { dialect = 'nki', ...options }: Options = {}): Compiled {
  const b = new ProgramBuilder({ target: 'trn2', dialect });
  const [source, sink] = [b.sbuf('source', [128, COLUMNS]), b.sbuf('sink', [128, COLUMNS])];
  const tile = b.sbuf('tile', [128, COLUMNS], 'float32', options);
  b.record('nki.isa.memset', { dst: source }, { value: 1 });
  for (const { writes, fills, from, to } of steps) {
    const part = tile.slice(':', [from, to]);
    if (fills) b.record('nki.isa.memset', { dst: part }, { value: 2 });
    else if (writes) b.record('nki.isa.tensor_copy', { dst: part, src: source.slice(':', [from, to]) });
    else b.record('nki.isa.tensor_copy', { dst: sink.slice(':', [from, to]), src: part });
  }
  b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, COLUMNS], 'float32', 'output'), src: sink });
  return compile(b.finish(), { pipeline: 'literal', policy: inOrder });
}

/** The tensor that each step uses in the place of the tile; the instruction behind the fill of the source is the first. */
function versions(c: Compiled, steps: readonly Step[]): number[] {
  return steps.map((step, k) => {
    const accesses = Array.from({ length: 2 }, (_, a) => c.instructions.accessStart[k + 1] + a);
    const own = accesses.find(a => a < c.instructions.accessStart[k + 2] && (c.accesses.role[a] === READ) !== step.writes)!;
    return c.patterns.tensor(c.accesses.pattern[own]);
  });
}

const write = (from: number, to: number): Step => ({ writes: true, from, to });
const fill = (from: number, to: number): Step => ({ writes: true, fills: true, from, to });
const read = (from: number, to: number): Step => ({ writes: false, from, to });

/** How many places the tile has. */
const count = (steps: readonly Step[], options?: Options) => new Set(versions(stepped(steps, options), steps)).size;

describe('tiles that are overwritten', () => {
  it('have a version for each time that they are written whole', () => {
    assert.equal(count([write(0, 8), read(0, 8), write(0, 8), read(2, 4), write(0, 8), read(0, 8)]), 3);
    assert.equal(count([write(0, 8), read(0, 8), read(2, 4)]), 1);
  });

  it('have one for each time that they are written piece by piece', () => {
    const iteration = [write(0, 4), write(4, 8), read(0, 8)];
    assert.equal(count([...iteration, ...iteration, ...iteration]), 3);
  });

  it('stay where a part of the old contents is read later', () => {
    assert.equal(count([write(0, 8), read(0, 8), write(0, 4), read(0, 8)]), 1);
    assert.equal(count([write(0, 8), write(0, 4), read(4, 8)]), 1);
  });

  it('stay where pieces are written that nobody reads, or each before it is read', () => {
    assert.equal(count([write(0, 4), write(4, 8)]), 1);
    assert.equal(count([write(0, 4), read(0, 4), write(4, 8), read(4, 8)]), 1);
  });

  it('stay where a fill comes first, also one that is overwritten whole', () => {
    for (const [from, to] of [
      [1, 8],
      [0, 8],
    ]) {
      const iteration = [fill(0, 8), write(from, to), read(0, 8)];
      assert.equal(count([...iteration, ...iteration]), 1);
    }
    assert.equal(count([fill(0, 8), read(0, 8), write(0, 8), read(0, 8)]), 2);
  });

  it('have a version for each fill in legacy kernels', () => {
    const iteration = [fill(0, 8), write(1, 8), read(0, 8)];
    assert.equal(count([...iteration, ...iteration], { dialect: 'neuronxcc' }), 2);
  });

  it('stay where the kernel placed them', () => {
    assert.equal(count([write(0, 8), read(0, 8), write(0, 8), read(0, 8)], { addressBytes: 4096 }), 1);
  });

  it('hold what their readers read, whatever the order of writes and reads', () => {
    const step = fc
      .tuple(fc.boolean(), fc.integer({ min: 0, max: COLUMNS - 1 }), fc.integer({ min: 1, max: COLUMNS }))
      .map(([writes, from, size]): Step => ({ writes, from, to: Math.min(COLUMNS, from + size) }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 24 }), steps => {
        const tensors = versions(stepped(steps), steps);
        const holder = new Array<number>(COLUMNS).fill(-1);
        for (const [k, { writes, from, to }] of steps.entries())
          for (let column = from; column < to; column++)
            if (writes) holder[column] = tensors[k];
            else if (holder[column] >= 0) assert.equal(tensors[k], holder[column], `step ${k}`);
      }),
      { seed: 17, numRuns: 200 },
    );
  });

  it('keep their place under a predicate, which leaves what it does not choose', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [tile, other, predicate] = ['tile', 'other', 'predicate'].map(name =>
      b.sbuf(name, [128, COLUMNS], name === 'predicate' ? 'uint8' : 'float32'),
    );
    for (const dst of [tile, other, predicate]) b.record('nki.isa.memset', { dst }, { value: 1 });
    b.record('nki.isa.tensor_copy_predicated', { dst: tile, src: other, predicate });
    b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, COLUMNS], 'float32', 'output'), src: tile });
    const c = compile(b.finish(), { pipeline: 'literal' });
    const used = [...c.accesses.pattern].map(pattern => c.patterns.tensor(pattern)).filter(tensor => c.patterns.name(tensor) === 'tile');
    assert.equal(new Set(used).size, 1);
  });
});
