/**
 * The worker's side: starts an interpreter, waits for one capture, runs it, answers and is done, unless it shall be looked into. The rooms are given, so that
 * tests can put others there; `worker.ts` is the real entry.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Bridge, BridgeError } from '../frontend/bridge';
import { CpythonBridge } from '../frontend/cpythonBridge';
import { HostSession, SaveError } from '../frontend/host';
import { Interrupt } from '../frontend/interrupt';
import { PyodideBridge } from '../frontend/pyodideBridge';
import type { Rooms } from '../frontend/rooms';
import { stopError } from '../frontend/stopError';
import { DEFAULT_TARGET } from '../hardware/targets';
import { type CaptureRequest, type CaptureResult, limitsOf, type UserError } from './api';
import { newAnswer, waitForAnswer } from './blockingAnswer';
import { answerInspections } from './inspectWorker';
import type { CaptureMessage, WorkerMessage, WorkerSetup } from './messages';
import { rehearsalOf, rehearse } from './rehearsal';

const port = parentPort;

export async function serveOneCapture(rooms: Rooms) {
  if (!port) throw new Error('this file runs in a worker thread');
  const send = (message: WorkerMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const { dist, interpreter, rehearsal } = workerData as WorkerSetup;
  const asked = new Promise<CaptureMessage>(resolve => port.once('message', resolve));
  try {
    const bundled = interpreter === 'bundled' ? new PyodideBridge(dist) : null;
    await bundled?.start();
    send({ type: 'ready' });
    if (rehearsal) rehearse(rehearsal.of, rooms, new Interrupt(rehearsal.interrupt));
    const message = await asked;
    const { session, result } = await capture(message, bundled ?? ownInterpreter(dist, message, send), rooms, send);
    send({ type: 'rehearsal', rehearsal: rehearsalOf(session) });
    send(
      { type: 'result', result },
      result.runs.map(run => run.profile.buffer as ArrayBuffer),
    );
    if (message.inspects !== undefined && session.runs[message.inspects.call]) {
      answerInspections(port, session, message.inspects);
      return;
    }
  } catch (error) {
    send({ type: 'fault', report: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  port.close();
}

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
  rooms: Rooms,
  send: (message: WorkerMessage) => void,
): Promise<{ session: HostSession; result: CaptureResult }> {
  const { request, askedAt, inspects } = message;
  const interrupt = new Interrupt(message.interrupt);
  const startMs = Date.now() - askedAt;
  const session = new HostSession({
    request,
    limits: limitsOf(request),
    target: request.target ?? ({ ...message.env, ...request.env }.NEURON_PLATFORM_TARGET_OVERRIDE || DEFAULT_TARGET),
    paths: bridge.paths,
    interrupt,
    rooms,
    readFile: file => message.inputs.get(file) ?? new Uint8Array(0),
    saveProfile: (name, nkiprof) => save(name, nkiprof, send),
    onProgress: progress => send({ type: 'progress', progress }),
    inspects: inspects?.call,
  });
  const began = performance.now();
  const early = await runScript(bridge, session, request, send);
  const scriptMs = performance.now() - began;
  if (session.fault) throw session.fault;
  const { compile, execute, schedule } = session.spentMs;
  const runs = session.results();
  const timingsMs = { start: startMs, trace: scriptMs - compile - execute - schedule, ...session.spentMs, total: Date.now() - askedAt };
  return { session, result: { runs, kernels: session.finished?.kernels ?? [], error: session.userError() ?? early, timingsMs } };
}

/** By whoever asked for the capture: this thread writes nothing. @throws SaveError */
function save(name: string, nkiprof: Uint8Array, send: (message: WorkerMessage) => void): string {
  const answer = newAnswer();
  send({ type: 'save', name, nkiprof, answer });
  try {
    return waitForAnswer(answer);
  } catch (error) {
    throw new SaveError((error as Error).message);
  }
}

/** What stopped the interpreter before the front end could say `done`. */
async function runScript(
  bridge: Bridge,
  session: HostSession,
  request: CaptureRequest,
  send: (message: WorkerMessage) => void,
): Promise<UserError | null> {
  const { interrupt, limits } = session.options;
  const overlay = new Map(Object.entries(request.overlay ?? {}));
  const onOutput = (text: string, stream: 'stdout' | 'stderr') => send({ type: 'output', text, stream });
  const stopped = () => (interrupt.reason === 'none' ? null : stopError(interrupt.reason, limits, request.file));
  try {
    await bridge.run({ root: request.root, overlay, handle: session.handle, interrupt, onOutput });
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
