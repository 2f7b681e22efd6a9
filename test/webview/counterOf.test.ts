/** Counters of a run on two cores, and of the one that is chosen. */
import assert from 'node:assert/strict';
import { counterOf } from '../../src/webview/data/counterOf';
import { buildModel } from '../../src/webview/data/model';
import { ALL_CORES } from '../../src/webview/state/settings';
import { runOnTwoCores } from '../support/twoCores';

const CORES = [0, 1];

describe('counters of the chosen core', () => {
  const model = buildModel(runOnTwoCores());
  const { endNs } = model.limits;
  const of = (id: string, core: number) => counterOf(model, id, core);

  it('count what that core did: together they are those of the run', () => {
    for (const id of ['dma', 'pending', 'hbmRead', 'hbmWrite', 'sbuf']) {
      const sum = (core: number) => of(id, core)!.counter.within({ startNs: 0, endNs }).meanBetween(0, endNs);
      const [first, second] = CORES.map(sum);
      assert.ok(first > 0 || second > 0 || id === 'hbmRead', id);
      assert.ok(Math.abs(first + second - sum(ALL_CORES)) <= 1e-9 * sum(ALL_CORES), id);
    }
    assert.deepEqual(
      [ALL_CORES, ...CORES].map(core => of('dma', core)!.name),
      ['DMA throughput', 'DMA throughput (nc0)', 'DMA throughput (nc1)'],
    );
  });

  it('leave out the memories and semaphores of the other', () => {
    const { kinds } = model.analysis.counters();
    const own = kinds.filter(({ core }) => core !== undefined);
    assert.ok(own.some(({ group }) => group === 'PSUM') && own.some(({ group }) => group === 'Semaphores'));
    for (const { id, core } of own) {
      for (const chosen of CORES) assert.equal(of(id, chosen) !== null, chosen === core, id);
      assert.equal(of(id, core!), of(id, ALL_CORES));
    }
  });

  it('are those of the run where it has no such core', () => {
    assert.equal(of('dma', 7), of('dma', ALL_CORES));
    assert.equal(of('nothing', 0), null);
  });
});
