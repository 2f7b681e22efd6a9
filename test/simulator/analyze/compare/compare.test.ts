import assert from 'node:assert/strict';
import { compare, unpaired } from '../../../../src/simulator/analyze/compare/compare';
import { comparisonTotal } from '../../../../src/simulator/formats/comparisonMarkdown';
import { TELLS_APART_PERCENT } from '../../../../src/simulator/hardware/likelyFactors';
import type { Profile } from '../../../../src/simulator/profile/profile';
import { oneByOne as run, tinyProfile } from '../../../support/tinyProfile';

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

  it('says of modelled times that differ too little for the model, and of no others', () => {
    const modelled = (totalNs: number) => ({ ...run('add(x)\n', [100]), simulated: true, totalTimeNs: totalNs });
    const measured = (totalNs: number) => ({ ...modelled(totalNs), simulated: false });
    const [little, enough] = [1 + TELLS_APART_PERCENT / 200, 1 + TELLS_APART_PERCENT / 50].map(times => 1e6 * times);
    assert.equal(compare(modelled(1e6), modelled(little)).isTooSmall, true);
    assert.match(comparisonTotal(compare(modelled(little), modelled(1e6))), / faster, less than the model can tell apart$/);
    const ofLine = (ns: number) => compare(modelled(1e6), { ...run('add(x)\n', [ns]), simulated: true, totalTimeNs: 1e6 }).lines[0];
    assert.deepEqual(
      [100, 101, 100 + 20_000 * TELLS_APART_PERCENT].map(ns => ofLine(ns * 1)).map(l => [l.verdict, l.isTooSmall]),
      [
        ['same', undefined],
        ['worse', true],
        ['worse', undefined],
      ],
    );
    for (const after of [modelled(enough), modelled(1e6), measured(little)]) assert.equal(compare(modelled(1e6), after).isTooSmall, false);
    assert.doesNotMatch(comparisonTotal(compare(modelled(1e6), modelled(enough))), /model/);
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

  it('pairs lines that do the same, not lines that stand at the same place', () => {
    const line = (track: 'Vector' | 'Tensor', opcode: string, source: string) =>
      tinyProfile({ source, events: [{ line: 1, track, opcode, ready: 0, start: 0, end: 100 }] });
    const copy = line('Vector', 'TENSOR_COPY', 'nisa.tensor_copy(dst=out, src=psum)\n');
    const product = line('Tensor', 'MATMUL', 'nisa.nc_matmul(dst=psum, stationary=a, moving=b)\n');
    const comparison = compare(copy, product);
    assert.deepEqual(
      comparison.lines.map(l => l.verdict),
      ['new', 'gone'],
    );
    assert.deepEqual(unpaired(comparison), { a: 1, b: 1 });
    const { lines } = compare(copy, line('Vector', 'TENSOR_COPY', 'nisa.tensor_copy(dst=result, src=psum, dtype=f)\n'));
    assert.deepEqual(
      lines.map(l => [l.a?.text, l.b?.text]),
      [['nisa.tensor_copy(dst=out, src=psum)', 'nisa.tensor_copy(dst=result, src=psum, dtype=f)']],
    );
  });

  it('pairs equal lines of kernels that have other names', () => {
    const named = (p: Profile, name: string) => ({ ...p, strings: p.strings.map((text, i) => (i === p.frames.function[0] ? name : text)) });
    const p = run('add(x)\nmul(x)\n', [100, 150]);
    assert.ok(compare(named(p, 'first'), named(p, 'second')).lines.every(l => l.verdict === 'same'));
  });

  it('says nothing of a run against itself', () => {
    const p = run('add(x)\nmul(x)\n', [100, 150]);
    const { deltaShare, lines } = compare(p, p);
    assert.equal(deltaShare, 0);
    assert.ok(lines.every(l => l.verdict === 'same' && l.deltaNs === 0));
  });
});
