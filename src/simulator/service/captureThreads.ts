/**
 * Runs captures in worker threads of this process, one thread for each capture, so that a kernel can be stopped, cannot block other work,
 * and always has a fresh interpreter. The next worker is started before it is needed. Of many captures (`CaptureTask.again`), a thread
 * serves one after another, and its interpreter is made as it was before each (`frontend/restingState.ts`).
 *
 * `client.ts` decides in which process it runs.
 */

import { MessageChannel, type Worker } from 'node:worker_threads';
import { Interrupt } from '../frontend/interrupt';
import { endTree } from '../frontend/processTree';
import { decodeProfile } from '../profile/codec';
import type { Profile } from '../profile/profile';
import { type CaptureListener, type CaptureResult, type KernelCall, limitsOf, withoutRuns } from '../session/capture';
import type { ProfileSave } from '../session/sessionContext';
import { type Stopped, stopError } from '../session/stopError';
import { answerTo } from './blockingAnswer';
import { SimulatorFault } from './fault';
import { lendHelperThread } from './helperThread';
import { Inspection, NoValues } from './inspection';
import { startLongTimer } from './longTimer';
import type { CaptureMessage, CaptureTask, WorkerMessage, WorkerSetup } from './messages';
import { SharedCode } from './sharedCode';
import { startThread } from './thread';
import { inspectThread } from './threadInspection';
import { lendThreads } from './threadLending';
import type { WarmUp } from './warmUp';

/** Time that a script has to stop after a request. It is short if the script uses too much memory. */
export const SOFT_STOP_MS = { cancelled: 3000, time: 3000, memory: 500 } as const;
/**
 * A request to stop can be lost, because Python ignores exceptions in some places (such as destructors). It is repeated after this time.
 */
const ASK_AGAIN_MS = 1000;
/** Time that a worker has to notice the end of the interpreter that it started. */
const BURIAL_MS = 1000;
/**
 * Starting an interpreter keeps a core busy for a second. This delay lets the page draw the last result first. A longer delay would make
 * the next edit's run wait.
 */
const SPARE_AFTER_MS = 120;
/** The JavaScript heap of a normal worker is far smaller. A runaway heap ends the worker, not the editor. */
const MAX_HEAP_MB = 4096;

export interface CaptureThreadsOptions {
  /** Host path of the build. */
  dist: string;
  /** Start the next interpreter after each capture: for a host that will run more. */
  keepSpare: boolean;
  /** Options of Node for the workers: their permissions. */
  execArgv?: readonly string[];
  /** Writes a profile that a script saves; gives its path. @throws SaveError */
  saveProfile(task: CaptureTask, place: ProfileSave, nkiprof: Uint8Array): Promise<string>;
}

export class CaptureThreads {
  private spare: Spare | null = null;
  private warmUp: WarmUp | null = null;
  private spareTimer: NodeJS.Timeout | undefined;
  private readonly running = new Set<Running>();
  private readonly inspections = new Set<Inspection>();
  /** They wait for the next of many captures. */
  private readonly ready = new Set<Worker>();
  private readonly code: SharedCode;
  private disposed = false;

  constructor(private readonly options: CaptureThreadsOptions) {
    this.code = new SharedCode(options.dist);
  }

  /** Starts the next interpreter, so that a capture finds it ready. Cheap to call again. */
  warm() {
    if (this.disposed || this.spare) return;
    const { warmUp } = this;
    const interrupt = new Interrupt();
    const worker = this.startWorker('bundled', warmUp && { of: warmUp, interrupt: interrupt.shared });
    worker.unref();
    // if a spare dies, the next capture starts another one and gets its error
    const forget = () => {
      if (this.spare?.worker === worker) this.spare = null;
    };
    worker.once('error', forget).once('exit', forget);
    this.spare = { worker, interrupt };
  }

