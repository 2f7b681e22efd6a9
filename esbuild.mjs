// Builds everything into dist/: the bundles, the Python package, the interpreter and its start-up snapshot.
// node esbuild.mjs [--watch] [--bundles-only]
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { buildPythonPackage } from './scripts/python-package.mjs';
import { buildSnapshot } from './scripts/snapshot.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(root, 'dist');
const watch = process.argv.includes('--watch');

const node = { platform: 'node', target: 'node20' };
/** Names stay: the stack of a fault of ours is what its report has. */
const named = { ...node, minifyWhitespace: true, minifySyntax: true };
const browser = { platform: 'browser', target: 'es2022', format: 'iife', minify: true, loader: { '.css': 'css' } };

/** Programs of threads and processes: output, entry. What several of them use is a file of its own beside them. */
const threads = {
  worker: 'src/simulator/service/worker.ts',
  sandbox: 'src/simulator/service/sandbox/main.ts',
  helper: 'src/simulator/service/helper.ts',
  recorder: 'src/simulator/service/recorder.ts',
  executor: 'src/simulator/service/executor.ts',
  host: 'src/simulator/service/host.ts',
  reader: 'src/cli/reader.ts',
};
const SHARED = 'shared-';
const split = { splitting: true, chunkNames: `${SHARED}[hash]`, outExtension: { '.js': '.mjs' }, external: ['./pyodide/pyodide.mjs'] };

/** One row per bundle: name, entry or entries, output or `.` for the folder, options. */
const bundles = [
  ['extension', 'src/extension/extension.ts', 'extension.js', { ...node, format: 'cjs', external: ['vscode'], minify: true }],
  ['threads', threads, '.', { ...named, format: 'esm', ...split }],
  ['cli', 'src/cli/main.ts', 'cli.js', { ...named, format: 'cjs', external: ['./mcpServer.js'] }],
  // what only one command needs, and others should not load
  ['mcpServer', 'src/cli/mcpServer.ts', 'mcpServer.js', { ...named, format: 'cjs', minify: true }],
  ['webview', 'src/webview/main.ts', 'webview/main.js', browser],
  ['unpacking', 'src/webview/unpacking/main.ts', 'webview/unpacking.js', browser],
  ['sweep', 'src/webview/sweep/main.ts', 'webview/sweep.js', browser],
  ['inputs', 'src/webview/inputs/main.ts', 'webview/inputs.js', browser],
];

async function build(name, entry, output, options) {
  const place = output === '.' ? { outdir: dist } : { outfile: path.join(dist, output) };
  const context = await esbuild.context({
    absWorkingDir: root,
    entryPoints: typeof entry === 'string' ? [entry] : entry,
    ...place,
    bundle: true,
    metafile: true,
    sourcemap: watch,
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  });
  if (watch) return context.watch();
  const { metafile } = await context.rebuild();
  await context.dispose();
  fs.writeFileSync(path.join(root, 'out/meta', `${name}.json`), JSON.stringify(metafile));
}

fs.mkdirSync(path.join(root, 'out/meta'), { recursive: true });
fs.mkdirSync(dist, { recursive: true });
for (const name of fs.readdirSync(dist)) if (name.startsWith(SHARED)) fs.rmSync(path.join(dist, name));
await Promise.all(bundles.map(bundle => build(...bundle)));
if (!process.argv.includes('--bundles-only')) {
  await buildPythonPackage(path.join(dist, 'python'));
  await buildSnapshot(dist);
}
