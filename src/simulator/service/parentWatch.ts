/**
 * Ends this process when the one that started it is gone, also while it computes, and also when a process that was forked from that one
 * keeps our pipes open. In a thread of its own: the main one may wait for input or compute for minutes.
 */
import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 500;

/** On POSIX an orphan gets another parent. On Windows the parent's number stays, but no process has it. */
const WATCH = `
const { parent, everyMs } = require('node:worker_threads').workerData;
const isGone = () => {
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
};
setInterval(() => {
  if (process.ppid !== parent || isGone()) process.kill(process.pid, 'SIGKILL');
}, everyMs);
`;

export function endWithParent(): void {
  new Worker(WATCH, { eval: true, workerData: { parent: process.ppid, everyMs: LOOK_EVERY_MS } }).unref();
}
