// Time from asking for a capture of exp 250x512 to holding its profile: in a new process, with a new interpreter in a
// running one, and with the spare interpreter that waits while the user types.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { dist, simulator } from './support/build.mjs';
import { EXP, kernelFile } from './support/kernels.mjs';
import { median, ms, printTable } from './support/table.mjs';

const RUNS = 7;
/** Long enough for the spare to be ready on a slow machine. */
const SPARE_READY_MS = 3000;

const file = kernelFile('exp.py', EXP);
const request = { file, root: path.dirname(file), target: 'trn1' };
const { SimulatorClient } = await simulator();

async function timed(act) {
  const start = performance.now();
  const result = await act();
  return { ms: performance.now() - start, result };
}

async function capture(client) {
  const { ms, result } = await timed(() => client.capture(request));
  if (result.error || result.runs.length !== 1) throw new Error(result.error?.message ?? 'no run');
  return { ms, timings: result.timingsMs };
}

function newProcess() {
  const output = path.join(path.dirname(file), 'exp.nkiprof');
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [
    path.join(dist, 'cli.js'),
    'capture',
    file,
    '--target',
    'trn1',
    '-s',
    output,
    '--json',
  ]);
  if (status !== 0) throw new Error(String(stderr));
  return { ms: performance.now() - start };
}

async function cold() {
  const client = new SimulatorClient({ dist });
  try {
    return await capture(client);
  } finally {
    client.dispose();
  }
}

async function series(run) {
  const samples = [];
  for (let i = 0; i < RUNS; i++) samples.push(await run());
  return samples;
}

const processes = await series(newProcess);
const colds = await series(cold);
const client = new SimulatorClient({ dist });
client.warm(request.root);
const warms = await series(async () => {
  await new Promise(resolve => setTimeout(resolve, SPARE_READY_MS));
  return capture(client);
});
client.dispose();

const phases = ['start', 'trace', 'compile', 'execute', 'schedule'];
const row = (name, samples) => [
  name,
  ms(median(samples.map(s => s.ms))),
  ...phases.map(phase => (samples[0].timings ? ms(median(samples.map(s => s.timings[phase]))) : '')),
];
printTable([
  ['exp 250x512, trn1', 'to profile', ...phases],
  row('command line, new process', processes),
  row('new interpreter', colds),
  row('warm', warms),
]);
