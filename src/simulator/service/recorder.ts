/**
 * Entry of dist/recorder.mjs: a thread that records ranks of a kernel call for a worker, and compiles them. It starts an interpreter,
 * and for each rank makes it what the worker's was when it asked. Walls and limits are those of a worker.
 */
import { type MessagePort, workerData } from 'node:worker_threads';
import { ImageBridge } from '../frontend/imageBridge';
import { Interrupt } from '../frontend/interrupt';
import { RecorderSession } from '../session/recorderSession';
import { simulatorBackend } from '../session/simulatorBackend';
import { type FromRecorder, NEWS, NEXT, type RankRound } from './recorderMessages';
import type { ThreadSetup } from './threadMessages';

const RECORD = (rank: number) => `__import__("nki._record.launch.recorders", fromlist=["record"]).record(${rank})`;

const { dist, port } = workerData as ThreadSetup;
const bridge = new ImageBridge();
let session: RecorderSession | null = null;

port.on('message', (round: RankRound) => void record(port, round));
const started = bridge.start(dist);

async function record(port: MessagePort, { number, image, ranks, shared, request, instructionLimit }: RankRound) {
  await started;
  const made = new RecorderSession({ request, instructionLimit, toHost: bridge.paths.toHost, backend: simulatorBackend });
  // of all rounds: a worker has one request
  if (!session)
    bridge.furnish({
      root: request.root,
      cwd: request.cwd,
      overlay: new Map(Object.entries(request.overlay ?? {})),
      handle: message => session!.handle(message),
      interrupt: new Interrupt(),
      onOutput: () => session!.refuse(),
    });
  session = made;
  const words = new Int32Array(shared);
  const send = (message: FromRecorder) => {
    port.postMessage(message);
    Atomics.add(words, NEWS, 1);
    Atomics.notify(words, NEWS);
  };
  for (let rank = Atomics.add(words, NEXT, 1); rank < ranks; rank = Atomics.add(words, NEXT, 1)) {
    session.begin();
    const isDone = bridge.run(image, RECORD(rank));
    send({ type: 'recorded', round: number, rank, recording: isDone ? session.end(rank) : null });
  }
  send({ type: 'finished', round: number });
}
