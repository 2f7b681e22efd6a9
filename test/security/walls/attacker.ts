/**
 * Stands for a kernel that has broken out of the interpreter into JavaScript: takes the place of `worker.mjs`, in the thread where kernels run,
 * before anything there was taken away, and tells what the system lets it do.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';
import type { CaptureMessage, WorkerMessage } from '../../../src/simulator/service/messages';

/** In `request.env`. */
export interface Bait {
  INSIDE: string;
  OUTSIDE: string;
  LINK: string;
  PORT: string;
  PID: string;
}

const port = parentPort!;
const send = (message: WorkerMessage) => port.postMessage(message);

port.once('message', async ({ request }: CaptureMessage) => {
  const bait = request.env as unknown as Bait;
  const deeds: Record<string, () => unknown> = {
    'read inside': () => fs.readFileSync(bait.INSIDE, 'utf8'),
    'read outside': () => fs.readFileSync(bait.OUTSIDE, 'utf8'),
    'read through a link': () => fs.readFileSync(bait.LINK, 'utf8'),
    'list the root': () => fs.readdirSync('/').includes('root'),
    'read accounts': () => fs.readFileSync('/etc/passwd', 'utf8'),
    'read the environment of the parent': () => fs.readFileSync(`/proc/${process.ppid}/environ`, 'utf8'),
    'write inside': () => fs.writeFileSync(`${bait.INSIDE}.written`, 'x') === undefined,
    'write outside': () => fs.writeFileSync(`${bait.OUTSIDE}.written`, 'x') === undefined,
    'change a mode': () => fs.chmodSync(bait.INSIDE, 0o777) === undefined,
    'start a process': () => childProcess.execSync('id').toString(),
    'start a thread': () => new Worker('1', { eval: true, execArgv: [], env: {} }).threadId,
    'load native code': () => process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libm.so.6') === undefined,
    'see variables': () =>
      Object.keys(process.env)
        .filter(name => name !== 'PWD')
        .join(),
    'signal the parent': () => process.kill(Number(bait.PID), 0),
    'read the home folder': () => fs.readdirSync(os.homedir()).length > 0,
  };
  const got: Record<string, string> = {};
  for (const [name, deed] of Object.entries(deeds)) got[name] = await outcome(deed);
  got.connect = await outcome(() => connected(Number(bait.PORT)));
  send({ type: 'output', text: JSON.stringify(got), stream: 'stdout' });
  const timingsMs = { start: 0, trace: 0, compile: 0, execute: 0, schedule: 0, total: 0 };
  send({ type: 'result', result: { runs: [], kernels: [], error: null, timingsMs }, isReady: false });
});

async function outcome(deed: () => unknown): Promise<string> {
  try {
    const loot = await deed();
    return loot ? `GOT ${String(loot).slice(0, 60)}` : 'nothing';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
}

const connected = (to: number) =>
  new Promise<boolean>((resolve, reject) => {
    const socket = net.connect(to, '127.0.0.1', () => resolve(true));
    socket.on('error', reject);
  });
