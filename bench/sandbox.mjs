// What it costs that kernels run in a process of their own: the same captures in turns through threads of this process and through that
// process, warm; of a short kernel, and of one whose profile is large and has to be handed over.
import path from 'node:path';
import { dist, simulator } from './support/build.mjs';
import { EXP, kernelFile, longLoop } from './support/kernels.mjs';
import { median, mib, ms, printTable } from './support/table.mjs';

const RUNS = Number(process.env.RUNS ?? 9);
/** Long enough for the next interpreter to be ready, and to have been warmed up. */
const SPARE_READY_MS = 3000;
const INSTRUCTIONS = 100_000;

const { CaptureThreads, SimulatorClient } = await simulator();
const saveProfile = async () => '';

/** Each gives the bytes of the profile. */
function runners(request) {
  const threads = new CaptureThreads({ dist, keepSpare: true, saveProfile });
  const client = new SimulatorClient({ dist });
  threads.warm();
  client.warm(request.root);
  return {
    threads: () => threads.capture({ request, inputs: new Map(), env: {}, askedAt: Date.now() }),
    process: () => client.capture(request),
    dispose() {
      threads.dispose();
      client.dispose();
    },
  };
}

async function measure(name, file) {
  const request = { file, root: path.dirname(file), target: 'trn2', numerics: 'off' };
  const { dispose, ...ways } = runners(request);
  const times = { threads: [], process: [] };
  let bytes = 0;
  for (let run = 0; run <= RUNS; run++)
    for (const [way, capture] of Object.entries(ways)) {
      await new Promise(resolve => setTimeout(resolve, SPARE_READY_MS));
      const start = performance.now();
      const { error, runs } = await capture();
      if (error || runs.length === 0) throw new Error(error?.message ?? 'no run');
      bytes = runs[0].profile.length;
      // the first one meets code that is compiled
      if (run > 0) times[way].push(performance.now() - start);
    }
  dispose();
  const [threads, inProcess] = [median(times.threads), median(times.process)];
  return [name, mib(bytes), ms(threads), ms(inProcess), ms(inProcess - threads)];
}

printTable([
  ['warm capture', 'profile', 'threads', 'process', 'difference'],
  await measure('exp 250x512', kernelFile('exp.py', EXP)),
  await measure(`a loop of ${INSTRUCTIONS.toLocaleString('en')} instructions`, kernelFile('loop.py', longLoop(INSTRUCTIONS))),
]);
