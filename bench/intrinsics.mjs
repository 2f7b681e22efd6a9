// Storing elements in arrays and typed arrays in three new processes: as JavaScript comes; with all prototypes frozen; and with those of arrays,
// typed arrays and objects only fixed (`src/simulator/frontend/sandbox/intrinsics.ts` does that in a kernel's thread).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { bundled } from './support/build.mjs';
import { median, printTable } from './support/table.mjs';

const ELEMENTS = 2_000_000;
const TIMES = 7;

const intrinsics = await bundled('src/simulator/frontend/sandbox/intrinsics.ts');
const HARDEN = {
  'as it comes': '',
  'all frozen': `for (const kind of [Object, Array, Float32Array, Object.getPrototypeOf(Float32Array)]) Object.freeze(kind.prototype);`,
  fixed: `(await import(${JSON.stringify(pathToFileURL(intrinsics).href)})).freezeIntrinsics();`,
};
const MEASURE = `
const { now } = performance;
const took = work => { const start = now.call(performance); work(); return now.call(performance) - start; };
const from = new Float32Array(${ELEMENTS}).fill(1.5), to = new Float32Array(${ELEMENTS});
const typed = () => { for (let i = 0; i < from.length; i++) to[i] = Math.fround(from[i] * 1.1); };
const holey = () => { const list = new Array(${ELEMENTS / 2}); for (let i = 0; i < list.length; i++) list[i] = i; return list; };
console.log(JSON.stringify([typed, holey].map(work => Array.from({ length: ${TIMES} }, () => took(work)))));
`;

const rows = Object.entries(HARDEN).map(([name, harden]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', harden + MEASURE], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return [name, ...JSON.parse(stdout).map(times => median(times))];
});
fs.rmSync(intrinsics);
printTable([
  ['prototypes', 'typed array, ms', 'ratio', 'array, ms', 'ratio'],
  ...rows.map(([name, typed, holey]) => [
    name,
    typed.toFixed(1),
    (typed / rows[0][1]).toFixed(1),
    holey.toFixed(1),
    (holey / rows[0][2]).toFixed(1),
  ]),
]);
