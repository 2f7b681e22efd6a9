// Times the kernels of rows with many machines and policies. Each is recorded once, in a worker of its own (bench/fidelity/variantsWorker.ts).
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { root } from './install.mjs';

/** Bundles a text of imports, and imports it. @param contents exports, paths from the root of the repository */
export async function sources(name, contents) {
  const outfile = path.join(root, 'out', `${name}-${process.pid}.mjs`);
  const stdin = { contents, resolveDir: root, loader: 'ts' };
  await esbuild.build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(outfile);
  }
}

/** A copy of dist/ whose worker times variants. */
async function distOfVariants() {
  const dist = path.join(root, 'out', `variants-${process.pid}`);
  fs.cpSync(path.join(root, 'dist'), dist, { recursive: true });
  const entryPoints = [path.join(root, 'bench', 'fidelity', 'variantsWorker.ts')];
  const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'warning', external: ['./pyodide/pyodide.mjs'] };
  await esbuild.build({ ...options, entryPoints, outfile: path.join(dist, 'worker.mjs') });
  return dist;
}

/**
 * @param rows as `fidelity` reads them, each with the absolute `folder` of its file
 * @param variantsOf of a row, what to time it with: [{name, machine, policy}] of values by path; the first is as the profile says
 * @param take called with each row, its times by name in ns, and the kind of its kernel
 */
export async function timeVariants(rows, variantsOf, take) {
  const { SimulatorClient, requestOf, neuronPolicy, decodeProfile, kernelKind } = await sources(
    'variants',
    `export { SimulatorClient, neuronPolicy, decodeProfile, kernelKind } from './src/simulator/index';
     export { requestOf } from './src/cli/fidelityRows';`,
  );
  const dist = await distOfVariants();
  const client = new SimulatorClient({ dist });
  try {
    for (const row of rows) {
      const policy = { ...neuronPolicy, asked: { metric: row.metric, run: row.run, variants: variantsOf(row) } };
      const options = { onProgress: () => {}, onOutput: () => {} };
      const { error, runs } = await client.capture({ ...requestOf(row, row.folder), policy }, options, new AbortController().signal);
      if (error || runs.length === 0) {
        console.error(`${row.id}: ${error?.message ?? 'no kernel was called'}`);
        continue;
      }
      const times = runs.map(run => JSON.parse(run.checks[0].message));
      const sum = name => times.reduce((ns, one) => ns + one[name], 0);
      take(row, Object.fromEntries(Object.keys(times[0]).map(name => [name, sum(name)])), kernelKind(decodeProfile(runs[0].profile)));
    }
  } finally {
    client.dispose();
    fs.rmSync(dist, { recursive: true, force: true });
  }
}
