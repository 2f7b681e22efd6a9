// Bundles a bench in TypeScript and runs it.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** @param {string} name of `bench/NAME.bench.ts` */
export async function runBundled(name) {
  const outfile = path.join(root, 'out', `${name}-bench-${process.pid}.mjs`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [`bench/${name}.bench.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    define: { NKI_SCOPE_ROOT: JSON.stringify(root) },
    logLevel: 'warning',
  });
  try {
    await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(outfile, { force: true });
  }
}