  /**
   * Runs the task's file. An error in the user's code or request is in the result's `error`.
   * @throws SimulatorFault for faults of NKI Scope
   */
  async capture(task: CaptureTask, listener: CaptureListener = {}, signal?: AbortSignal): Promise<CaptureResult> {
    const running = this.start(task, listener);
    try {
      return await running.result(signal);
    } finally {
      if (running.isReady && !this.disposed) this.keepReady(running.worker);
      else running.end();
      this.forget(running);
    }
  }

  /**
   * Runs the task's file again and keeps one of its kernel calls for inspection.
   * @throws NoValues for an error in the user's code or request
   * @throws SimulatorFault
   */
  async inspect(task: CaptureTask, call: KernelCall, listener: CaptureListener = {}, signal?: AbortSignal): Promise<Inspection> {
    const running = this.start(task, listener, call);
    try {
      const { runs, error } = await running.result(signal);
      const run = runs.find(({ profile }) => isOfCall(decodeProfile(profile), call));
      if (run) return this.kept(running.worker, decodeProfile(run.profile));
      throw new NoValues(error?.message ?? 'the script did not call the kernel this time');
    } catch (error) {
      running.end();
      throw error;
    } finally {
      this.forget(running);
    }
  }

  /** This process uses too much memory: stops running captures, and drops kept kernels. */
  stopForMemory() {
    for (const running of this.running) running.stop('memory');
    for (const inspection of this.inspections) inspection.dispose();
    this.endReady();
  }

  private start(task: CaptureTask, listener: CaptureListener, inspects?: KernelCall): Running {
    if (this.disposed) throw new Error('the simulator was disposed');
    const save = (place: ProfileSave, nkiprof: Uint8Array) => this.options.saveProfile(task, place, nkiprof);
    const running = new Running(task, { ...listener, save }, this.takeWorker(task), inspects);
    this.running.add(running);
    return running;
  }

  private forget(running: Running) {
    this.running.delete(running);
    if (!running.task.request.python && this.options.keepSpare) this.warmLater();
  }

  private kept(worker: Worker, profile: Profile): Inspection {
    const inspection: Inspection = new Inspection(inspectThread(worker), profile, () => this.inspections.delete(inspection));
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
    this.endReady();
  }

  private keepReady(worker: Worker) {
    this.ready.add(worker);
    worker.unref();
  }

  private endReady() {
    for (const worker of this.ready) void worker.terminate();
    this.ready.clear();
  }

  private warmLater() {
    clearTimeout(this.spareTimer);
    this.spareTimer = setTimeout(() => this.warm(), SPARE_AFTER_MS).unref();
  }

  private takeWorker({ request, again }: CaptureTask): Worker {
    if (request.python) return this.startWorker('own');
    const [ready] = again ? this.ready : [];
    if (ready) {
      this.ready.delete(ready);
      ready.ref();
      return ready;
    }
    const { spare } = this;
    this.spare = null;
    if (!spare) return this.startWorker('bundled');
    spare.interrupt.stop('cancelled');
    spare.worker.ref();
    return spare.worker;
  }

