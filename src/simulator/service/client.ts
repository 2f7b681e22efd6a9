/**
 * Runs captures for the extension and the command line: a worker thread for each, so that a kernel can be stopped, cannot block
 * anybody, and always meets a fresh interpreter. The next worker is started while nobody waits for it.
 *
 * It knows no Python and simulates nothing.
 */
import { MessageChannel, type Worker } from 'node:worker_threads';
import { Interrupt } from '../frontend/interrupt';
import { stopError } from '../frontend/stopError';
import { decodeProfile } from '../profile/codec';
import type { Profile } from '../profile/profile';
import { type CaptureListener, type CaptureRequest, type CaptureResult, DEFAULT_LIMITS, type KernelCall, type UserError } from './api';
import { SimulatorFault } from './fault';
import { Inspection, NoValues } from './inspection';
import type { CaptureMessage, WorkerMessage, WorkerSetup } from './messages';
import type { Rehearsal } from './rehearsal';
import { checkRequest } from './request';
import { lendSecondHand } from './secondHand';
import { SharedCode } from './sharedCode';
import { startThread } from './thread';

/** How long a script may take to notice that it was asked to stop. */
const SOFT_STOP_MS = 3000;
/** A request to stop can be lost: Python drops what is raised where nothing can catch it. It is made again until it is heard. */
const ASK_AGAIN_MS = 1000;
/** How long a worker may take to see the end of the interpreter that it started. */
const BURIAL_MS = 1000;
/** Starting an interpreter keeps a core busy for a second; what came of the last capture is drawn first. Longer, and the run of the next edit would wait. */
const SPARE_AFTER_MS = 120;
/** Workers never write JavaScript heaps near this; a runaway ends the worker, not the editor. */
const MAX_HEAP_MB = 4096;

export class SimulatorClient {
  private readonly dist: string;
  private readonly keepSpare: boolean;
  private spare: Spare | null = null;
  private rehearsal: Rehearsal | null = null;
  private spareTimer: NodeJS.Timeout | undefined;
  private readonly running = new Set<Running>();
  private readonly inspections = new Set<Inspection>();
  private readonly code: SharedCode;
  private disposed = false;

  /** @param keepSpare start the next interpreter after each capture: for a host that will run more (default). */
  constructor({ dist, keepSpare = true }: { dist: string; keepSpare?: boolean }) {
    this.dist = dist;
    this.keepSpare = keepSpare;
    this.code = new SharedCode(dist);
  }

  /** Starts the next interpreter, so that a capture finds it ready. Cheap to call again. */
  warm() {
    if (this.disposed || this.spare) return;
    const { rehearsal } = this;
    const interrupt = new Interrupt();
    const worker = this.startWorker('bundled', rehearsal && { of: rehearsal, interrupt: interrupt.shared });
    worker.unref();
    // a spare that dies is not missed: the next capture starts another and hears why
    const forget = () => {
      if (this.spare?.worker === worker) this.spare = null;
    };
    worker.once('error', forget).once('exit', forget);
    this.spare = { worker, interrupt };
  }

  /**
   * Runs the request's file. What is wrong with the user's code or request is in the result's `error`.
   * @throws SimulatorFault for our own faults.
   */
  async capture(request: CaptureRequest, listener: CaptureListener = {}, signal?: AbortSignal): Promise<CaptureResult> {
    if (this.disposed) throw new Error('the simulator was disposed');
    const askedAt = Date.now();
    const refused = signal?.aborted ? stopError(false, 0, request.file) : checkRequest(request);
    if (refused) return withoutRuns(refused);
    const running = new Running(request, listener, this.takeWorker(request));
    this.running.add(running);
    try {
      return await running.result(askedAt, signal);
    } finally {
      running.end();
      this.running.delete(running);
      if (!request.python && this.keepSpare) this.warmLater();
    }
  }

  /**
   * Runs the request's file again and keeps one of its kernel calls to be looked into.
   * @throws NoValues with what went wrong in the user's code or request. @throws SimulatorFault
   */
  async inspect(request: CaptureRequest, call: KernelCall, listener: CaptureListener = {}, signal?: AbortSignal): Promise<Inspection> {
    if (this.disposed) throw new Error('the simulator was disposed');
    const refused = signal?.aborted ? stopError(false, 0, request.file) : checkRequest(request);
    if (refused) throw new NoValues(refused.message);
    const worker = this.takeWorker(request);
    const running = new Running(request, listener, worker, call);
    this.running.add(running);
    try {
      const { runs, error } = await running.result(Date.now(), signal);
      const run = runs.find(({ profile }) => isOfCall(decodeProfile(profile), call));
      if (run) return this.kept(worker, decodeProfile(run.profile));
      throw new NoValues(error?.message ?? 'the script did not call the kernel this time');
    } catch (error) {
      running.end();
      throw error;
    } finally {
      this.running.delete(running);
      if (!request.python && this.keepSpare) this.warmLater();
    }
  }

  private kept(worker: Worker, profile: Profile): Inspection {
    const inspection: Inspection = new Inspection(worker, profile, () => this.inspections.delete(inspection));
    this.inspections.add(inspection);
    return inspection;
  }

