// The pages that scripts/accuracy.mjs fills in. Each table stands between marks of its own (<!-- NAME --> and <!-- /NAME -->) on one of
// these pages; the words around it are the page's own.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../install.mjs';

const FOLDER = path.join('docs', 'accuracy');
const PAGES = [
  'README.md',
  path.join('docs', 'ACCURACY.md'),
  ...fs.readdirSync(path.join(root, FOLDER)).map(name => path.join(FOLDER, name)),
];

/**
 * @param checking writes nothing, and notes what no longer holds
 * @param instead files that stand for the pages of their names
 */
export function openPages({ checking, instead = [] }) {
  const others = new Map(instead.map(file => [path.basename(file), file]));
  const names = PAGES.map(page => path.basename(page));
  for (const name of others.keys()) if (!names.includes(name)) throw new Error(`no page is called ${name}: ${names.join(', ')}`);
  const files = PAGES.map(page => others.get(path.basename(page)) ?? path.join(root, page));
  const pages = new Map(files.map(file => [file, fs.readFileSync(file, 'utf8')]));
  /** Files and tables that hold something else than what was measured now; those of a check alone. */
  const stale = [];

  /** Writes a file, or notes that it no longer holds. */
  function put(file, content) {
    if (!checking) fs.writeFileSync(file, content);
    else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== content) stale.push(path.relative(root, file));
  }

  /** The page that has a table, with what stands before, in and after its place. */
  function placeOf(name) {
    const place = new RegExp(`^([\\s\\S]*<!-- ${name} -->\\n)([\\s\\S]*?)(<!-- /${name} -->[\\s\\S]*)$`);
    const found = [...pages].flatMap(([file, text]) => (place.test(text) ? [[file, ...place.exec(text).slice(1)]] : []));
    if (found.length !== 1) throw new Error(`${found.length} pages have a place for ${name}`);
    return found[0];
  }

  return {
    put,
    stale,
    /** Puts a table between its marks. */
    fill(name, content) {
      const [file, before, held, after] = placeOf(name);
      const filled = `\n${content}\n\n`;
      if (checking && filled !== held) stale.push(`${path.relative(root, file)}: ${name}`);
      pages.set(file, before + filled + after);
    },
    /** Cells of the lines of a table that stands on a page, without its head. */
    cellsOf(name) {
      const [, , held] = placeOf(name);
      const lines = held.split('\n').filter(line => line.startsWith('|'));
      return lines.slice(2).map(line =>
        line
          .split('|')
          .slice(1, -1)
          .map(cell => cell.trim()),
      );
    },
    write() {
      for (const [file, text] of pages) put(file, text);
    },
  };
}
