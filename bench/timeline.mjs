// The timeline in Chromium (timeline.bench.ts), bundled and run. Needs Chromium: CHROMIUM, or /usr/bin/chromium.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const outfile = path.join(root, 'out', `timeline-bench-${process.pid}.mjs`);
await esbuild.build({
  absWorkingDir: root,
  entryPoints: ['bench/timeline.bench.ts'],
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
