/**
 * The worker's side: starts an interpreter, waits for one capture, runs it and answers. Then it ends, unless the kernel is kept for
 * inspection, or the capture is one of many. The caller gives the simulator, so that tests can use another one. `worker.ts` is the real entry.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Bridge, BridgeError } from '../frontend/bridge';
import { CpythonBridge } from '../frontend/cpythonBridge';
import { Interrupt } from '../frontend/interrupt';
import type { UserError } from '../frontend/protocol';
import { PyodideBridge } from '../frontend/pyodideBridge';
import { DEFAULT_TARGET } from '../hardware/targets';
import type { SimulatorBackend } from '../session/backend';
import { type CaptureRequest, type CaptureResult, limitsOf, type ReturnedCall } from '../session/capture';
import { HostSession, SaveError } from '../session/hostSession';
import type { ProfileSave } from '../session/sessionContext';
import { stopError } from '../session/stopError';
import { newAnswer, waitForAnswer } from './blockingAnswer';
import { ExecutorTeam } from './executorTeam';
import { answerInspections } from './inspectWorker';
import { LentThreads } from './lentThreads';
import type { CaptureMessage, WorkerMessage, WorkerSetup } from './messages';
import { RecorderTeam } from './recorderTeam';
import { runWarmUp, warmUpOf } from './warmUp';

const port = parentPort;

export async function serveCaptures(backend: SimulatorBackend) {
  if (!port) throw new Error('this file runs in a worker thread');
  const send = (message: WorkerMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const { dist, interpreter, warmUp } = workerData as WorkerSetup;
  const asked = nextCapture(port);
  try {
    const bundled = interpreter === 'bundled' ? new PyodideBridge(dist) : null;
    await bundled?.start();
    send({ type: 'ready' });
    if (warmUp) runWarmUp(warmUp.of, backend, new Interrupt(warmUp.interrupt));
    for (let message = await asked; ; message = await nextCapture(port)) {
      const { session, result } = await capture(message, bundled ?? ownInterpreter(dist, message, send), backend, send);
      const isReady = bundled?.isReady === true;
      if (!isReady) send({ type: 'warmUp', warmUp: warmUpOf(session) });
      send(
        { type: 'result', result, isReady },
        [...result.runs.map(run => run.profile), ...(result.launches ? [result.launches] : [])].map(({ buffer }) => buffer as ArrayBuffer),
      );
      if (message.inspects !== undefined && session.runs[message.inspects.call]) {
        answerInspections(port, session, message.inspects);
        return;
      }
      if (!isReady) break;
    }
  } catch (error) {
    send({ type: 'fault', report: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  port.close();
}

const nextCapture = (port: MessagePort) => new Promise<CaptureMessage>(resolve => port.once('message', resolve));

function ownInterpreter(dist: string, { request, env }: CaptureMessage, send: (message: WorkerMessage) => void): Bridge {
  const { python } = request;
  if (!python) throw new Error('no interpreter was named');
  return new CpythonBridge({
    dist,
    python,
    env: { ...env, ...request.env },
    stdin: request.stdin ?? 'ignore',
    onStart: pid => send({ type: 'child', pid }),
  });
}

async function capture(
  message: CaptureMessage,
  bridge: Bridge,
  backend: SimulatorBackend,
  send: (message: WorkerMessage) => void,
): Promise<{ session: HostSession; result: CaptureResult }> {
  const { askedAt, inspects, again } = message;
  const request = withDegree(message);
  const interrupt = new Interrupt(message.interrupt);
  const startMs = Date.now() - askedAt;
  const session = new HostSession({
    request,
    limits: limitsOf(request),
    target: request.target ?? ({ ...message.env, ...request.env }.NEURON_PLATFORM_TARGET_OVERRIDE || DEFAULT_TARGET),
    paths: bridge.paths,
    interrupt,
    backend,
    readFile: file => message.inputs.get(file) ?? new Uint8Array(0),
    saveProfile: (place, nkiprof) => save(place, nkiprof, send),
    onProgress: progress => send({ type: 'progress', progress }),
    ...(message.tellsReturns && { onReturn: (call: ReturnedCall) => send({ type: 'returned', call }) }),
    inspects: inspects?.call,
    // captures of a sweep already run on all cores
    ...(bridge instanceof PyodideBridge && !again && teamsFor(bridge, message, interrupt, send)),
  });
  const began = performance.now();
  const files = new Set<string>();
  const early = await runScript(bridge, session, { request, again, ...(again && { onFile: (file: string) => files.add(file) }) }, send);
  const scriptMs = performance.now() - began;
  if (session.fault) throw session.fault;
  const { compile, execute, schedule } = session.context.spentMs;
  const runs = session.results();
  const launches = inspects ? null : session.launches();
  const timingsMs = {
    start: startMs,
    trace: scriptMs - compile - execute - schedule,
    ...session.context.spentMs,
    total: Date.now() - askedAt,
  };
  const { kernels = [] } = session.finished ?? {};
  const readFiles = again ? { readFiles: [...files] } : {};
  return {
    session,
    result: { runs, ...(launches && { launches }), kernels, error: session.userError() ?? early, timingsMs, ...readFiles },
  };
}

/** Threads that record ranks, and compute their values. */
function teamsFor(bridge: PyodideBridge, { request }: CaptureMessage, interrupt: Interrupt, send: (message: WorkerMessage) => void) {
  const { threads: port } = workerData as WorkerSetup;
  const threads = new LentThreads({ request, port, send });
  return {
    recorders: new RecorderTeam({ request, interrupt, threads, image: () => bridge.image() }),
    executors: new ExecutorTeam({ request, interrupt, threads }),
  };
}

/** The environment's number of physical cores becomes the request's, so that the kernel runs the same way again. */
function withDegree({ request, env: { NEURON_LOGICAL_NC_CONFIG } }: CaptureMessage): CaptureRequest {
  return NEURON_LOGICAL_NC_CONFIG ? { ...request, env: { NEURON_LOGICAL_NC_CONFIG, ...request.env } } : request;
}

/** The client's process saves the profile, because this thread may not write. @throws SaveError */
function save(place: ProfileSave, nkiprof: Uint8Array, send: (message: WorkerMessage) => void): string {
  const answer = newAnswer();
  send({ type: 'save', save: place, nkiprof, answer });
  try {
    return waitForAnswer(answer);
  } catch (error) {
    throw new SaveError((error as Error).message);
  }
}

/** Runs the script. @returns what stopped the interpreter before the front end sent `done`. */
async function runScript(
  bridge: Bridge,
  session: HostSession,
  { request, again, onFile }: Pick<CaptureMessage, 'request' | 'again'> & { onFile?(file: string): void },
  send: (message: WorkerMessage) => void,
): Promise<UserError | null> {
  const { interrupt, limits } = session.context.options;
  const overlay = new Map(Object.entries(request.overlay ?? {}));
  const onOutput = (text: string, stream: 'stdout' | 'stderr') => send({ type: 'output', text, stream });
  const stopped = () => (interrupt.reason === 'none' ? null : stopError(interrupt.reason, limits, request.file));
  try {
    await bridge.run({ root: request.root, cwd: request.cwd, overlay, handle: session.handle, interrupt, onOutput, onFile, again });
  } catch (error) {
    if (session.finished) return null;
    if (interrupt.reason !== 'none') return stopped();
    if (!(error instanceof BridgeError)) throw error;
    return { kind: 'InterpreterError', message: error.message, file: request.file, line: null, traceback: null };
  }
  if (session.finished) return null;
  if (interrupt.reason !== 'none') return stopped();
  throw new Error('the front end ended without saying so');
}
