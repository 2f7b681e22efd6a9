// Values of a tiled bf16 matmul kernel, 1024 x 1024 x 1024, beside NumPy: one float32 product of the whole matrices, and the same tiles
// one after the other, which is what the kernel asks for. The kernel's first run in a client, and later ones, as in a window that
// has just profiled (its next worker is started in the pause between two runs, and warms up). All of them take turns, and none runs
// beside another.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { dist, root, simulator } from './support/build.mjs';
import { median, ms, printTable } from './support/table.mjs';

const ROUNDS = 7;
const SIZE = 1024;
/** Long enough for the next worker. */
const PAUSE_MS = 3000;
const pause = () => new Promise(resolve => setTimeout(resolve, PAUSE_MS));

const { SimulatorClient } = await simulator();
const file = path.join(root, 'bench/fidelity/matmul_hoisted.py');
const args = { lhs_t: `bf16[${SIZE},${SIZE}]`, rhs: `bf16[${SIZE},${SIZE}]` };

async function kernel(client) {
  const request = { file, root: path.dirname(file), kernel: 'matmul_hoisted', args, fill: 'random', numerics: 'on', target: 'trn2' };
  const result = await client.capture(request);
  if (result.error) throw new Error(result.error.message);
  return result.timingsMs.execute;
}

async function firstRun() {
  const client = new SimulatorClient({ dist });
  try {
    return await kernel(client);
  } finally {
    client.dispose();
  }
}

/** Milliseconds by name, or null where there is no NumPy. */
function numpy(threads) {
  const env = threads ? { ...process.env, OPENBLAS_NUM_THREADS: threads, OMP_NUM_THREADS: threads, MKL_NUM_THREADS: threads } : process.env;
  const { status, stdout } = spawnSync('python3', [path.join(root, 'bench/support/numpy_matmul.py'), String(SIZE)], {
    env,
    encoding: 'utf8',
  });
  return status === 0 ? JSON.parse(stdout) : null;
}

const kept = new SimulatorClient({ dist });
await kernel(kept);
await pause();
const samples = { first: [], later: [], one: [], all: [] };
for (let round = 0; round < ROUNDS; round++) {
  samples.first.push(await firstRun());
  // The kept client's worker has waited for a round: not what a user does who profiles again.
  await kernel(kept);
  await pause();
  samples.later.push(await kernel(kept));
  await pause();
  samples.one.push(numpy('1'));
  samples.all.push(numpy(''));
}
kept.dispose();

const [first, later] = [median(samples.first), median(samples.later)];
const rows = [['matmul 1024 x 1024 x 1024', 'time', 'first run', 'later runs']];
rows.push(['kernel in bf16, values: first run', ms(first), '', '']);
rows.push(['kernel in bf16, values: later runs', ms(later), '', '']);
if (samples.one.every(Boolean)) {
  const row = (name, times) =>
    rows.push([name, ms(median(times)), ...[first, later].map(time => `${(time / median(times)).toFixed(1)} x`)]);
  for (const [cores, times] of [
    ['one core', samples.one],
    ['all cores', samples.all],
  ]) {
    row(
      `NumPy, the same tiles in float32, ${cores}`,
      times.map(t => t.tiled),
    );
    row(
      `NumPy, one product in float32, ${cores}`,
      times.map(t => t.whole),
    );
  }
} else rows.push(['NumPy: python3 has none here, nothing to compare with', '', '', '']);
printTable(rows);
