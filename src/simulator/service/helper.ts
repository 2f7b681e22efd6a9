/**
 * Entry of dist/helper.mjs: the thread that computes a part of a worker's large matrix products. It runs our own code on shared memory of
 * the worker, and never runs a kernel.
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import { attend } from '../execute/wasm/matmul';
import type { SharedWork } from '../execute/wasm/sharing';
import { allowRelaxedSimd } from './relaxedSimd';

allowRelaxedSimd();
// the listener keeps the thread alive
(workerData as MessagePort).on('message', (share: SharedWork) => attend(share));