  private startWorker(interpreter: WorkerSetup['interpreter'], warmUp: WorkerSetup['warmUp'] = null): Worker {
    if (interpreter === 'bundled') this.code.keep();
    const { port1: helperThread, port2: toWorker } = new MessageChannel();
    const { port1: threads, port2: ofThreads } = new MessageChannel();
    const { dist, execArgv = [] } = this.options;
    const workerData: WorkerSetup = { dist, interpreter, helperThread, threads, warmUp };
    const worker = startThread(dist, 'worker.mjs', {
      workerData,
      execArgv: [...execArgv],
      transferList: [helperThread, threads],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    lendHelperThread(dist, worker, toWorker);
    lendThreads(worker, ofThreads, { dist, execArgv, maxHeapMb: MAX_HEAP_MB });
    worker.on('message', (message: WorkerMessage) => {
      if (message.type === 'warmUp') this.warmUp = message.warmUp;
    });
    // one that dies while it waits is not taken
    const forget = () => this.ready.delete(worker);
    worker.on('error', forget).on('exit', forget);
    return worker;
  }
}

/** A worker that waits for a capture, and the signal that ends its wait. */
interface Spare {
  worker: Worker;
  interrupt: Interrupt;
}

interface RunningListener extends CaptureListener {
  save(place: ProfileSave, nkiprof: Uint8Array): Promise<string>;
}

/** One capture in its worker. */
class Running {
  private readonly interrupt = new Interrupt();
  private readonly timers: NodeJS.Timeout[] = [];
  private child: number | null = null;
  private cancelTimer = () => {};
  private finish: (result: CaptureResult) => void = () => {};
  /** The worker waits for another capture. */
  isReady = false;

  constructor(
    readonly task: CaptureTask,
    private readonly listener: RunningListener,
    readonly worker: Worker,
    /** The kernel call that the worker keeps for inspection. */
    private readonly inspects?: KernelCall,
  ) {}

  result(signal: AbortSignal | undefined): Promise<CaptureResult> {
    const cancel = () => this.stop('cancelled');
    const heard = new AbortController();
    return new Promise<CaptureResult>((resolve, reject) => {
      this.finish = resolve;
      const fail = (report: string) => reject(new SimulatorFault(report));
      const listen = <Args extends never[]>(event: string, listener: (...args: Args) => void) => {
        this.worker.on(event, listener as () => void);
        heard.signal.addEventListener('abort', () => this.worker.off(event, listener as () => void));
      };
      listen('message', (message: WorkerMessage) => this.hear(message, fail));
      listen('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.kill('memory');
        else fail(error.stack ?? error.message);
      });
      listen('exit', (code: number) => fail(`the worker ended early (exit code ${code})`));
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      this.cancelTimer = startLongTimer(() => this.stop('time'), limitsOf(this.task.request).seconds * 1000);
      this.listener.onProgress?.({ phase: 'start' });
      const { task, inspects } = this;
      this.worker.postMessage({ ...task, interrupt: this.interrupt.shared, inspects } satisfies CaptureMessage);
    }).finally(() => {
      signal?.removeEventListener('abort', cancel);
      if (this.isReady) heard.abort();
      this.cancelTimer();
      for (const timer of this.timers) clearTimeout(timer);
    });
  }

  /** Ends the worker at once, without a report from the script. */
  kill(reason: Stopped = 'cancelled') {
    const first = this.interrupt.reason;
    const { request } = this.task;
    this.finish(withoutRuns(stopError(first === 'none' ? reason : first, limitsOf(request), request.file)));
  }

  /** First requests the script to stop, so that it can report its line. */
  stop(reason: Stopped) {
    if (this.interrupt.reason !== 'none') return;
    const ask = () => {
      this.interrupt.stop(reason);
      this.signalChild('SIGINT');
    };
    ask();
    this.timers.push(
      setInterval(ask, ASK_AGAIN_MS),
      setTimeout(() => this.kill(), SOFT_STOP_MS[reason]),
    );
  }

  private hear(message: WorkerMessage, fail: (report: string) => void) {
    if (message.type === 'progress') this.listener.onProgress?.(message.progress);
    else if (message.type === 'returned') this.listener.onReturn?.(message.call);
    else if (message.type === 'output') this.listener.onOutput?.(message.text, message.stream);
    else if (message.type === 'save') void answerTo(message.answer, this.listener.save(message.save, message.nkiprof));
    else if (message.type === 'child') this.child = message.pid;
    else if (message.type === 'result') {
      this.isReady = message.isReady && this.interrupt.reason === 'none';
      this.finish(message.result);
    } else if (message.type === 'fault') fail(message.report);
  }

  /** Ends the worker, and the interpreter that it started. */
  end() {
    if (this.child === null) {
      void this.worker.terminate();
      return;
    }
    // only the worker, which started the child, can wait for its end
    endTree(this.child);
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

const isOfCall = ({ rerun }: Profile, { call }: KernelCall) => rerun?.call === call;
