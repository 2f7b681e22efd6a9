import assert from 'node:assert/strict';
import { whenIdle } from '../../src/webview/dom/idle';

/** Node knows no idle moments, as Safari does not. */
describe('idle work without idle moments', () => {
  it('is done later, in one step at a time', async () => {
    const done: string[] = [];
    await new Promise<void>(resolve => {
      whenIdle(moment => {
        done.push(`idle ${moment.timeRemaining()}`);
        resolve();
      }, 1000);
      done.push('at hand');
    });
    assert.deepEqual(done, ['at hand', 'idle 0']);
  });

  it('can be called off', async () => {
    let done = false;
    whenIdle(() => {
      done = true;
    }, 1000)();
    await new Promise(resolve => setTimeout(resolve, 20));
    assert.equal(done, false);
  });
});
