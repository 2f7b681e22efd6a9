/** Gaps of the compute engines: what filled them, a collective or anything else. */
import assert from 'node:assert/strict';
import { idleGaps } from '../../../src/simulator/analyze/idleGaps';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { simulateRanks } from '../../../src/simulator/simulateRanks';
import { ProgramBuilder } from '../../support/programs';

const COLLECTIVE = 'Compute engines wait for a collective';

/** Computes, sums up over the ranks, and computes with the result. @param exps before the sum @param columns that are summed up */
function steps(exps: number, columns = 512) {
  const b = new ProgramBuilder({ target: 'trn2' });
  const [x, y] = [b.hbm('x', [128, columns], 'float32', 'input'), b.hbm('y', [128, columns], 'float32', 'output')];
  const [tile, sum] = [b.sbuf('tile', [128, 512], 'float32'), b.sbuf('sum', [128, 512], 'float32')];
  const at = (line: number) => ({ line, file: 'kernel.py' });
  const firstOf = (tensor: typeof x) => tensor.slice([0, 128], [0, 512]);
  b.record('nki.isa.dma_copy', { dst: tile, src: firstOf(x) }, {}, at(1));
  for (let k = 0; k < exps; k++) b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' }, at(2));
  b.record('nki.isa.dma_copy', { dst: firstOf(x), src: tile }, {}, at(3));
  b.record('nki.collectives.all_reduce', { dst: y, src: x }, { replica_group: [[0, 1]], more: false, op: 'add' }, at(4));
  b.record('nki.isa.dma_copy', { dst: sum, src: firstOf(y) }, {}, at(5));
  b.record('nki.isa.activation', { dst: sum, data: sum }, { op: 'exp' }, at(6));
  b.record('nki.isa.dma_copy', { dst: firstOf(y), src: sum }, {}, at(7));
  const whole = b.finish();
  return { whole, cores: [whole] };
}

describe('gaps of the compute engines', () => {
  it('that a collective fills are told as that, with its line, and the rank that came last', () => {
    const [first, last] = simulateRanks([steps(1), steps(40)]);
    const [found] = warnings(first).filter(({ rule }) => rule === 'collective');
    assert.equal(found.title, COLLECTIVE);
    assert.match(
      found.message,
      /^No compute engine ran for [\d.]+ µs, most of it for the all_reduce of kernel\.py:4, which waited [\d.]+ µs for rank 1, which line 2 held up\.$/,
    );
    assert.deepEqual(found.lines, [{ file: '/home/user/kernel.py', line: 4 }]);
    const { transfer } = first.rank!.collectives[0];
    const [readyNs, doneNs] = [first.transfers.readyNs[transfer], first.transfers.doneNs[transfer]];
    for (const { spans } of warnings(first).filter(({ rule }) => rule === 'gap'))
      for (const [k, startNs] of spans.startNs.entries())
        assert.ok(spans.endNs[k] <= readyNs || startNs >= doneNs, 'no gap of other causes beside the collective');
    const [own] = warnings(last).filter(({ rule }) => rule === 'collective');
    assert.match(own.message, /most of it for the all_reduce of kernel\.py:4\.$/, 'it came last itself');
  });

  it('belong to the collective as long as it takes half of them', () => {
    for (const p of simulateRanks([steps(1), steps(1)]))
      for (const { startNs, endNs, collective } of idleGaps(p)) {
        const { transfer } = p.rank!.collectives[0];
        const within = Math.min(endNs, p.transfers.doneNs[transfer]) - Math.max(startNs, p.transfers.readyNs[transfer]);
        assert.equal(collective !== null, within >= (endNs - startNs) / 2, `${within} of ${endNs - startNs} ns`);
      }
  });
});
