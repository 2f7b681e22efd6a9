/** Entry of the worker thread (dist/worker.mjs). */
import { parentPort } from 'node:worker_threads';
import { offerShares } from '../execute/wasm/sharing';
import { simulatorRooms } from '../frontend/simulatorRooms';
import type { WorkerMessage } from './messages';
import { allowRelaxedSimd } from './relaxedSimd';
import { serveOneCapture } from './serve';

allowRelaxedSimd();
offerShares(share => parentPort?.postMessage({ type: 'share', share } satisfies WorkerMessage));
await serveOneCapture(simulatorRooms);
