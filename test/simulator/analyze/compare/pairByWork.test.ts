/** Lines that do the same are found by what they do it to and by their loops, and each has one counterpart at most. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Pairs } from '../../../../src/simulator/analyze/compare/matchLines';
import { pairByWork, type WorkingLine } from '../../../../src/simulator/analyze/compare/pairByWork';

interface Short {
  text?: string;
  does?: string[];
  to?: string[];
  loops?: string[];
  in?: string;
}

const line = ({ text = 'f(x)', does = ['MATMUL'], to = [], loops = [], in: name = '' }: Short): WorkingLine => ({
  function: name,
  text,
  operations: new Set(does),
  tensors: new Set(to),
  loops,
});

/** Index in `b` of each of `a`; -1: none. */
function paired(a: Short[], b: Short[]): number[] {
  const pairs = new Pairs(a.length, b.length);
  pairByWork(a.map(line), b.map(line), pairs);
  return [...pairs.toB];
}

describe('lines that do the same', () => {
  it('are told by their tensors', () => {
    const [first, second] = [{ to: ['lhs', 'psum'] }, { to: ['rhs', 'psum'] }];
    assert.deepEqual(paired([first, second], [second, first]), [1, 0]);
  });

  it('are told by their loops where the tensors say nothing', () => {
    const [outer, inner] = [{ loops: ['m'] }, { loops: ['m', 'k'] }];
    assert.deepEqual(paired([outer, inner], [inner, outer]), [1, 0]);
  });

  it('do not do something else', () => {
    assert.deepEqual(paired([{ does: ['TENSOR_COPY'], to: ['x'] }], [{ does: ['MATMUL'], to: ['x'], text: 'g(x)' }]), [-1]);
    assert.deepEqual(paired([{ does: ['hbm->sbuf'], to: ['x'] }], [{ does: ['sbuf->hbm'], to: ['x'] }]), [-1]);
  });

  it('do it to something that both have, or at the same place', () => {
    assert.deepEqual(paired([{ to: ['x'], loops: ['i'] }], [{ to: ['y'], loops: ['j'] }]), [-1]);
    assert.deepEqual(paired([{ to: ['x'], in: 'f' }], [{ to: ['y'], in: 'g' }]), [-1]);
    assert.deepEqual(paired([{ to: ['x'], loops: ['i'] }], [{ to: ['y'], loops: ['i'] }]), [0]);
  });

  it('have one counterpart each, and all of them where a kernel is paired with itself', () => {
    const some = (...of: string[]) => fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 2 });
    const lines = fc.array(fc.record({ does: some('A', 'B', 'C'), to: some('x', 'y', 'z'), loops: some('i', 'j') }), { maxLength: 9 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const found = paired(a, b).filter(j => j >= 0);
        assert.equal(new Set(found).size, found.length);
        assert.deepEqual([...paired(a, a)].sort(), [...a.keys()].sort());
      }),
      { seed: 11 },
    );
  });
});
