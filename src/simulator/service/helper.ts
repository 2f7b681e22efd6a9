/**
 * Entry of dist/helper.mjs: the thread that takes part of large products of matrices off a worker's hands. It runs our own
 * code over the memory that the worker shows it, and never sees a kernel.
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import { attend } from '../execute/wasm/matmul';
import type { SharedWork } from '../execute/wasm/sharing';
import { allowRelaxedSimd } from './relaxedSimd';

allowRelaxedSimd();
// the listener keeps the thread alive
(workerData as MessagePort).on('message', (share: SharedWork) => attend(share));
