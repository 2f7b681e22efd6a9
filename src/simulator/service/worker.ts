/** Entry of the worker thread (dist/worker.mjs). */
import { parentPort, workerData } from 'node:worker_threads';
import { offerShares } from '../execute/wasm/sharing';
import { simulatorBackend } from '../session/simulatorBackend';
import type { WorkerMessage, WorkerSetup } from './messages';
import { allowRelaxedSimd } from './relaxedSimd';
import { serveCaptures } from './serve';

allowRelaxedSimd();
const { helperThread } = workerData as WorkerSetup;
offerShares(share => {
  helperThread.postMessage(share);
  parentPort?.postMessage({ type: 'wantsHelperThread' } satisfies WorkerMessage);
});
await serveCaptures(simulatorBackend);
