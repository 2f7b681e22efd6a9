/** Tables of the documentation that name the test of each thing: the tests must be there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

/** Of a test or of a suite, whatever the function that makes it is called. */
const TITLE = /\b(?:it\w*|describe)\(\s*(['"`])((?:(?!\1).)+)\1/g;

/** A test file, and words that some test in it must have in its name. */
interface Named {
  file: string;
  words: string;
}

/** Rows of a document's tables whose last column is `test`: the first cell and the last one. Rows that head others are left out. */
function tested(document: string): { what: string; cell: string }[] {
  const rows: { what: string; cell: string }[] = [];
  let inTable = false;
  for (const line of fs.readFileSync(path.join(NKI_SCOPE_ROOT, document), 'utf8').split('\n')) {
    const cells = line.startsWith('|') ? line.slice(1, -1).split('|') : [];
    const [what, cell] = [cells[0] ?? '', cells.at(-1) ?? ''].map(text => text.trim());
    if (cell === 'test') inTable = true;
    else if (cells.length === 0) inTable = false;
    else if (inTable && !isRule(what) && !isHeading(what, cell)) rows.push({ what, cell });
  }
  return rows;
}

const isRule = (what: string) => /^-+$/.test(what);
const isHeading = (what: string, cell: string) => cell === '' && /^\*\*.+\*\*$/.test(what);

/**
 * `file`, words; other words of the same file; `another file`. `own`: the folder of names that are no path from the root.
 * @returns an empty list when a part cannot be read
 */
function inCell(cell: string, own: string): Named[] {
  let file = '';
  const found: Named[] = [];
  for (const part of cell.split(/;\s*|,\s*(?=`)/)) {
    const [, name, words] = /^`([^`]+)`,?\s*(.*)$/.exec(part) ?? [undefined, '', part];
    if (name) file = placeOf(name, file, own);
    if (file === '' || words.includes('`')) return [];
    found.push({ file, words: words.trim() });
  }
  return found;
}

/** A name beside one of a folder is of the same folder, where it is not of the document's. */
function placeOf(name: string, last: string, own: string): string {
  const inRoot = (folder: string) => path.join(NKI_SCOPE_ROOT, folder, `${name}.test.ts`);
  if (name.startsWith('test/')) return inRoot('');
  return fs.existsSync(inRoot(own)) || last === '' ? inRoot(own) : path.join(path.dirname(last), `${name}.test.ts`);
}

const titles = (file: string) => [...fs.readFileSync(file, 'utf8').matchAll(TITLE)].map(match => match[2]);

/** Whether the file has a test or a suite with the words in its name; without words, whether it has any test. */
function isThere({ file, words }: Named): boolean {
  if (!fs.existsSync(file)) return false;
  return titles(file).some(title => title.includes(words.replace(/…$/, '')));
}

describe('documentation', () => {
  for (const [document, own] of [
    ['docs/timeline.md', 'test/chromium'],
    ['docs/editor.md', 'test/workbench'],
    ['docs/aws-profilers.md', 'test'],
  ] as const)
    it(`${document} names a test for each row, and these tests are there`, () => {
      const rows = tested(document);
      assert.ok(rows.length > 0);
      const wrong = rows.filter(({ cell }) => {
        const named = inCell(cell, own);
        return named.length === 0 || !named.every(isThere);
      });
      assert.deepEqual(wrong, []);
    });

  it('docs/aws-profilers.md names options and tabs that are there', () => {
    const read = (file: string) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, file), 'utf8');
    const all = (folder: string) => fs.readdirSync(path.join(NKI_SCOPE_ROOT, folder)).map(name => read(path.join(folder, name)));
    const [commands, drawer] = [all('src/cli').join('\n'), all('src/webview/drawer').join('\n')];
    const cells = read('docs/aws-profilers.md')
      .split('\n')
      .filter(line => line.startsWith('| '))
      .map(line => line.split('|')[2]);
    const options = cells.flatMap(cell => [...cell.matchAll(/`--([\w-]+)/g)].map(([, name]) => name));
    const tabs = cells.flatMap(cell => [...cell.matchAll(/tabs? (\*\w+\*(?:, \*\w+\*)*)/g)].flatMap(([, names]) => names.match(/\w+/g)!));
    assert.ok(options.length > 15 && tabs.length > 12, `${options.length} options, ${tabs.length} tabs`);
    assert.deepEqual(
      options.filter(name => !new RegExp(`'?${name}'?: \\{ type: '`).test(commands)),
      [],
    );
    assert.deepEqual(
      tabs.filter(name => !drawer.includes(`title: '${name}'`)),
      [],
    );
  });
});
