/**
 * Entry of dist/helper.mjs: the thread that takes a part of large products of matrices off the workers' hands. It runs our own
 * code over the memory that a worker shows it, and never sees a kernel.
 */
import { parentPort } from 'node:worker_threads';
import { attend } from '../execute/wasm/matmul';
import type { Share } from '../execute/wasm/sharing';

parentPort?.on('message', (share: Share) => attend(share));
