// Tests the packaged extension in a real VS Code.
//   node test/workbench/run.mjs [suite|drive] [--all | --grep REGEXP] [--vsix FILE]
// suite: mocha inside the extension host. drive: the window used from outside, with screenshots in out/shots/. Both without a word.
// --all: the long tests, too, which otherwise run when --grep names them.
// NKI_SCOPE_WORKBENCH=electron runs the suite in a downloaded desktop VS Code (electron.mjs); that is also the way where VS Code's
// server is not published for the platform. Exit codes: 0 all passed, 1 a test failed, 2 the harness could not do its work.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import Mocha from 'mocha';
import { closingLine } from '../../scripts/closingLine.mjs';
import { WITHOUT_LONG } from '../../scripts/longTests.mjs';
import { makePackage } from '../../scripts/package.mjs';
import { serverRunsHere, setup } from './setup.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const out = path.join(root, 'out/workbench');
const results = path.join(out, 'suite-results.json');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, grep: { type: 'string' }, vsix: { type: 'string' } },
});
const electron = process.env.NKI_SCOPE_WORKBENCH === 'electron' || !serverRunsHere();

function bundle(entries, outdir, more) {
  return esbuild.build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    bundle: true,
    platform: 'node',
    packages: 'external',
    sourcemap: 'inline',
    define: { NKI_SCOPE_ROOT: JSON.stringify(root) },
    logLevel: 'warning',
    ...more,
  });
}

/** @returns {Promise<{ passed: number, failed: number, repeatedTests: number, failures: { title: string, message: string }[] }>} */
async function suite(vsix) {
  await bundle(['test/workbench/suite/index.ts'], path.join(out, 'suite'), { format: 'cjs', target: 'node20', external: ['vscode'] });
  fs.rmSync(results, { force: true });
  const env = { NKI_SCOPE_SUITE_RESULTS: results, NKI_SCOPE_GREP: options.grep ?? '' };
  if (electron) await (await import('./electron.mjs')).runSuite({ vsix, suite: path.join(out, 'suite/index.js'), env });
  else await inServer(vsix, env);
  if (!fs.existsSync(results)) throw new Error('the suite left no results: the extension host ended before its tests did');
  const found = JSON.parse(fs.readFileSync(results, 'utf8'));
  for (const { title, mark, ms, error } of found.rows)
    console.log(`  ${mark} ${title} (${ms} ms)${error ? `\n      ${error.replaceAll('\n', '\n      ')}` : ''}`);
  for (const { name, value } of found.measures) console.log(`  ${name}: ${value}`);
  if (found.tests === 0 && found.failures === 0) throw new Error('no test ran');
  const marked = sign => found.rows.filter(({ mark }) => mark === sign);
  return {
    passed: found.passes,
    failed: found.failures,
    repeatedTests: marked('↻').length,
    failures: marked('✘').map(({ title, error }) => ({ title, message: error ?? '' })),
  };
}

async function inServer(vsix, env) {
  await bundle(['test/workbench/harness/inServer.ts'], path.join(out, 'harness'), { format: 'esm', outExtension: { '.js': '.mjs' } });
  const { runSuiteInServer } = await import(pathToFileURL(path.join(out, 'harness/inServer.mjs')).href);
  await runSuiteInServer({ vsix, suite: path.join(out, 'suite/index.js'), env, log: path.join(out, 'suite-server.log') });
}

async function drive(vsix) {
  const folder = path.join(out, 'drive');
  fs.rmSync(folder, { recursive: true, force: true });
  const tests = fs.readdirSync(path.join(here, 'drive')).filter(name => name.endsWith('.test.ts'));
  await bundle(
    [
      ...tests.map(name => ({ in: `test/workbench/drive/${name}`, out: name.replace(/\.ts$/, '') })),
      { in: 'test/workbench/harness/gestures.ts', out: 'gestures' },
    ],
    folder,
    { format: 'esm', splitting: true, outExtension: { '.js': '.mjs' } },
  );
  process.env.NKI_SCOPE_VSIX = vsix;
  const { timeout } = JSON.parse(fs.readFileSync(path.join(root, '.mocharc.json'), 'utf8'));
  // A window on a busy machine may lose a gesture for good: one more try, which is told.
  const asked = options.grep ? { grep: new RegExp(options.grep) } : options.all ? {} : WITHOUT_LONG;
  const mocha = new Mocha({ timeout, retries: 1, ...asked });
  for (const name of fs.readdirSync(folder).filter(name => name.endsWith('.test.mjs'))) mocha.addFile(path.join(folder, name));
  await mocha.loadFilesAsync();
  const { repeatedGestures } = await import(pathToFileURL(path.join(folder, 'gestures.mjs')).href);
  return new Promise(resolve => {
    let repeatedTests = 0;
    const failures = [];
    const runner = mocha.run(() => {
      const { passes: passed, failures: failed } = runner.stats;
      resolve({ passed, failed, failures, repeatedTests, repeatedGestures: repeatedGestures() });
    });
    runner.on('fail', (test, error) => failures.push({ title: test.fullTitle(), message: String(error?.message ?? error) }));
    runner.on('retry', (test, error) => {
      repeatedTests++;
      console.log(`    ↻ ${test.title}\n      ${String(error.stack ?? error).replaceAll('\n', '\n      ')}`);
    });
  });
}

async function main() {
  const wanted = positionals.length > 0 ? positionals : ['suite', 'drive'];
  if (!electron) setup();
  fs.mkdirSync(out, { recursive: true });
  const vsix = options.vsix ? path.resolve(options.vsix) : (await makePackage()).out;
  const total = { passed: 0, failed: 0, failures: [], repeatedTests: 0, repeatedGestures: 0 };
  for (const [name, run] of [
    ['suite', suite],
    ['drive', drive],
  ]) {
    if (!wanted.includes(name)) continue;
    if (name === 'drive' && electron) {
      console.log('drive: not run, it needs the VS Code server, which is published for 64-bit Linux');
      continue;
    }
    const { passed, failed, failures, repeatedTests, repeatedGestures = 0 } = await run(vsix);
    total.passed += passed;
    total.failed += failed;
    total.failures.push(...failures);
    total.repeatedTests += repeatedTests;
    total.repeatedGestures += repeatedGestures;
  }
  // for whoever runs several suites
  if (process.env.NKI_SCOPE_RESULTS) fs.writeFileSync(process.env.NKI_SCOPE_RESULTS, JSON.stringify(total));
  console.log(closingLine(total));
  return total.failed > 0 ? 1 : 0;
}

main().then(
  code => process.exit(code),
  error => {
    console.error(`workbench: ${error.message}`);
    process.exit(2);
  },
);
