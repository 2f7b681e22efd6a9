/** Busy intervals of DMA engines of stacked profiles: asked for again where the host fails or is silent. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { decodeFirst, firstPart, slicesPart } from '../../src/simulator/profile/parts';
import { followSlices } from '../../src/webview/actions/slices';
import { buildModel } from '../../src/webview/data/model';
import { sentModel } from '../../src/webview/data/systemModel';
import { Store } from '../../src/webview/state/store';
import { initialState, type State } from '../../src/webview/state/viewState';
import type { View } from '../../src/webview/view/view';
import { syntheticProfile } from '../support/syntheticProfile';

const container = encodeProfile(syntheticProfile(60, 3));
const own = buildModel(syntheticProfile(20, 1));
const never = new Promise<Uint8Array>(() => {});

describe('webview/slices', () => {
  let nowMs = 0;
  beforeEach(() => {
    nowMs += 1e6;
    mock.method(performance, 'now', () => nowMs);
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.reset());

  /** A page with stacked profiles that came without. @param answer to the n-th question */
  function opened(keys: readonly string[], answer: (key: string, n: number) => Promise<Uint8Array>) {
    const stack = [
      { number: 0, key: '', title: 'own', model: own, shiftNs: 0 },
      ...keys.map((key, i) => ({
        ...{ number: i + 1, key, title: `Rank ${i + 1}`, shiftNs: 0 },
        model: sentModel(decodeFirst(firstPart(container, 0)), initialState.systemRows),
      })),
    ];
    const store = new Store<State>({ ...initialState, stack, dmaRows: 'engine' });
    const asked: string[] = [];
    const said: string[] = [];
    const view = {
      store,
      get state() {
        return store.state;
      },
      loadSlices(key: string) {
        asked.push(key);
        return answer(key, asked.length);
      },
      announce: (text: string) => said.push(text),
    } as unknown as View;
    followSlices(view);
    return { asked, said, store };
  }

  /** Answers are there after the current turn. */
  async function pass(ms: number) {
    await new Promise(resolve => setImmediate(resolve));
    nowMs += ms;
    mock.timers.tick(ms);
    await new Promise(resolve => setImmediate(resolve));
  }

  it('are asked for again after 1, 4 and 16 s where the host fails, and then it is said why', async () => {
    const { asked, said } = opened(['b'], () => Promise.reject(new Error('There is no profile.')));
    const counts = [];
    for (const ms of [999, 1, 3999, 1, 15_999, 1, 60_000]) {
      await pass(ms);
      counts.push(asked.length);
    }
    assert.deepEqual(counts, [1, 2, 2, 3, 3, 4, 4]);
    assert.deepEqual(said, ['Rank 1: There is no profile.']);
  });

  it('are asked for again where nothing comes, and taken once', async () => {
    const { asked, said, store } = opened(['b'], (_, n) => (n < 3 ? never : Promise.resolve(slicesPart(container))));
    assert.equal(store.state.stack[1].model.lacksSlices, true);
    await pass(1000);
    await pass(4000);
    assert.equal(asked.length, 3);
    assert.equal(store.state.stack[1].model.lacksSlices, undefined);
    await pass(60_000);
    assert.deepEqual([asked.length, said], [3, []]);
  });

  it('are waited for while those of others come', async () => {
    let answerLate: (bytes: Uint8Array) => void = () => {};
    const late = new Promise<Uint8Array>(resolve => {
      answerLate = resolve;
    });
    const { asked } = opened(['b', 'c', 'd'], key => (key === 'b' ? Promise.resolve(slicesPart(container)) : key === 'c' ? late : never));
    await pass(900);
    answerLate(slicesPart(container));
    await pass(100);
    assert.deepEqual(asked, ['b', 'c', 'd'], 'one came 100 ms ago');
    await pass(1000);
    assert.deepEqual(asked, ['b', 'c', 'd', 'd']);
  });

  it('of silent hosts are asked for again one after the other', async () => {
    const { asked } = opened(['b', 'c'], () => never);
    await pass(1000);
    assert.deepEqual(asked, ['b', 'c', 'b']);
    await pass(1000);
    assert.deepEqual(asked, ['b', 'c', 'b', 'c']);
  });

  it('of a profile that was taken away are not asked for again', async () => {
    const { asked, store } = opened(['b'], () => never);
    store.update({ stack: store.state.stack.slice(0, 1) });
    await pass(60_000);
    assert.deepEqual(asked, ['b']);
  });
});
