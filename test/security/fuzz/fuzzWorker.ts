/** The thread in which mutants are made and read, one after the other. Says which it is at; `runFuzz.ts` watches time and memory. */
import { parentPort, workerData } from 'node:worker_threads';
import { random } from '../../support/syntheticProfile';
import type { FuzzJob, FuzzNews } from './runFuzz';
import { TARGETS } from './targets';

const { target, seed, from, to, at } = workerData as FuzzJob;
const port = parentPort!;
const say = (news: FuzzNews) => port.postMessage(news);

const run = await TARGETS[target]();
say({ is: 'started' });
const counts = { read: 0, refused: 0 };
for (let mutant = from; mutant < to; mutant++) {
  Atomics.store(at, 0, mutant);
  try {
    counts[await run(random(seed + mutant))]++;
  } catch (error) {
    say({ is: 'fault', mutant, what: String((error as Error).stack ?? error) });
  }
}
say({ is: 'done', counts });
