// Does the advice on a version of a published kernel name the change that makes the next version, and tell what it gains in the model?
//     node bench/advice.mjs --sources FOLDER [--only WORD] [--write]
// FOLDER has clones of the repositories that advice/steps.json names, as owner/name; nothing of them is here. Where a kernel was published
// in one version, the next one is ours (advice/*.py). --write puts the table into docs/what-to-change.md.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { publishedText } from '../scripts/published.mjs';
import { dist, root } from './support/build.mjs';
import { printTable } from './support/table.mjs';

/** Of the time before the change: the measure. */
const POINTS = 10;
/** Below, the model does not tell two versions apart. */
const LEAST_PERCENT = 1;
const DOCUMENT = path.join(root, 'docs/what-to-change.md');

const { values } = parseArgs({ options: { sources: { type: 'string' }, only: { type: 'string' }, write: { type: 'boolean' } } });
const families = JSON.parse(fs.readFileSync(path.join(root, 'bench/advice/steps.json'), 'utf8'));
if (!values.sources) {
  console.log('not measured: --sources FOLDER names the clones of what advice/steps.json lists');
  process.exit(0);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-advice-'));
const profiles = new Map();

function cli(...args) {
  const run = spawnSync(process.execPath, [path.join(dist, 'cli.js'), ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

/** Its profile and time, made once. */
function profileOf(file, kernel, args) {
  const key = `${file} ${kernel} ${JSON.stringify(args)}`;
  if (!profiles.has(key)) {
    const to = path.join(folder, `${profiles.size}.nkiprof`);
    const given = Object.entries(args).flatMap(([name, value]) => ['--arg', `${name}=${value}`]);
    const { total_time_ns: timeNs } = cli('capture', file, '--kernel', kernel, ...given, '--numerics', 'off', '-s', to, '--json');
    profiles.set(key, { path: to, timeNs });
  }
  return profiles.get(key);
}

function judged(family, file, step) {
  if (step.apart) return { verdict: `not compared: ${step.apart}` };
  const args = step.args ?? family.args;
  const before = profileOf(file, step.from, args);
  const after = profileOf(step.ours ? path.join(root, 'bench/advice', step.ours) : file, step.to, args);
  const made = 100 * (1 - after.timeNs / before.timeNs);
  if (made < LEAST_PERCENT) return { made, verdict: 'slower, or as fast' };
  const { advice } = cli('advise', '-s', before.path, '--json');
  const named = advice.find(({ rule }) => rule === step.rule);
  const told = step.way ? named?.ways.find(({ name }) => name.includes(step.way)) : named;
  if (!told) return { made, verdict: 'not named', counts: true };
  const isNear = Math.abs(told.gain_percent - made) <= POINTS;
  return { made, told: told.gain_percent, verdict: isNear ? 'named' : 'named, another gain', counts: true, isNear };
}

const rows = [];
for (const family of families) {
  const file = path.join(folder, `${path.basename(family.path, '.py')}.py`);
  fs.writeFileSync(file, publishedText({ id: family.family, ...family }, values.sources));
  for (const step of family.steps) {
    if (values.only && !`${family.family} ${step.from} ${step.to}`.includes(values.only)) continue;
    rows.push({ family: family.family, ...step, ...judged(family, file, step) });
  }
}
fs.rmSync(folder, { recursive: true });

const percent = value => (value === undefined ? '' : `${value.toFixed(1)} %`);
const cells = rows.map(row => [
  row.family,
  `${row.from} → ${row.to}`,
  row.change,
  (row.counts && row.rule) || '',
  percent(row.made),
  percent(row.told),
  row.verdict,
]);
const HEAD = ['kernel', 'step', 'its change', 'rule', 'the step gains', 'the advice says', ''];
printTable([HEAD, ...cells]);
const counted = rows.filter(({ counts }) => counts);
const near = counted.filter(({ isNear }) => isNear).length;
const share = `${near} of ${counted.length} steps that gain ${LEAST_PERCENT} % or more (${Math.round((100 * near) / counted.length)} %) are named with a gain within ${POINTS} points.`;
console.log(`\n${share}`);

if (values.write) {
  const line = words => `| ${words.join(' | ')} |`;
  const table = [line(HEAD), line(HEAD.map(() => '---')), ...cells.map(line), '', share].join('\n');
  const text = fs.readFileSync(DOCUMENT, 'utf8');
  fs.writeFileSync(DOCUMENT, text.replace(/(<!-- advice -->\n)[\s\S]*(<!-- \/advice -->)/, `$1${table}\n$2`));
}
