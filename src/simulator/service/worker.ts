/** Entry of the worker thread (dist/worker.mjs). */
import { parentPort, workerData } from 'node:worker_threads';
import { offerShares } from '../execute/wasm/sharing';
import { simulatorRooms } from '../frontend/simulatorRooms';
import type { WorkerMessage, WorkerSetup } from './messages';
import { allowRelaxedSimd } from './relaxedSimd';
import { serveOneCapture } from './serve';

allowRelaxedSimd();
const { secondHand } = workerData as WorkerSetup;
offerShares(share => {
  secondHand.postMessage(share);
  parentPort?.postMessage({ type: 'wantsSecondHand' } satisfies WorkerMessage);
});
await serveOneCapture(simulatorRooms);
