// npm test: installs and builds what the tests need, runs every suite and ends with one line, `N passed, N failed`.
// npm test -- --all: the tests marked as long, too (longTests.mjs), as in continuous integration.
// A suite that does not report its counts counts as one failure: nothing is skipped in silence.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { closingLine, failureLines } from './closingLine.mjs';
import { buildAll, ensureInstalled, ensureNode, root } from './install.mjs';

/** A file of tests is one job: most of its time goes into starting processes, so two run beside each other even on few cores. */
const jobs = Math.min(4, Math.max(2, os.availableParallelism()));
const mocha = ['--', '--reporter', 'test/support/reporter.cjs', '--parallel', '--jobs', String(jobs)];

const runsAll = process.argv.includes('--all');
const all = runsAll ? ['--all'] : [];

/** Name, command; each leaves {passed, failed, failures, and skipped, repeatedTests or repeatedGestures where there are any} in the file named by NKI_SCOPE_RESULTS. */
const SUITES = [
  ['unit', ['scripts/unit.mjs', ...all, ...mocha]],
  // A browser on a busy machine may swallow a key: one more try, which is told.
  ['browser', ['scripts/unit.mjs', '--chromium', ...all, ...mocha, '--retries', '1']],
  ['workbench', ['test/workbench/run.mjs', ...all]],
];

function runSuite(name, args) {
  const results = path.join(root, 'out', `results-${name}.json`);
  fs.rmSync(results, { force: true });
  console.log(`\n=== ${name}`);
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NKI_SCOPE_RESULTS: results },
  });
  const ended = { title: 'the whole suite', message: `it ended with exit code ${status} and reported no failure` };
  const counts = fs.existsSync(results) ? JSON.parse(fs.readFileSync(results, 'utf8')) : { passed: 0, failed: 0, failures: [] };
  if (counts.failed > 0 || (status === 0 && fs.existsSync(results))) return { ...counts, name };
  return { ...counts, name, failed: 1, failures: [ended] };
}

ensureNode();
ensureInstalled();
const checked = spawnSync(process.execPath, ['scripts/check.mjs'], { cwd: root, stdio: 'inherit' }).status === 0;
console.log(`types, lint and format: ${checked ? 'clean' : 'FAILED'}`);
buildAll();
fs.mkdirSync(path.join(root, 'out'), { recursive: true });
const prepared = spawnSync(process.execPath, ['test/workbench/setup.mjs'], { cwd: root, stdio: 'inherit' }).status === 0;
if (!prepared) console.error('The browser or the VS Code server for the tests could not be set up: see above for what to install.');

const counts = SUITES.map(([name, args]) => runSuite(name, args));
counts.push({
  name: 'check',
  passed: checked ? 1 : 0,
  failed: checked ? 0 : 1,
  failures: checked ? [] : [{ title: 'types, lint and format', message: '`node scripts/check.mjs` says what' }],
});
const sum = name => counts.reduce((n, c) => n + (c[name] ?? 0), 0);
const [failed, skipped] = [sum('failed'), sum('skipped')];
if (skipped > 0) console.error(`${skipped} skipped: named above`);
if (!runsAll) console.error('Tests marked @long were left out: `npm test -- --all` runs them, too.');
const line = { passed: sum('passed'), failed, repeatedTests: sum('repeatedTests'), repeatedGestures: sum('repeatedGestures') };
console.log(['', ...counts.flatMap(c => failureLines(c.name, c.failures)), closingLine(line)].join('\n'));
process.exit(failed === 0 ? 0 : 1);
