// Kernels as their authors published them: takes their text from clones of the repositories that bench/fidelity/published.json names,
// and writes it with rows for `fidelity` into a folder that is not committed. Nothing of theirs is here.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';

const readList = name => JSON.parse(fs.readFileSync(path.join(root, 'bench', 'fidelity', `${name}.json`), 'utf8'));

/** What candidates of an optimiser's trace leave out: the names that its harness gives them. */
const HARNESS = `import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import neuronxcc.nki.typing as nt
`;

/** Rows as listed: what is measured, whose it is, and where the text is. */
export const publishedList = () => readList('published');

/** Recordings of hardware: whose they are, and where. */
const recordingList = () => readList('recordings');

/** How to get what the lists name, as commands. */
export function cloneCommands(folder) {
  const places = [...publishedList(), ...recordingList()].flatMap(place => [place, ...(place.beside ? [place.beside] : [])]);
  const repositories = [...new Set(places.map(({ repository }) => repository))];
  return repositories.map(name => `git clone https://github.com/${name} ${path.join(folder, name)}`);
}

/**
 * @param rows of the list
 * @param onMissing called with the error of each row whose text is not there, which is left out then; absent: it is thrown
 * @throws Error that says what is missing. @returns the file of rows for `fidelity`.
 */
export function extractPublished(folder, into, { rows: asked = publishedList(), onMissing } = {}) {
  fs.mkdirSync(into, { recursive: true });
  const rows = asked.flatMap(row => {
    try {
      return extractedRow(row, folder, into);
    } catch (error) {
      if (!onMissing) throw error;
      onMissing(error);
      return [];
    }
  });
  const list = path.join(into, 'rows.json');
  fs.writeFileSync(list, JSON.stringify(rows, null, 2));
  return list;
}

/** Writes the text of a row. @returns the row for `fidelity` */
function extractedRow(row, folder, into) {
  const file = `${row.id}.py`;
  fs.writeFileSync(path.join(into, file), publishedText(row, folder));
  if (row.beside) extractBeside(row, folder, into);
  const { id, metric, value, unit, source, table, run } = row;
  return { id, metric, value, unit, source, table, run: { file, ...run } };
}

/** A package that a kernel imports, as a folder beside the kernel. One version of it serves all rows. */
function extractBeside({ id, beside: { repository, commit, path: packaged } }, folder, into) {
  const to = path.join(into, path.basename(packaged));
  if (fs.existsSync(to)) return;
  const archive = gitOutput({ id, repository }, folder, ['archive', commit, packaged]);
  const depth = packaged.split('/').length - 1;
  const { status, stderr } = spawnSync('tar', ['-x', '-C', into, `--strip-components=${depth}`], { input: archive });
  if (status !== 0) throw new Error(`${id}: ${String(stderr).trim()}`);
}

/** @throws Error that says what is missing. @returns of each recording its file, beside that of its NEFF. */
export function extractRecordings(folder, into) {
  fs.mkdirSync(into, { recursive: true });
  return recordingList().map(({ name, target, neff, ...place }, k) => {
    const file = path.join(into, `${k}${path.extname(place.path)}`);
    fs.writeFileSync(file, fileOf({ id: name, ...place }, folder));
    if (file.endsWith('.ntff')) {
      const program = { id: name, ...place, path: neff ?? place.path.replace(/ntff$/, 'neff') };
      fs.writeFileSync(file.replace(/ntff$/, 'neff'), fileOf(program, folder));
    }
    return { name, target, file };
  });
}

/** @throws Error that says what is missing. @returns bytes */
const fileOf = ({ commit, path: file, ...place }, folder) => gitOutput(place, folder, ['show', `${commit}:${file}`]);

/** What git prints in the clone of a repository. @throws Error that says what is missing. @returns bytes */
function gitOutput({ id, repository }, folder, words) {
  const clone = path.join(folder, repository);
  if (!fs.existsSync(clone)) throw new Error(`${clone} is not there. Clone what is measured:\n${cloneCommands(folder).join('\n')}`);
  const shown = spawnSync('git', ['-C', clone, ...words], { maxBuffer: 1 << 26 });
  if (shown.status !== 0) throw new Error(`${id}: ${String(shown.stderr).trim()}`);
  return shown.stdout;
}

/**
 * @param edits of what only the author's harness has: pairs of a text and what takes its place, each of which must be there; or the name of a
 *   list in edits.json, of which a text has some
 * @throws Error that says what is missing.
 */
export function publishedText({ edits = [], step, ...place }, folder) {
  const { id, path: file } = place;
  const shown = fileOf(place, folder).toString();
  let text = step === undefined ? shown : `${HARNESS}${candidate(id, shown, step)}`;
  if (typeof edits === 'string') return sharedEdits(id, edits).reduce((edited, [from, to]) => edited.replaceAll(from, to), text);
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`${id}: ${file} has no ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** The list of edits of this name. */
function sharedEdits(id, name) {
  const list = readList('edits')[name];
  if (!list) throw new Error(`${id}: edits.json has no list ${name}`);
  return list;
}

/** The text of a step in a trace of candidates, each of which holds the one before. */
function candidate(id, trace, step) {
  const codes = [...trace.matchAll(/^code='''([\s\S]*?)''',$/gm)].map(match => match[1]);
  if (step >= codes.length) throw new Error(`${id}: the trace has ${codes.length} steps`);
  return codes[step].replaceAll("\\'", "'").replaceAll('\\\\', '\\');
}
