// Writes docs/API.md from the instruction table and the cases of test/functions, and docs/versions.md from isa/versions.ts.
// --check: only says whether they are fresh.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';
import { evaluated } from './python-package.mjs';
import { versionsPage } from './versions.mjs';

const DIALECTS = ['nki', 'neuronxcc'];
const INTRO = `# Functions that NKI Scope runs

Written by \`node scripts/api.mjs\` from the instruction table, \`src/simulator/isa/\`; do not edit it. Each function has its value
semantics in \`src/simulator/execute/semantics\` and its machine instructions in \`src/simulator/compile/lowerings\`.

- *Dialects*: \`nki\` is today's language, \`neuronxcc\` the legacy one (\`neuronxcc.nki\`); with the version of NKI in which a function
  came, if not in the first, was deprecated or was removed. [versions.md](versions.md) has them by version.
- *Engines*: the first is where it runs when the kernel does not say.
- *dtypes*: classes that its inputs take; *any* is every float, integer and bool.
- *Cost*: rules of \`src/simulator/hardware/\` that time its machine instructions; a \`*\` marks rules with a number that nobody has
  published or measured on Trn2.
- *Tested by*: cases in \`test/functions\`, as values + misuses.
`;

/** Cases by function: family, kind. */
function cases() {
  const run = spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), 'run', path.join(root, 'test/functions/run_all.py'), '--list'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.status !== 0) throw new Error(`the cases could not be listed (is dist/ built?)\n${run.stderr}`);
  const listed = run.stdout
    .split('\n')
    .filter(line => line.startsWith('{"function"'))
    .map(line => JSON.parse(line));
  const groups = new Map();
  for (const entry of listed) groups.set(entry.function, [...(groups.get(entry.function) ?? []), entry]);
  return groups;
}

function testedBy(entries = []) {
  if (entries.length === 0) return 'nothing';
  const count = kind => entries.filter(entry => entry.kind === kind).length;
  return `${[...new Set(entries.map(entry => entry.family))].join(', ')} (${count('value')} + ${count('misuse')})`;
}

function dtypes(row) {
  const restricted = Object.entries(row.operands)
    .filter(([, rule]) => rule.role !== 'out' && rule.dtypes)
    .map(([name, rule]) => `${name}: ${rule.dtypes.join(', ')}`);
  return restricted.join('; ') || 'any';
}

/** With the versions of today's dialect that have it. */
function dialects(row, { versionsOf, first }) {
  const { since, deprecated, removed } = versionsOf(row.name);
  const versions = Object.entries({ since: since === first ? undefined : since, deprecated, removed }).filter(([, version]) => version);
  const noted = versions.length === 0 ? 'nki' : `nki (${versions.map(([kind, version]) => `${kind} ${version}`).join(', ')})`;
  return DIALECTS.filter(dialect => dialect in row.signature)
    .map(dialect => (dialect === 'nki' ? noted : dialect))
    .join(', ');
}

const line = cells => `| ${cells.join(' | ')} |`;
const HEADINGS = ['Function', 'What it does', 'Dialects', 'Generations', 'Engines', 'dtypes', 'Cost', 'Tested by'];

function section(prefix, rows, { tests, assumed, machines, versions }) {
  const lines = rows.map(row =>
    line([
      `\`${row.name.slice(prefix.length + 1)}\``,
      row.summary.replaceAll('|', '\\|'),
      dialects(row, versions),
      machines
        .filter(({ instructionSet }) => row.generations.includes(instructionSet))
        .map(({ product }) => product)
        .join(', '),
      row.engines.join(', '),
      dtypes(row),
      row.costs.map(cost => cost + (assumed.includes(cost) ? '*' : '')).join(', '),
      testedBy(tests.get(row.name)),
    ]),
  );
  return [`## ${prefix}`, '', line(HEADINGS), line(HEADINGS.map(() => '---')), ...lines, ''].join('\n');
}

const hasAssumption = rule =>
  Object.values(rule).some(fact => fact && (fact.confidence === 'assumed' || (!fact.source && hasAssumption(fact))));

/** The page. `tests`: cases by function; `plugins`: of esbuild, for the instruction table. */
export async function apiPage(tests, plugins) {
  const contents = `
    export { instructionTable as rows } from './src/simulator/isa/table';
    export { DEFAULT_MACHINE, MACHINES } from './src/simulator/hardware/machines';
    export { NKI_VERSIONS, versionsOf } from './src/simulator/isa/versions';
  `;
  const { rows, DEFAULT_MACHINE, MACHINES, NKI_VERSIONS, versionsOf } = await evaluated(contents, plugins);
  const assumed = Object.keys(DEFAULT_MACHINE.rules).filter(name => hasAssumption(DEFAULT_MACHINE.rules[name]));
  const prefixes = [...new Set(rows.map(row => row.name.slice(0, row.name.lastIndexOf('.'))))];
  const sections = prefixes.map(prefix => {
    const own = rows.filter(row => row.name.startsWith(`${prefix}.`)).sort((a, b) => (a.name < b.name ? -1 : 1));
    return section(prefix, own, { tests, assumed, machines: MACHINES, versions: { versionsOf, first: NKI_VERSIONS[0] } });
  });
  return [INTRO, ...sections].join('\n');
}

async function main() {
  const pages = { 'docs/API.md': await apiPage(cases()), 'docs/versions.md': await versionsPage() };
  for (const [name, text] of Object.entries(pages)) {
    const file = path.join(root, name);
    const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    if (process.argv.includes('--check') && before !== text) {
      console.error(`${name} is not what the instruction table says: node scripts/api.mjs, or UPDATE_EXPECT=1`);
      process.exit(1);
    }
    if (!process.argv.includes('--check')) fs.writeFileSync(file, text);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
