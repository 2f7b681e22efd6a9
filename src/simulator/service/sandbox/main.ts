/**
 * Entry of dist/sandbox.mjs: the process in which kernels run. Its main thread passes messages between the threads of `captureThreads.ts`
 * and the process that started this one, and watches the memory. The process ends when the pipe closes.
 *
 * The process that started it sets its permissions (`launch.ts`). It removes permissions that its threads do not need.
 */
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeProfile } from '../../profile/codec';
import { type CaptureListener, DEFAULT_LIMITS, limitsOf, type ReturnedCall, type RunId } from '../../session/capture';
import { CaptureThreads } from '../captureThreads';
import { SimulatorFault } from '../fault';
import { type Inspection, NoValues } from '../inspection';
import type { CaptureTask } from '../messages';
import { PipeChannel } from './channel';
import { threadOptions } from './launch';
import { watchMemory } from './memoryWatch';
import { type FromSandbox, KEEP_SPARE, OUT_OF_MEMORY, type ToSandbox } from './messages';
import { decodeTask } from './task';

const PIPE_FD = 3;

/** Running requests, by their number. */
const running = new Map<number, AbortController>();
const tasks = new Map<CaptureTask, number>();
const kept = new Map<number, Inspection>();
const saves = new Map<number, { resolve(path: string): void; reject(error: Error): void }>();
let lastSave = 0;
let isRetired = false;

const pipe = new net.Socket({ fd: PIPE_FD, readable: true, writable: true });
const channel = new PipeChannel<FromSandbox>(pipe, (header, payload) => hear(header as unknown as ToSandbox, payload), end);
const threads = new CaptureThreads({
  dist: path.dirname(fileURLToPath(import.meta.url)),
  keepSpare: process.argv.includes(KEEP_SPARE),
  execArgv: threadOptions(process.execArgv),
  saveProfile: (task, place, nkiprof) =>
    new Promise((resolve, reject) => {
      saves.set(++lastSave, { resolve, reject });
      channel.send({ type: 'save', id: tasks.get(task) ?? 0, save: lastSave, place }, nkiprof);
    }),
});
pipe.on('end', end).on('close', end);
threads.warm();
watchMemory(() => Math.max(...[...tasks.keys()].map(({ request }) => limitsOf(request).memoryMb), 0) || DEFAULT_LIMITS.memoryMb, retire);
channel.send({ type: 'ready' });

function end() {
  process.exit(0);
}

/** Ends this process after a run that took too much memory, because not all of the memory is returned to the system. */
function retire() {
  if (!isRetired) channel.send({ type: 'retired' });
  isRetired = true;
  threads.stopForMemory();
  if (running.size === 0) pipe.end(() => process.exit(OUT_OF_MEMORY));
}

function hear(message: ToSandbox, payload: Uint8Array) {
  if (message.type === 'warm') threads.warm();
  else if (message.type === 'capture') void carryOut(message.id, signal => capture(message, decodeTask(message, payload), signal));
  else if (message.type === 'question') void carryOut(message.id, signal => question(message, signal));
  else if (message.type === 'stop') running.get(message.id)?.abort();
  else if (message.type === 'release') release(message.id);
  else saved(message);
}

/** Runs a request. In every case exactly one last message is sent. */
async function carryOut(id: number, work: (signal: AbortSignal) => Promise<void>) {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    await work(controller.signal);
  } catch (error) {
    const { message, stack } = error as Error;
    if (error instanceof NoValues) channel.send({ type: 'refused', id, message });
    else channel.send({ type: 'fault', id, report: error instanceof SimulatorFault ? error.report : (stack ?? message) });
  } finally {
    running.delete(id);
  }
}

async function capture({ id, call }: Extract<ToSandbox, { type: 'capture' }>, task: CaptureTask, signal: AbortSignal) {
  /** Profiles that were sent: a large one takes a second to send. Values that are computed later may add checks to a run's. */
  const returned: ReturnedCall[] = [];
  const listener: CaptureListener = {
    onProgress: progress => channel.send({ type: 'progress', id, progress }),
    onReturn: sent => {
      returned.push(sent);
      channel.send({ type: 'returned', id, call: sent.id }, sent.profile);
    },
    onOutput: (text, stream) => channel.send({ type: 'output', id, text, stream }),
  };
  tasks.set(task, id);
  try {
    if (call) {
      const inspection = await threads.inspect(task, call, listener, signal);
      kept.set(id, inspection);
      channel.send({ type: 'kept', id }, encodeProfile(inspection.profile));
      return;
    }
    const { runs, launches, ...rest } = await threads.capture(task, listener, signal);
    for (const { id: call, profile } of runs) {
      const known = returned.findIndex(sent => runKey(sent.id) === runKey(call) && Buffer.compare(sent.profile, profile) === 0);
      if (known >= 0) channel.send({ type: 'profile', id, returned: known });
      else channel.send({ type: 'profile', id }, profile);
    }
    if (launches) channel.send({ type: 'profile', id }, launches);
    const withoutProfiles = runs.map(({ profile: _, values, ...run }) => ({
      ...run,
      values: values?.map(file => Buffer.from(file).toString('base64')),
    }));
    channel.send({ type: 'result', id }, new TextEncoder().encode(JSON.stringify({ ...rest, runs: withoutProfiles })));
  } finally {
    tasks.delete(task);
  }
}

const runKey = ({ kernel, call, rank }: RunId) => JSON.stringify([kernel, call, rank]);

async function question({ id, of, instruction }: Extract<ToSandbox, { type: 'question' }>, signal: AbortSignal) {
  const inspection = kept.get(of);
  if (!inspection) throw new NoValues('the kernel is no longer at hand');
  const bytes = await inspection.values(instruction, done => channel.send({ type: 'inspecting', id, done }), signal);
  channel.send({ type: 'inspected', id }, bytes);
}

function release(id: number) {
  kept.get(id)?.dispose();
  kept.delete(id);
}

function saved({ save, path, error }: Extract<ToSandbox, { type: 'saved' }>) {
  if (path !== undefined) saves.get(save)?.resolve(path);
  else saves.get(save)?.reject(new Error(error));
  saves.delete(save);
}
