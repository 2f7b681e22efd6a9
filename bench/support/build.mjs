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

/** What the benches call of the simulator: `entry.ts`. */
export async function simulator() {
  const outfile = await bundled('bench/support/entry.ts');
  const module = await import(pathToFileURL(outfile).href);
  fs.rmSync(outfile);
  return module;
}

/** @returns a module made of one source; whoever asks removes it */
export async function bundled(source) {
  const outfile = path.join(root, 'out/bench', `${path.basename(source, '.ts')}-${process.pid}.mjs`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}