  dispose() {
    this.disposed = true;
    clearTimeout(this.spareTimer);
    void this.spare?.worker.terminate();
    this.spare = null;
    for (const running of this.running) running.kill();
    for (const inspection of this.inspections) inspection.dispose();
  }

  private warmLater() {
    clearTimeout(this.spareTimer);
    this.spareTimer = setTimeout(() => this.warm(), SPARE_AFTER_MS).unref();
  }

  private takeWorker(request: CaptureRequest): Worker {
    if (request.python) return this.startWorker('own');
    const { spare } = this;
    this.spare = null;
    if (!spare) return this.startWorker('bundled');
    spare.interrupt.stop('cancelled');
    spare.worker.ref();
    return spare.worker;
  }

  private startWorker(interpreter: WorkerSetup['interpreter'], rehearsal: WorkerSetup['rehearsal'] = null): Worker {
    if (interpreter === 'bundled') this.code.keep();
    const { port1: secondHand, port2: toWorker } = new MessageChannel();
    const workerData: WorkerSetup = { dist: this.dist, interpreter, secondHand, rehearsal };
    const worker = startThread(this.dist, 'worker.mjs', {
      workerData,
      transferList: [secondHand],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    lendSecondHand(this.dist, worker, toWorker);
    worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'rehearsal') this.rehearsal = message.rehearsal;
    });
    return worker;
  }
}

/** A worker that waits for a capture, and how it is told that there is one. */
interface Spare {
  worker: Worker;
  interrupt: Interrupt;
}

/** One capture in its worker. */
class Running {
  private readonly interrupt = new Interrupt();
  private readonly seconds: number;
  private timers: NodeJS.Timeout[] = [];
  private child: number | null = null;
  private finish: (result: CaptureResult) => void = () => {};

  constructor(
    private readonly request: CaptureRequest,
    private readonly listener: CaptureListener,
    private readonly worker: Worker,
    /** The kernel call that the worker stays for. */
    private readonly inspects?: KernelCall,
  ) {
    this.seconds = request.limits?.seconds ?? DEFAULT_LIMITS.seconds;
  }

  result(askedAt: number, signal: AbortSignal | undefined): Promise<CaptureResult> {
    const cancel = () => this.stop('cancelled');
    return new Promise<CaptureResult>((resolve, reject) => {
      this.finish = resolve;
      const fail = (report: string) => reject(new SimulatorFault(report));
      this.worker.on('message', (message: WorkerMessage) => this.hear(message, fail));
      this.worker.on('error', error => fail(error.stack ?? error.message));
      this.worker.on('exit', code => fail(`the worker ended early (exit code ${code})`));
      signal?.addEventListener('abort', cancel, { once: true });
      this.timers.push(setTimeout(() => this.stop('time'), this.seconds * 1000));
      this.listener.onProgress?.({ phase: 'start' });
      const env = this.request.python ? definedOnly(process.env) : overrides(process.env);
      const { request, inspects } = this;
      const message: CaptureMessage = { request, interrupt: this.interrupt.shared, env, askedAt, inspects };
      this.worker.postMessage(message);
    }).finally(() => {
      signal?.removeEventListener('abort', cancel);
      for (const timer of this.timers) clearTimeout(timer);
    });
  }

  /** At once, without a word from the script. */
  kill() {
    const byTime = this.interrupt.reason === 'time';
    this.finish(withoutRuns(stopError(byTime, this.seconds, this.request.file)));
  }

  /** First asks the script, which then says at which line it was. */
  private stop(reason: 'cancelled' | 'time') {
    const ask = () => {
      this.interrupt.stop(reason);
      this.signalChild('SIGINT');
    };
    ask();
    this.timers.push(
      setInterval(ask, ASK_AGAIN_MS),
      setTimeout(() => this.kill(), SOFT_STOP_MS),
    );
  }

  private hear(message: WorkerMessage, fail: (report: string) => void) {
    if (message.type === 'progress') this.listener.onProgress?.(message.progress);
    else if (message.type === 'output') this.listener.onOutput?.(message.text, message.stream);
    else if (message.type === 'child') this.child = message.pid;
    else if (message.type === 'result') this.finish(message.result);
    else if (message.type === 'fault') fail(message.report);
  }

  /** Ends the worker, and the interpreter that it started. */
  end() {
    if (this.child === null) {
      void this.worker.terminate();
      return;
    }
    // the worker started the child and is the one that can bury it
    this.signalChild('SIGKILL');
    setTimeout(() => void this.worker.terminate(), BURIAL_MS).unref();
  }

  private signalChild(signal: NodeJS.Signals) {
    if (this.child === null) return;
    try {
      process.kill(this.child, signal);
    } catch {
      // it has ended already
    }
  }
}

const isOfCall = ({ rerun }: Profile, { call, core }: KernelCall) => rerun?.call === call && rerun.core === core;

function withoutRuns(error: UserError): CaptureResult {
  return { runs: [], kernels: [], error, timingsMs: { start: 0, trace: 0, compile: 0, execute: 0, schedule: 0, total: 0 } };
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The one variable that the bundled interpreter's captures heed: which target to model. */
function overrides({ NEURON_PLATFORM_TARGET_OVERRIDE: target }: NodeJS.ProcessEnv): Record<string, string> {
  return target ? { NEURON_PLATFORM_TARGET_OVERRIDE: target } : {};
}
