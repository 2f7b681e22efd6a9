// node scripts/kernels.mjs [--python PATH] [--nki-version V] [--only WORD] [--capture | --page] CHECKOUT...
// Runs the kernels of nki-samples and nki-library checkouts on the simulator, in small shapes and in the user's own CPython (NumPy
// and ml_dtypes needed), against references of our own, and prints one row per kernel: nothing that looks like a kernel is left out of the table.
// --capture runs each by the command line's `capture`, so that its ranks are scheduled and their profiles are written, too, and says how many ran.
// --page writes the outcome of each checkout into docs/kernels.md, where the page has a section of the checkout's commit.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './install.mjs';
import { evaluated } from './python-package.mjs';

const CLI = path.join(root, 'dist/cli.js');
const TIMEOUT_MS = 300_000;
const STATUSES = ['passed', 'part', 'wrong', 'refused', 'failed', 'not driven'];
const options = { python: 'python3', 'nki-version': '', only: '' };
const checkouts = [];
let page = false;
let captures = false;
const words = process.argv.slice(2);
while (words.length > 0) {
  const word = words.shift();
  if (word === '--page') page = true;
  else if (word === '--capture') captures = true;
  else if (word.startsWith('--') && word.slice(2) in options) options[word.slice(2)] = words.shift() ?? '';
  else checkouts.push(word);
}
if (checkouts.length === 0 || (page && (options.only || captures))) {
  console.error(
    'usage: node scripts/kernels.mjs [--python PATH] [--nki-version V] [--only WORD] [--capture | --page] CHECKOUT...   (folders of nki-samples or nki-library)',
  );
  process.exit(2);
}

const needed = spawnSync(options.python, ['-c', 'import numpy, ml_dtypes'], { encoding: 'utf8' });
if (needed.status !== 0) {
  const why = needed.error?.message ?? needed.stderr.trim().split('\n').at(-1);
  console.error(`${options.python} cannot run the drivers: ${why} (give --python one with numpy and ml_dtypes)`);
  process.exit(2);
}

const { RELEASES } = await evaluated("export { RELEASES } from './src/simulator/isa/versions';");

/** What git prints of a checkout's commit; empty when it is none. */
const ofCommit = (checkout, format) =>
  spawnSync('git', ['-C', checkout, 'log', '-1', `--format=${format}`], { encoding: 'utf8' }).stdout.trim();

/** Version of NKI that a checkout is written for: the newest of the day of its commit. */
function versionOf(checkout) {
  const day = ofCommit(checkout, '%cs');
  return RELEASES.findLast(({ date }) => day !== '' && date <= day)?.version ?? (day === '' ? RELEASES.at(-1) : RELEASES[0]).version;
}

let nkiVersion = '';

const RUN = path.join(root, 'scripts/kernels/run.py');

/** Answer of run.py, or a row that says why there is none. */
function ask(...args) {
  const python = { PYTHONPATH: path.join(root, 'dist/python'), NKI_SCOPE_NKI_VERSION: nkiVersion };
  const run = started(options.python, [RUN, ...args], python);
  return answerOf(run, () => run.stdout);
}

