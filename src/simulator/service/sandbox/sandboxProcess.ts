/**
 * The client side of the process in which kernels run. Captures and other requests are sent to it over a pipe, and its messages are
 * checked. If it does not answer in time, it is ended. One process can read one workspace folder.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import type { Duplex } from 'node:stream';
import { decodeProfile } from '../../profile/codec';
import { type CaptureListener, type CaptureResult, type KernelCall, limitsOf, withoutRuns } from '../../session/capture';
import type { ProfileSave } from '../../session/sessionContext';
import { type Stopped, stopError } from '../../session/stopError';
import { SOFT_STOP_MS } from '../captureThreads';
import { SimulatorFault } from '../fault';
import { type InspectedKernel, Inspection, NoValues } from '../inspection';
import type { CaptureTask } from '../messages';
import { PipeChannel } from './channel';
import { type Launch, launches } from './launch';
import { type FromSandbox, KEEP_SPARE, OUT_OF_MEMORY, type ToSandbox } from './messages';
import { profileOf, receivedMessage, receivedResult } from './received';
import { encodeTask } from './task';

/** Characters of standard error to keep for a report: the last messages of the system and V8. */
const KEPT_ERRORS = 4000;
/** Additional time, after the time that its threads have to stop. */
const PATIENCE_MS = 3000;
/** A fourth pipe of the process, after the three standard ones. */
const PIPE_FD = 3;

export interface SandboxOptions {
  /** Host path of the build. */
  dist: string;
  /** The folder that kernels may read. */
  root: string;
  /** Start the next interpreter after each capture. */
  keepSpare: boolean;
  /** Writes a profile that a script saves; gives its path. @throws SaveError */
  saveProfile(task: CaptureTask, place: ProfileSave, nkiprof: Uint8Array): Promise<string>;
  /** Selects the ways to start it. Absent: all. */
  ways?(all: Launch[]): Launch[];
  /** Called when it has started. */
  onStart?(confinedBy: Launch['confinedBy']): void;
}

/** A request, and the functions that get its result. */
interface Asked {
  hear(message: FromSandbox, payload: Uint8Array): void;
  lost(reason: Stopped | null, report: string): void;
}

/** Ways to start that failed in this process. They are not tried again. */
const unusable = new Set<string>();

export class SandboxProcess {
  private child: ChildProcess | null = null;
  private channel: PipeChannel<ToSandbox> | null = null;
  private isReady = false;
  private readonly waiting: [ToSandbox, Uint8Array | undefined][] = [];
  private readonly asked = new Map<number, Asked>();
  private readonly ways: Launch[];
  private lastId = 0;
  private lastErrors = '';
  /** Number of inspections that the process keeps. */
  private keptCount = 0;
  /** The process has ended, or was told to end. */
  private ended = false;
  private retired = false;

  constructor(private readonly options: SandboxOptions) {
    const { dist, root } = options;
    const all = launches({
      dist,
      root,
      realRoot: realPath(root),
      node: process.execPath,
      argv: options.keepSpare ? [KEEP_SPARE] : [],
      isElectron: process.versions.electron !== undefined,
      platform: process.platform,
      knows: option => process.allowedNodeEnvironmentFlags.has(option),
      exists: file => fs.existsSync(file),
    });
    this.ways = (options.ways?.(all) ?? all).filter(way => !unusable.has(key(way)));
    this.start();
  }

  /** It accepts requests. */
  get isUsable(): boolean {
    return !this.ended && !this.retired;
  }

  /** It has no request to answer, and keeps no kernel. */
  get isIdle(): boolean {
    return this.asked.size === 0 && this.keptCount === 0;
  }

  warm() {
    this.send({ type: 'warm' });
  }

