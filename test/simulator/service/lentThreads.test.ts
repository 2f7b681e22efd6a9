/** Threads that a worker asks for: no more than the request allows and the run's memory has room for, whatever they are for. */
import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import { LentThreads } from '../../../src/simulator/service/lentThreads';
import type { WorkerMessage } from '../../../src/simulator/service/messages';
import { GONE, STATE_BYTES, type ThreadPort } from '../../../src/simulator/service/threadMessages';
import type { CaptureRequest } from '../../../src/simulator/session/capture';

/** The main thread answers at once. */
function lending(request: Partial<CaptureRequest>) {
  const { port1, port2 } = new MessageChannel();
  const asked: string[] = [];
  const states: SharedArrayBuffer[] = [];
  const send = (message: WorkerMessage) => {
    if (message.type === 'endsThreads') asked.push(`end ${message.kind}`);
    if (message.type !== 'wantsThreads') return;
    asked.push(`${message.count} ${message.kind}`);
    for (let k = 0; k < message.count; k++) {
      const { port1: port } = new MessageChannel();
      states.push(new SharedArrayBuffer(STATE_BYTES));
      port2.postMessage({ kind: message.kind, port, state: states.at(-1)! } satisfies ThreadPort, [port]);
    }
  };
  const threads = new LentThreads({ request: { file: '', root: '', ...request }, port: port1, send });
  const close = () => {
    port1.close();
    port2.close();
  };
  return { threads, asked, states, close };
}

describe('lent threads', () => {
  it('are as many as are wanted, allowed, and fit into half of the memory with what they share', () => {
    const { threads, asked, close } = lending({ recorders: 6, limits: { memoryMb: 2000 } });
    assert.equal(threads.take('executor', { most: 3, eachMb: 100 }).length, 3);
    assert.equal(threads.take('executor', { most: 9, eachMb: 100 }).length, 6);
    assert.equal(threads.take('executor', { most: 9, eachMb: 300 }).length, 3);
    assert.equal(threads.take('executor', { most: 9, eachMb: 300, togetherMb: 400 }).length, 2);
    assert.equal(threads.take('executor', { least: 2, most: 9, eachMb: 300, togetherMb: 700 }).length, 0);
    // those that are there serve again
    assert.deepEqual(asked, ['3 executor', '3 executor']);
    close();
  });

  it('of another kind end where they would be in the way, unless they are at work', () => {
    const { threads, asked, close } = lending({ recorders: 8, limits: { memoryMb: 2000 } });
    assert.equal(threads.take('recorder', { most: 3, eachMb: 300 }).length, 3);
    assert.equal(threads.take('executor', { most: 2, eachMb: 50 }).length, 2);
    assert.equal(threads.take('executor', { most: 4, eachMb: 50 }).length, 2);
    threads.done('recorder');
    assert.equal(threads.take('executor', { most: 2, eachMb: 50 }).length, 2);
    assert.equal(threads.take('executor', { most: 4, eachMb: 50 }).length, 4);
    assert.deepEqual(asked, ['3 recorder', '2 executor', 'end recorder', '2 executor']);
    close();
  });

  it('are started again when they have ended', () => {
    const { threads, asked, states, close } = lending({ recorders: 2 });
    threads.take('recorder', { most: 2, eachMb: 1 });
    Atomics.store(new Int32Array(states[0]), GONE, 1);
    assert.equal(threads.take('recorder', { most: 2, eachMb: 1 }).length, 2);
    threads.end('recorder');
    threads.end('recorder');
    assert.equal(threads.take('recorder', { most: 1, eachMb: 1 }).length, 1);
    assert.deepEqual(asked, ['2 recorder', '1 recorder', 'end recorder', '1 recorder']);
    close();
  });
});
