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

/** `own`: the folder of names that are no path from the root. */
function namedTests(document: string, own: string): Named[] {
  const rows = fs.readFileSync(path.join(NKI_SCOPE_ROOT, document), 'utf8').split('\n');
  const cells = rows.filter(row => /^\|.*`.*\|$/.test(row)).map(row => row.slice(1, -1).split('|').at(-1)!.trim());
  return cells.flatMap(cell => inCell(cell, own));
}

/** `file`, words; other words of the same file; `another file`. */
function inCell(cell: string, own: string): Named[] {
  let file = '';
  return cell.split(/;\s*|,\s*(?=`)/).flatMap(part => {
    const [, before, name, words] = /^([^`]*)`([^`]+)`,?\s*(.*)$/.exec(part) ?? [undefined, '', '', part];
    if (name) file = placeOf(name, file, own);
    return file === '' || before !== '' ? [] : [{ file, words: words.trim() }];
  });
}

/** A name beside one of a folder is of the same folder, where it is not of the document's. */
function placeOf(name: string, last: string, own: string): string {
  const inRoot = (folder: string) => path.join(NKI_SCOPE_ROOT, folder, `${name}.test.ts`);
  if (name.startsWith('test/')) return inRoot('');
  return fs.existsSync(inRoot(own)) || last === '' ? inRoot(own) : path.join(path.dirname(last), `${name}.test.ts`);
}

const titles = (file: string) => [...fs.readFileSync(file, 'utf8').matchAll(TITLE)].map(match => match[2]);

describe('documentation', () => {
  for (const [document, own, least] of [
    ['docs/timeline.md', 'test/chromium', 80],
    ['docs/editor.md', 'test/workbench', 40],
  ] as const)
    it(`${document} names tests that are there`, () => {
      const named = namedTests(document, own);
      assert.ok(named.length >= least, `only ${named.length} were found`);
      const missing = named.filter(({ file, words }) => {
        if (!fs.existsSync(file)) return true;
        const wanted = words.replace(/…$/, '');
        const known = titles(file);
        return wanted !== '' && !known.some(title => title.includes(wanted));
      });
      assert.deepEqual(
        missing.map(({ file, words }) => `${path.relative(NKI_SCOPE_ROOT, file)}: ${words}`),
        [],
      );
    });
});