  capture(task: CaptureTask, listener: CaptureListener, signal?: AbortSignal): Promise<CaptureResult> {
    const profiles: Uint8Array[] = [];
    const returned: Uint8Array[] = [];
    return this.ask<CaptureResult>(task, signal, (message, payload, settle) => {
      if (message.type === 'returned') returned.push(payload);
      if (message.type === 'profile') profiles.push(profileOf(message, payload, returned));
      else if (message.type === 'result') settle.resolve(receivedResult(payload, profiles));
      else if (message.type === 'fault') settle.reject(new SimulatorFault(message.report));
      else tell(listener, message, payload);
    }).catch((error: unknown) => {
      if (error instanceof Lost && error.stopped) return withoutRuns(stopError(error.stopped, limitsOf(task.request), task.request.file));
      throw error instanceof Lost ? new SimulatorFault(error.message) : error;
    });
  }

  inspect(task: CaptureTask, call: KernelCall, listener: CaptureListener, signal?: AbortSignal): Promise<Inspection> {
    const inspection = this.ask<Inspection>(
      task,
      signal,
      (message, payload, settle, id) => {
        if (message.type === 'kept') settle.resolve(this.kept(id, payload));
        else if (message.type === 'refused') settle.reject(new NoValues(message.message));
        else if (message.type === 'fault') settle.reject(new SimulatorFault(message.report));
        else tell(listener, message, payload);
      },
      call,
    );
    return inspection.catch((error: unknown) => {
      throw error instanceof Lost ? new NoValues(error.message) : error;
    });
  }

  dispose() {
    this.end('cancelled');
  }

  private kept(id: number, profile: Uint8Array): Inspection {
    this.keptCount++;
    const kernel: InspectedKernel = {
      values: (instruction, listener, signal) => this.question(id, instruction, listener, signal),
      dispose: () => this.send({ type: 'release', id }),
    };
    return new Inspection(kernel, decodeProfile(profile), () => {
      this.keptCount--;
      this.holdProcess();
    });
  }

