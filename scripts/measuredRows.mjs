// All kernels whose time somebody measured: those that are run as published, from clones, and our own of bench/fidelity/rows.json and judged.json.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';
import { once } from './leftOutRows.mjs';
import { extractPublished, publishedList } from './published.mjs';

const fidelity = path.join(root, 'bench', 'fidelity');
const texts = path.join(root, 'out', 'published');

/** A list of bench/fidelity/. */
export const listed = name => JSON.parse(fs.readFileSync(path.join(fidelity, `${name}.json`), 'utf8'));

/** In the order in which results are kept. A row that is in two lists counts once. */
export const measuredList = () => once(publishedList(), listed('rows'), listed('judged'));

/**
 * Rows that can be timed (scripts/variants.mjs): with the folder of their file.
 * @param rows of `measuredList`
 * @param clones the folder of the clones
 * @param onMissing as in `extractPublished`
 */
export function timeable(rows, clones, onMissing) {
  const asked = new Set(rows.map(({ id }) => id));
  const published = publishedList().filter(({ id }) => asked.has(id));
  const extracted = JSON.parse(fs.readFileSync(extractPublished(path.resolve(clones), texts, { rows: published, onMissing }), 'utf8'));
  const runs = new Map(extracted.map(({ id, run }) => [id, run]));
  const isPublished = new Set(published.map(({ id }) => id));
  return rows.flatMap(row => {
    if (!isPublished.has(row.id)) return { ...row, folder: fidelity };
    return runs.has(row.id) ? { ...row, run: runs.get(row.id), folder: texts } : [];
  });
}
