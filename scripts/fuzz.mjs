// npm run fuzz [-- target...] [--mutants N] [--seed N]: reads files that were made to do harm, 10,000 of each format. Prints each fault
// with the seed of which it is the first mutant: `npm run fuzz -- nkiprof --seed 123 --mutants 1` runs that one again.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import { root } from './install.mjs';

const { values, positionals } = parseArgs({
  options: { mutants: { type: 'string', default: '10000' }, seed: { type: 'string', default: String(Date.now() % 2 ** 31) } },
  allowPositionals: true,
});
const [mutants, seed] = [Number(values.mutants), Number(values.seed)];
const outdir = path.join(root, 'out', `fuzz-${process.pid}`);

await esbuild.build({
  absWorkingDir: root,
  entryPoints: ['runFuzz', 'fuzzWorker', 'targets'].map(name => `test/security/fuzz/${name}.ts`),
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  outExtension: { '.js': '.mjs' },
  define: { NKI_SCOPE_ROOT: JSON.stringify(root) },
  logLevel: 'warning',
});
process.setSourceMapsEnabled(true);
let failed = false;
try {
  const load = name => import(pathToFileURL(path.join(outdir, `${name}.mjs`)).href);
  const [{ runFuzz }, { TARGETS }] = await Promise.all([load('runFuzz'), load('targets')]);
  const targets = positionals.length > 0 ? positionals : Object.keys(TARGETS);
  const unknown = targets.filter(name => !Object.hasOwn(TARGETS, name));
  if (unknown.length > 0 || !(mutants > 0) || !Number.isInteger(seed)) {
    console.error(`npm run fuzz [-- target...] [--mutants N] [--seed N]; targets: ${Object.keys(TARGETS).join(', ')}`);
    process.exit(2);
  }
  for (const target of targets) {
    const onFault = fault =>
      console.log(`  FAULT ${target} --seed ${fault.seed} --mutants 1\n    ${fault.what.split('\n').slice(0, 6).join('\n    ')}`);
    const began = performance.now();
    const worker = pathToFileURL(path.join(outdir, 'fuzzWorker.mjs'));
    const { read, refused, faults } = await runFuzz({ worker, target, seed, mutants, onFault });
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `${target}: ${read} read, ${refused} refused, ${faults.length} faults of ${mutants} mutants from seed ${seed} on, ${seconds} s`,
    );
    failed ||= faults.length > 0;
  }
} finally {
  fs.rmSync(outdir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
