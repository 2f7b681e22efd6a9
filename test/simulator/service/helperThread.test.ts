/** A worker that wants a second thread gets one, tells it what it needs, and takes it along when it ends. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { CaptureThreads } from '../../../src/simulator/service/captureThreads';
import { taskOf } from '../../support/captureTask';
import { temporaryFolder } from '../../support/temporary';

/** Prints what the second thread says to its share. */
const WORKER = `import { parentPort, workerData } from 'node:worker_threads';
parentPort.once('message', () => {
  workerData.helperThread.on('message', text => {
    parentPort.postMessage({ type: 'output', text, stream: 'stdout' });
    parentPort.postMessage({ type: 'result', result: { runs: [], kernels: [], error: null, timingsMs: {} } });
  });
  workerData.helperThread.postMessage('share');
  parentPort.postMessage({ type: 'wantsHelperThread' });
});
`;
/** Writes for as long as it lives. */
const HELPER = `import fs from 'node:fs';
import { workerData } from 'node:worker_threads';
workerData.on('message', share => {
  workerData.postMessage('helps with ' + share);
  setInterval(() => fs.appendFileSync(new URL('alive', import.meta.url), '.'), 5);
});
`;
const INTERVALS_MS = 200;

describe('helper thread', () => {
  const folder = temporaryFolder();
  const pause = () => new Promise(resolve => setTimeout(resolve, INTERVALS_MS));
  const written = () => (fs.existsSync(folder.path('alive')) ? fs.statSync(folder.path('alive')).size : 0);

  it('is lent until the worker ends', async () => {
    folder.write('worker.mjs', WORKER);
    folder.write('helper.mjs', HELPER);
    const file = folder.write('kernel.py', '');
    const client = new CaptureThreads({ dist: folder.path(), keepSpare: false, saveProfile: async () => '' });
    const printed: string[] = [];
    try {
      await client.capture(taskOf({ file, root: folder.path() }), { onOutput: text => printed.push(text) });
    } finally {
      client.dispose();
    }
    assert.deepEqual(printed, ['helps with share']);
    // it may write until it has heard
    let before = -1;
    for (let tries = 0; tries < 100 && written() !== before; tries++) {
      before = written();
      await pause();
    }
    assert.equal(written(), before);
  });
});
