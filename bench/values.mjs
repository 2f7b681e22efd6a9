// Values of a tiled bf16 matmul kernel, 1024 x 1024 x 1024, beside NumPy: one float32 product of the whole matrices (all cores), and
// the same tiles one after the other on one core, which is what the kernel asks for.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { dist, root, simulator } from './support/build.mjs';
import { median, ms, printTable } from './support/table.mjs';

const RUNS = 5;
const SIZE = 1024;

const { SimulatorClient } = await simulator();
const file = path.join(root, 'bench/fidelity/matmul_hoisted.py');

async function kernel() {
  const samples = [];
  for (let run = 0; run < RUNS; run++) {
    const client = new SimulatorClient({ dist });
    const args = { lhs_t: `bf16[${SIZE},${SIZE}]`, rhs: `bf16[${SIZE},${SIZE}]` };
    const request = { file, root: path.dirname(file), kernel: 'matmul_hoisted', args, fill: 'random', numerics: 'on', target: 'trn2' };
    const result = await client.capture(request);
    client.dispose();
    if (result.error) throw new Error(result.error.message);
    samples.push(result.timingsMs.execute);
  }
  return median(samples);
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

const ours = await kernel();
const [all, one] = [numpy(''), numpy('1')];
const rows = [['matmul 1024 x 1024 x 1024', 'time', 'the kernel takes']];
rows.push(['kernel in bf16, values', ms(ours), '']);
if (all && one) {
  const row = (name, time) => rows.push([name, ms(time), `${(ours / time).toFixed(1)} x`]);
  row('NumPy, the same tiles in float32, one core', one.tiled);
  row('NumPy, the same tiles in float32, all cores', all.tiled);
  row('NumPy, one product in float32, one core', one.whole);
  row('NumPy, one product in float32, all cores', all.whole);
} else rows.push(['NumPy: python3 has none here, nothing to compare with', '', '']);
printTable(rows);
