// Sweeps 200 variants of the matmul of a public autotuner, twice, the second time with a process killed on the way, and compares the tables byte
// for byte. node scripts/autotune.mjs CHECKOUT [POINTS], where CHECKOUT is a checkout of github.com/awslabs/nki-autotune with its history.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './install.mjs';

/** The last commit that has the templates of matrix products: 6 loop orders, 9 places of loads, all blockings. */
const COMMIT = 'c4eb830f34abb8d09f7b39a4101c5d4954bf51bb';
/** Of all its configurations for 2048 x 2048 x 2048. */
const CONFIGURATIONS = 4050;
const DRIVER = `import ml_dtypes
import numpy as np
from autotune.gemm.config import sample_gemm_configs
from autotune.gemm.kernels import lhsT_rhs_meta_gemm

CONFIG = 0
configs = sample_gemm_configs(2048, 2048, 2048, -1)
assert len(configs) == ${CONFIGURATIONS}
given = [np.zeros((2048, 2048), dtype=ml_dtypes.bfloat16) for _ in range(2)]
lhsT_rhs_meta_gemm(*given, configs[CONFIG])
`;

const [checkout, points = '200'] = process.argv.slice(2);
if (!checkout) {
  console.error('name a checkout of nki-autotune');
  process.exit(2);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-autotune-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const archive = spawnSync('git', ['-C', checkout, 'archive', COMMIT, 'autotune/src/autotune'], { maxBuffer: 2 ** 28 });
if (archive.status !== 0) throw new Error(String(archive.stderr));
spawnSync('tar', ['x', '-C', folder, '--strip-components=2'], { input: archive.stdout });
// the package imports its benchmark of devices
fs.writeFileSync(path.join(folder, 'autotune/__init__.py'), '');
fs.writeFileSync(path.join(folder, 'tune.py'), DRIVER);

function sweep(name, killAfter) {
  const space = ['--set', `CONFIG=0:${CONFIGURATIONS - 1}`, '--sample', points, '--seed', '1', '--target', 'trn2', '--numerics', 'off'];
  const output = ['--no-resume', '--json-lines', '--csv', path.join(folder, `${name}.csv`)];
  const began = performance.now();
  const child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), 'sweep', path.join(folder, 'tune.py'), ...space, ...output]);
  const rows = [];
  let rest = '';
  let killed = 0;
  child.stdout.on('data', data => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    rows.push(...lines.map(line => JSON.parse(line)));
    if (killAfter && rows.length >= killAfter && killed === 0) killed = killOne();
  });
  child.stderr.on('data', data => process.stderr.write(data));
  return new Promise(resolve =>
    child.on('close', status => resolve({ status, seconds: (performance.now() - began) / 1000, rows, killed })),
  );
}

/** One process for kernels of this folder. @returns its number */
function killOne() {
  const listed = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).stdout.split('\n');
  const pid = Number(
    listed
      .find(row => row.includes('sandbox.mjs') && row.includes(folder))
      ?.trim()
      .split(' ')[0],
  );
  process.kill(pid, 'SIGKILL');
  return pid;
}

const first = await sweep('first');
const second = await sweep('second', Number(points) / 4);
const [one, two] = ['first', 'second'].map(name => fs.readFileSync(path.join(folder, `${name}.csv`)));
const fastest = first.rows.filter(row => row.error === null).sort((a, b) => a.total_time_ns - b.total_time_ns)[0];
console.log(`${first.rows.length} points, ${first.rows.filter(row => row.error !== null).length} of them do not run`);
console.log(`${first.rows.reduce((sum, row) => sum + (row.instructions ?? 0), 0)} instructions in all`);
console.log(`fastest: ${JSON.stringify(fastest)}`);
console.log(
  `${first.seconds.toFixed(0)} s on ${os.availableParallelism()} cores; ${second.seconds.toFixed(0)} s with process ${second.killed} killed`,
);
console.log(`same table, byte for byte: ${one.equals(two)}`);
process.exit(first.status === 0 && second.status === 0 && one.equals(two) ? 0 : 1);
