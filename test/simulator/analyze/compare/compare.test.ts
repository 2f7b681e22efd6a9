import assert from 'node:assert/strict';
import { compare } from '../../../../src/simulator/analyze/compare/compare';
import { oneByOne as run } from '../../../support/tinyProfile';

describe('comparing two runs', () => {
  it('tells each line by what it says, not by its number', () => {
    const before = run('add(x)\nmul(x)\n', [100, 300]);
    const after = run('# a comment\nadd(x)\nmul(x)\n', [100, 200], 2);
    const { aTotalNs, bTotalNs, deltaShare, lines } = compare(before, after);
    assert.deepEqual([aTotalNs, bTotalNs], [300, 200]);
    assert.ok(Math.abs(deltaShare - -1 / 3) < 1e-12);
    assert.deepEqual(
      lines.map(l => [l.a?.line, l.b?.line, l.deltaNs, l.verdict]),
      [
        [2, 3, -100, 'better'],
        [1, 2, 0, 'same'],
      ],
    );
  });

  it('tells new lines from gone ones', () => {
    const { lines } = compare(run('add(x)\nmul(x)\n', [100, 150]), run('add(x)\n', [100]));
    assert.deepEqual(
      lines.map(l => [l.verdict, l.deltaNs]),
      [
        ['gone', -50],
        ['same', 0],
      ],
    );
    assert.deepEqual(
      compare(run('add(x)\n', [100]), run('add(x)\nmul(x)\n', [100, 150])).lines.map(l => l.verdict),
      ['new', 'same'],
    );
  });

  it('says nothing of a run against itself', () => {
    const p = run('add(x)\nmul(x)\n', [100, 150]);
    const { deltaShare, lines } = compare(p, p);
    assert.equal(deltaShare, 0);
    assert.ok(lines.every(l => l.verdict === 'same' && l.deltaNs === 0));
  });
});
