/**
 * The process that runs the probes, as the command line or the extension would: canaries are in its environment, its arguments and its
 * standard input. Runs `Task`s from a file, writes `Outcome`s to another; started by `captures.ts`.
 */
import fs from 'node:fs';
import { SimulatorClient } from '../../../src/simulator/service/client';
import type { CaptureRequest } from '../../../src/simulator/session/capture';

export interface Task {
  /** Run one after another in one interpreter; a probe that ends it is reported, and the rest go on in the next. */
  probes: string[];
  request: CaptureRequest;
}

export interface Outcome {
  probes: string[];
  /** What was printed, up to `MOST_KEPT`, and how many characters there were. */
  printed: string;
  printedLength: number;
  /** The result as JSON, without profiles; of one that failed, its report. */
  result: string;
  failed: boolean;
  /** Latin-1. */
  profiles: string[];
  elapsedMs: number;
}

const MOST_KEPT = 2 ** 22;

const [tasksFile, outcomesFile, dist] = process.argv.slice(2);
const client = new SimulatorClient({ dist });
const outcomes: Outcome[] = [];

for (const task of JSON.parse(fs.readFileSync(tasksFile, 'utf8')) as Task[]) {
  let left = task.probes;
  while (left.length > 0) {
    const outcome = await run(task.request, left);
    outcomes.push(outcome);
    left = left.slice(Math.max(triedOf(outcome.printed), 1));
  }
}
client.dispose();
fs.writeFileSync(outcomesFile, JSON.stringify(outcomes));
// what is still alive must not keep it
process.exit(0);

async function run(request: CaptureRequest, probes: string[]): Promise<Outcome> {
  let [printed, printedLength] = ['', 0];
  const onOutput = (text: string) => {
    printedLength += text.length;
    if (printed.length < MOST_KEPT) printed += text;
  };
  const began = performance.now();
  const outcome = await client.capture({ ...request, argv: probes }, { onOutput }).then(
    ({ runs, ...result }) => ({
      result: JSON.stringify({ ...result, runs: runs.map(({ profile: _, ...run }) => run) }),
      failed: false,
      profiles: runs.map(run => Buffer.from(run.profile).toString('latin1')),
    }),
    (error: unknown) => ({ result: String((error as Error).stack), failed: true, profiles: [] }),
  );
  return { probes, printed, printedLength, ...outcome, elapsedMs: performance.now() - began };
}

/** How many probes the driver began. */
function triedOf(printed: string): number {
  return printed.match(/^@escape \{"tried":/gm)?.length ?? 0;
}
