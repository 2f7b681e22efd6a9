/** The worker's side of an inspection: after its capture the worker stays, and answers requests for the values of single instructions. */
import type { MessagePort } from 'node:worker_threads';
import { Interrupt } from '../frontend/interrupt';
import { encodeValues } from '../profile/instructionValues';
import { RunError, type SteppedExecution } from '../session/backend';
import type { KernelCall } from '../session/capture';
import { type HostSession, isUserError } from '../session/hostSession';
import type { InspectMessage, WorkerMessage } from './messages';

/** Answers until the worker is ended. */
export function answerInspections(port: MessagePort, session: HostSession, { call }: KernelCall): void {
  let inspection: SteppedExecution | null = null;
  const begin = () => {
    inspection ??= session.runs[call].inspect();
    return inspection;
  };
  port.on('message', ({ instruction, interrupt }: InspectMessage) => {
    const { message, transfer } = answer(begin, instruction, new Interrupt(interrupt), done => send({ type: 'inspecting', done }));
    send(message, transfer);
  });
  const send = (message: WorkerMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
}

type Answer = { message: WorkerMessage; transfer?: ArrayBuffer[] };

function answer(begin: () => SteppedExecution, instruction: number, interrupt: Interrupt, onProgress: (done: number) => void): Answer {
  const shouldStop = () => interrupt.reason !== 'none';
  try {
    const bytes = encodeValues({ instruction, ...begin().at(instruction, { shouldStop, onProgress }) });
    return { message: { type: 'inspected', bytes }, transfer: [bytes.buffer as ArrayBuffer] };
  } catch (error) {
    if (!isUserError(error)) return { message: { type: 'fault', report: (error as Error).stack ?? String(error) } };
    return { message: { type: 'refused', message: shouldStop() ? 'stopped' : said(error) } };
  }
}

const said = (error: Error) =>
  error instanceof RunError && error.position ? `${error.message} (line ${error.position.line})` : error.message;
