/**
 * Ends the user's interpreter, and what it started, when the process that runs it is killed: a second interpreter, outside of that group,
 * waits until a pipe closes. The system closes the pipe however its owner ends. It is a process, not a thread of the script's
 * interpreter: a thread would wait for the lock of a busy script, and forks, debuggers and signal handlers would see it.
 */
import { spawn } from 'node:child_process';

const WAIT = `import os, sys
os.read(0, 1)
if os.name == "nt":
    import subprocess
    subprocess.call(["taskkill", "/T", "/F", "/PID", sys.argv[1]])
else:
    os.killpg(int(sys.argv[1]), 9)
`;

/**
 * Keeps the guard until it is released. If the second interpreter cannot be started, there is no guard.
 * @param python an interpreter that has just been started as `leader` of its group (`LEADS_GROUP`)
 * @returns a function that releases it, for the end of the leader
 */
export function holdLifeline(python: string, leader: number, env: Record<string, string>): () => void {
  // Isolated, without site packages, so it starts in some ten milliseconds, whatever the user has installed.
  const waiter = spawn(python, ['-I', '-S', '-c', WAIT, String(leader)], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in a terminal and the end of the group are not for it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  waiter.on('error', () => {});
  waiter.stdin.on('error', () => {});
  waiter.unref();
  return () => void waiter.kill('SIGKILL');
}