/** The same by `capture`, with the ranks that its last call ran on and what they took. */
function captured(checkout, number, target) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-kernels-'));
  const answer = path.join(folder, 'answer.json');
  try {
    const how = ['--python', options.python, '--target', target, '--nki-version', nkiVersion, '--numerics', 'on', '--json'];
    const script = ['--', 'run', path.resolve(checkout), number, answer];
    const run = started(process.execPath, [CLI, 'capture', RUN, ...how, '-s', path.join(folder, 'kernel.nkiprof'), ...script], {});
    const said = answerOf(run, () => fs.readFileSync(answer, 'utf8'));
    if (run.status === 0) return { ...said, ran: ranText(JSON.parse(run.stdout)) };
    return { ...said, status: 'failed', detail: said.detail || lastLine(run.stderr) };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const ranText = ({ ranks, cores, total_time_ns }) =>
  [
    ranks ? `${ranks.length} ranks` : 'one rank',
    ...(cores ? [`${cores.length} cores`] : []),
    `${(total_time_ns / 1000).toFixed(1)} µs`,
  ].join(', ');

function started(program, args, env) {
  return spawnSync(program, args, {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 1 << 28,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
  });
}

function answerOf(run, text) {
  if (run.error?.code === 'ETIMEDOUT') return { status: 'failed', detail: `no answer in ${TIMEOUT_MS / 1000} s` };
  try {
    return JSON.parse(text());
  } catch {
    return { status: 'failed', detail: lastLine(run.stderr || `ended with ${run.signal ?? run.status}`) };
  }
}

const lastLine = text => text.trim().split('\n').at(-1);

const PAGE = path.join(root, 'docs', 'kernels.md');
const totals = Object.fromEntries(STATUSES.map(status => [status, 0]));
const counted = rows => STATUSES.map(status => `${rows.filter(row => row.status === status).length} ${status}`).join(', ');
const cell = text => text.replaceAll('|', '/').slice(0, 300);

/** Of what did not pass, one row for the kernels of a file that share a reason. */
function sectionText(checkout, rows) {
  const groups = new Map();
  for (const { name, file, status, detail } of rows.filter(each => each.status !== 'passed' && each.status !== 'part')) {
    const key = `\`${path.basename(file)}\` | ${status} | ${cell(detail)}`;
    groups.set(key, new Set([...(groups.get(key) ?? []), `\`${name}\``]));
  }
  const table = [...groups].map(([key, names]) => `| ${[...names].sort().join(', ')} | ${key} |`);
  return [
    `At commit ${ofCommit(checkout, '%h, %cs')}, for NKI ${nkiVersion}: ${counted(rows)}.`,
    ...(table.length > 0 ? ['', '| kernel | file | status | why |', '| --- | --- | --- | --- |', ...table.sort()] : []),
  ].join('\n');
}

function writeSection(checkout, rows) {
  const commit = ofCommit(checkout, '%h');
  const section = new RegExp(`(<!-- kernels ${commit} -->\\n)[^]*?(\\n<!-- /kernels -->)`);
  const text = fs.readFileSync(PAGE, 'utf8');
  if (!section.test(text)) throw new Error(`docs/kernels.md has no section <!-- kernels ${commit} --> for ${checkout}`);
  fs.writeFileSync(
    PAGE,
    text.replace(section, (_, begin, end) => `${begin}${sectionText(checkout, rows)}${end}`),
  );
}

for (const checkout of checkouts) {
  nkiVersion = options['nki-version'] || versionOf(checkout);
  const kernels = ask('list', checkout);
  if (!Array.isArray(kernels)) throw new Error(kernels.detail);
  console.log(
    `\n## ${path.basename(checkout)}, for NKI ${nkiVersion}\n\n| kernel | file | dialect | target | status | why | largest error | ran as |\n| --- | --- | --- | --- | --- | --- | --- | --- |`,
  );
  const rows = [];
  const add = (kernel, name, target, { status, detail, error = '', ran = '' }) => {
    totals[status]++;
    rows.push({ name, file: kernel.file, status, detail });
    console.log(`| ${name} | ${kernel.file} | ${kernel.dialect} | ${target} | ${status} | ${cell(detail)} | ${error} | ${ran} |`);
  };
  for (const kernel of kernels.filter(each => `${each.file} ${each.kernel}`.includes(options.only))) {
    if (kernel.drivers.length === 0) add(kernel, kernel.kernel, '', { status: kernel.without[0], detail: kernel.without[1] });
    kernel.drivers.forEach((number, at) => {
      const name = [kernel.kernel, kernel.cases[at]].filter(Boolean).join(', ');
      const target = kernel.targets[at];
      add(kernel, name, target, captures ? captured(checkout, String(number), target) : ask('run', checkout, String(number)));
    });
  }
  if (page) writeSection(checkout, rows);
}
console.log(`\n${STATUSES.map(status => `${totals[status]} ${status}`).join(', ')}`);
