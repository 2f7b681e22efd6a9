/** Entry of the worker thread (dist/worker.mjs). */
import { simulatorRooms } from '../frontend/simulatorRooms';
import { allowRelaxedSimd } from './relaxedSimd';
import { serveOneCapture } from './serve';

allowRelaxedSimd();
await serveOneCapture(simulatorRooms);
