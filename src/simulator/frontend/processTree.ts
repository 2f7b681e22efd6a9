/**
 * Processes that a run starts, ended together with those that they started themselves: a group of their own on POSIX, the tree of
 * parents and children on Windows. Processes that leave the group on purpose (`setsid`, a service) are not ended.
 */
import { spawn } from 'node:child_process';

const WINDOWS = process.platform === 'win32';

/** For `spawn`: the child leads a group of its own. On Windows the same option would open a window. */
export const LEADS_GROUP = { detached: !WINDOWS, windowsHide: true } as const;

/** Ends the leader, if it still runs, and all of its group, at once. Does nothing if they have ended. */
export function endTree(leader: number): void {
  if (WINDOWS) {
    spawn('taskkill', ['/T', '/F', '/PID', String(leader)], { stdio: 'ignore', windowsHide: true }).on('error', () => {});
    return;
  }
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // they have ended
  }
}
