/** Entry of the worker thread (dist/worker.mjs). */
import { simulatorRooms } from '../frontend/simulatorRooms';
import { serveOneCapture } from './serve';

await serveOneCapture(simulatorRooms);
