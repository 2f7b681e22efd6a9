/**
 * Entry of dist/executor.mjs: a thread that computes values of some ranks of a kernel call for a worker. It runs our own code on programs and
 * values, and never runs a kernel: it has no interpreter.
 */
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Execution } from '../execute/execute';
import { RankShare, type Reached } from '../execute/rankShare';
import { Interrupt } from '../frontend/interrupt';
import { awaitNews, type FromExecutor, sayNews, type ToExecutor, type ValueRound } from './executorMessages';
import { allowRelaxedSimd } from './relaxedSimd';
import { owned } from './sharedCopies';
import type { ThreadSetup } from './threadMessages';

allowRelaxedSimd();
const { port } = workerData as ThreadSetup;
// the listener keeps the thread alive
port.on('message', (round: ValueRound) => {
  const words = new Int32Array(round.toWorker);
  const send = (message: FromExecutor, transfer: ArrayBuffer[] = []) => {
    port.postMessage(message, transfer);
    sayNews(words);
  };
  try {
    carryOut(port, round, ({ values, ...reached }) => {
      const own = values.map(owned);
      send({ type: 'reached', reached: { ...reached, values: own } }, [...new Set(own.map(({ buffer }) => buffer as ArrayBuffer))]);
    });
  } catch {
    send({ type: 'failed' });
  }
});

/** @throws ExecutionError also where the capture was stopped */
function carryOut(port: MessagePort, { ranks, machine, ...round }: ValueRound, onReached: (reached: Reached) => void) {
  const interrupt = new Interrupt(round.interrupt);
  const shouldStop = () => interrupt.reason !== 'none';
  const share = new RankShare(
    ranks.map(({ program, inputs, ...rank }) => {
      const outputs = new Set(rank.wanted);
      const options = { machine, shouldStop, keep: (tensor: number) => outputs.has(tensor) };
      return { ...rank, execution: new Execution(program, tensor => inputs.get(tensor) ?? null, options) };
    }),
  );
  const words = new Int32Array(round.toThread);
  while (!share.isDone) {
    const before = Atomics.load(words, 0);
    for (let heard = receiveMessageOnPort(port); heard; heard = receiveMessageOnPort(port))
      for (const exchanged of heard.message as ToExecutor) share.exchanged(exchanged);
    const reached = share.next();
    if (reached) onReached(reached);
    else if (shouldStop()) throw new Error('stopped');
    else awaitNews(words, before);
  }
}
