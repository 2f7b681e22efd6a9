// Kernels as their authors published them: takes their text from clones of the repositories that bench/fidelity/published.json names,
// and writes it with rows for `fidelity` into a folder that is not committed. Nothing of theirs is here.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';

const LIST = path.join(root, 'bench', 'fidelity', 'published.json');

/** What candidates of an optimiser's trace leave out: the names that its harness gives them. */
const HARNESS = `import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import neuronxcc.nki.typing as nt
`;

/** Rows as listed: what is measured, whose it is, and where the text is. */
export const publishedList = () => JSON.parse(fs.readFileSync(LIST, 'utf8'));

/** How to get what the list names, as commands. */
export function cloneCommands(folder) {
  const repositories = [...new Set(publishedList().map(({ repository }) => repository))];
  return repositories.map(name => `git clone https://github.com/${name} ${path.join(folder, name)}`);
}

/** @throws Error that says what is missing. @returns the file of rows for `fidelity`. */
export function extractPublished(folder, into) {
  fs.mkdirSync(into, { recursive: true });
  const rows = publishedList().map(row => {
    const file = `${row.id}.py`;
    fs.writeFileSync(path.join(into, file), publishedText(row, folder));
    const { id, metric, value, unit, source, table, run } = row;
    return { id, metric, value, unit, source, table, run: { file, ...run } };
  });
  const list = path.join(into, 'rows.json');
  fs.writeFileSync(list, JSON.stringify(rows, null, 2));
  return list;
}

/** @throws Error that says what is missing. */
export function publishedText({ id, repository, commit, path: file, edits = [], step }, folder) {
  const clone = path.join(folder, repository);
  if (!fs.existsSync(clone)) throw new Error(`${clone} is not there. Clone what is measured:\n${cloneCommands(folder).join('\n')}`);
  const shown = spawnSync('git', ['-C', clone, 'show', `${commit}:${file}`], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (shown.status !== 0) throw new Error(`${id}: ${shown.stderr.trim()}`);
  let text = step === undefined ? shown.stdout : `${HARNESS}${candidate(id, shown.stdout, step)}`;
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`${id}: ${file} has no ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** The text of a step in a trace of candidates, each of which holds the one before. */
function candidate(id, trace, step) {
  const codes = [...trace.matchAll(/^code='''([\s\S]*?)''',$/gm)].map(match => match[1]);
  if (step >= codes.length) throw new Error(`${id}: the trace has ${codes.length} steps`);
  return codes[step].replaceAll("\\'", "'").replaceAll('\\\\', '\\');
}
