// node scripts/kernels.mjs [--python PATH] [--nki-version V] [--only WORD] [--page] CHECKOUT...
// Runs the kernels of nki-samples and nki-library checkouts on the simulator, in small shapes and in the user's own CPython (NumPy
// and ml_dtypes needed), against references of our own, and prints one row per kernel: nothing that looks like a kernel is left out of the table.
// --page writes the outcome of each checkout into docs/kernels.md, where the page has a section of the checkout's commit.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';
import { evaluated } from './python-package.mjs';

const TIMEOUT_MS = 300_000;
const STATUSES = ['passed', 'part', 'wrong', 'refused', 'failed', 'not driven'];
const options = { python: 'python3', 'nki-version': '', only: '' };
const checkouts = [];
let page = false;
const words = process.argv.slice(2);
while (words.length > 0) {
  const word = words.shift();
  if (word === '--page') page = true;
  else if (word.startsWith('--') && word.slice(2) in options) options[word.slice(2)] = words.shift() ?? '';
  else checkouts.push(word);
}
if (checkouts.length === 0 || (page && options.only)) {
  console.error(
    'usage: node scripts/kernels.mjs [--python PATH] [--nki-version V] [--only WORD] [--page] CHECKOUT...   (folders of nki-samples or nki-library)',
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

/** Answer of run.py, or a row that says why there is none. */
function ask(...args) {
  const run = spawnSync(options.python, [path.join(root, 'scripts/kernels/run.py'), ...args], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 1 << 26,
    env: { ...process.env, PYTHONPATH: path.join(root, 'dist/python'), PYTHONDONTWRITEBYTECODE: '1', NKI_SCOPE_NKI_VERSION: nkiVersion },
  });
  if (run.error?.code === 'ETIMEDOUT') return { status: 'failed', detail: `no answer in ${TIMEOUT_MS / 1000} s` };
  try {
    return JSON.parse(run.stdout);
  } catch {
    return { status: 'failed', detail: (run.stderr || `ended with ${run.signal ?? run.status}`).trim().split('\n').at(-1) };
  }
}

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
    `\n## ${path.basename(checkout)}, for NKI ${nkiVersion}\n\n| kernel | file | dialect | target | status | why |\n| --- | --- | --- | --- | --- | --- |`,
  );
  const rows = [];
  const add = (kernel, name, target, status, detail) => {
    totals[status]++;
    rows.push({ name, file: kernel.file, status, detail });
    console.log(`| ${name} | ${kernel.file} | ${kernel.dialect} | ${target} | ${status} | ${cell(detail)} |`);
  };
  for (const kernel of kernels.filter(each => `${each.file} ${each.kernel}`.includes(options.only))) {
    if (kernel.drivers.length === 0) add(kernel, kernel.kernel, '', ...kernel.without);
    kernel.drivers.forEach((number, at) => {
      const { status, detail } = ask('run', checkout, String(number));
      add(kernel, [kernel.kernel, kernel.cases[at]].filter(Boolean).join(', '), kernel.targets[at], status, detail);
    });
  }
  if (page) writeSection(checkout, rows);
}
console.log(`\n${STATUSES.map(status => `${totals[status]} ${status}`).join(', ')}`);
