// Bundles the sources that the benches measure. Node runs no TypeScript, and dist/ has only finished programs.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
/** The built interpreter and worker; NKI_SCOPE_DIST names another folder. */
export const dist = process.env.NKI_SCOPE_DIST ?? path.join(root, 'dist');

if (!fs.existsSync(path.join(dist, 'worker.mjs'))) {
  console.error(`${dist} is not built: run npm run build`);
  process.exit(2);
}

export async function simulator() {
  const outfile = path.join(root, 'out/bench', `entry-${process.pid}.mjs`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['bench/support/entry.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const module = await import(pathToFileURL(outfile).href);
  fs.rmSync(outfile);
  return module;
}