  private question(
    of: number,
    instruction: number,
    listener: (done: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const id = ++this.lastId;
    const answer = this.waitFor<Uint8Array>(id, signal, (message, payload, settle) => {
      if (message.type === 'inspecting') listener(message.done);
      else if (message.type === 'inspected') settle.resolve(payload);
      else if (message.type === 'refused') settle.reject(new NoValues(message.message));
      else if (message.type === 'fault') settle.reject(new SimulatorFault(message.report));
    });
    this.send({ type: 'question', id, of, instruction });
    return answer.catch((error: unknown) => {
      throw error instanceof Lost ? new NoValues('the kernel is no longer at hand') : error;
    });
  }

  private ask<T>(task: CaptureTask, signal: AbortSignal | undefined, hear: Hear<T>, call?: KernelCall): Promise<T> {
    const id = ++this.lastId;
    const [parts, payload] = encodeTask(task);
    const answer = this.waitFor<T>(id, signal, (message, bytes, settle) => {
      if (message.type === 'save') void this.save(task, message, bytes);
      else hear(message, bytes, settle, id);
    });
    this.send({ type: 'capture', id, ...parts, ...(call && { call }) }, payload);
    return answer;
  }

  /** The answer to request `id`. If there is none in time, the process is ended. */
  private waitFor<T>(id: number, signal: AbortSignal | undefined, hear: Hear<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      this.send({ type: 'stop', id });
      timer = setTimeout(() => this.end('cancelled'), SOFT_STOP_MS.cancelled + PATIENCE_MS);
    };
    return new Promise<T>((resolve, reject) => {
      this.asked.set(id, {
        hear: (message, payload) => hear(message, payload, { resolve, reject }, id),
        lost: (reason, report) => reject(new Lost(report, reason)),
      });
      this.holdProcess();
      if (this.ended) this.asked.get(id)?.lost(null, 'the process in which kernels run has ended');
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
    }).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      this.asked.delete(id);
      this.holdProcess();
    });
  }

  private async save(task: CaptureTask, { id, save, place }: Extract<FromSandbox, { type: 'save' }>, nkiprof: Uint8Array) {
    try {
      this.send({ type: 'saved', id, save, path: await this.options.saveProfile(task, place, nkiprof) });
    } catch (error) {
      this.send({ type: 'saved', id, save, error: (error as Error).message });
    }
  }

  private start() {
    const way = this.ways[0];
    if (!way) {
      this.lose(null, `the process in which kernels run does not start\n${this.lastErrors}`);
      return;
    }
    const child = spawn(way.command, way.args, {
      cwd: way.cwd,
      env: way.env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.child = child;
    const keepErrors = (text: Buffer) => {
      this.lastErrors = (this.lastErrors + text).slice(-KEPT_ERRORS);
    };
    child.stdout?.on('data', keepErrors);
    child.stderr?.on('data', keepErrors);
    this.channel = new PipeChannel<ToSandbox>(
      child.stdio[PIPE_FD] as Duplex,
      (header, payload) => this.hear(way, header, payload),
      error => this.end(null, error.message),
    );
    child.on('error', error => keepErrors(Buffer.from(`${error.message}\n`)));
    child.on('close', (code, signal) => this.closed(child, way, code, signal));
    this.holdProcess();
  }

  private closed(child: ChildProcess, way: Launch, code: number | null, signal: string | null) {
    if (child !== this.child) return;
    if (!this.isReady && !this.ended) {
      unusable.add(key(way));
      this.ways.shift();
      this.start();
      return;
    }
    const outOfMemory = code === OUT_OF_MEMORY || /out of memory/i.test(this.lastErrors);
    this.lose(outOfMemory ? 'memory' : null, `the process in which kernels run ended early (${signal ?? code})\n${this.lastErrors}`);
  }

  private hear(way: Launch, header: Record<string, unknown>, payload: Uint8Array) {
    const message = receivedMessage(header);
    if (message.type === 'ready') {
      this.isReady = true;
      this.options.onStart?.(way.confinedBy);
      for (const [waiting, bytes] of this.waiting.splice(0)) this.channel?.send(waiting, bytes);
    } else if (message.type === 'retired') this.retired = true;
    else this.asked.get(message.id)?.hear(message, payload);
  }

  private send(message: ToSandbox, payload?: Uint8Array) {
    if (this.ended) return;
    if (this.isReady) this.channel?.send(message, payload);
    else this.waiting.push([message, payload]);
  }

  private end(reason: Stopped | null, report = 'the process in which kernels run was ended') {
    this.child?.kill('SIGKILL');
    this.lose(reason, report);
  }

  private lose(reason: Stopped | null, report: string) {
    this.ended = true;
    for (const asked of [...this.asked.values()]) asked.lost(reason, report);
  }

  /** It keeps this process alive only while a request is open. */
  private holdProcess() {
    const hold = this.asked.size > 0 ? 'ref' : 'unref';
    const { child } = this;
    child?.[hold]();
    for (const pipe of child?.stdio ?? []) (pipe as { ref?(): void; unref?(): void } | null)?.[hold]?.();
  }
}

type Settle<T> = { resolve(value: T): void; reject(error: Error): void };
type Hear<T> = (message: FromSandbox, payload: Uint8Array, settle: Settle<T>, id: number) => void;

/** The process ended before it answered. */
class Lost extends Error {
  constructor(
    report: string,
    readonly stopped: Stopped | null,
  ) {
    super(report);
  }
}

function tell(listener: CaptureListener, message: FromSandbox, payload: Uint8Array) {
  if (message.type === 'progress') listener.onProgress?.(message.progress);
  else if (message.type === 'output') listener.onOutput?.(message.text, message.stream);
  else if (message.type === 'returned') listener.onReturn?.({ id: message.call, profile: payload });
}

const key = ({ command, args, cwd }: Launch) => [command, cwd, ...args].join('\n');

function realPath(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    return folder;
  }
}
