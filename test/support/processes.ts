/** Whether processes have ended, for tests that start real ones. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { WAIT_LIMIT_MS } from './patience';

/** An orphan that nobody has buried yet has ended all the same. */
export function isRunning(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

export function endIfRunning(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}

/** Waits. @throws AssertionError when one goes on */
export async function assertEnd(pids: Record<string, number>): Promise<void> {
  const running = () => Object.entries(pids).filter(([, pid]) => isRunning(pid));
  const deadline = Date.now() + WAIT_LIMIT_MS;
  while (running().length > 0 && Date.now() < deadline) await new Promise(resolve => setTimeout(resolve, 50));
  const left = running();
  assert.deepEqual(left, [], 'still running');
}
