/** The accuracy page: its tables say what the sources and the measured figures say, and have their places for the script that writes them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { EXPLANATIONS, INSTRUCTION_ROWS } from '../bench/fidelity/instructions';
import { MEASURED_ACCURACY } from '../src/simulator/hardware/measuredAccuracy';

declare const NKI_SCOPE_ROOT: string;

const read = (...names: string[]) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, ...names), 'utf8');
const page = read('docs', 'ACCURACY.md');

/** Rows of the tables between the marks of a section, as lists of cells; heads and rules left out. */
function rowsOf(section: string): string[][] {
  const found = new RegExp(`<!-- ${section} -->\n([\\s\\S]*?)<!-- /${section} -->`).exec(page);
  assert.ok(found, `no place for ${section}`);
  const cells = found[1].split('\n').map(line => line.split('|').slice(1, -1));
  return cells
    .map(row => row.map(cell => cell.trim()))
    .filter((row, at, all) => row.length > 0 && !isRule(row) && !isRule(all[at + 1] ?? []));
}

const isRule = (row: string[]) => row[0] === '---';
const ids = (rows: string[][]) => rows.map(row => row[0].replaceAll('`', ''));
const percents = (rows: string[][], column: number) => rows.map(row => Number(row[column].replace(' %', '')));
const mean = (values: number[]) => values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length;

describe('docs/ACCURACY.md', () => {
  it('has a place for every table that the script fills in', () => {
    const filled = [...read('scripts', 'accuracy.mjs').matchAll(/fill\(\s*'(\w+)'/g)].map(match => match[1]);
    assert.ok(filled.length >= 6);
    for (const section of filled) assert.ok(rowsOf(section).length > 0, section);
  });

  it('quotes the figures that profiles quote about themselves', () => {
    const byPipeline = rowsOf('tables').filter(([name]) => !name.startsWith('spilling '));
    const quoted = byPipeline.map(([name, rows, meanError, , worst]) => {
      const figures = { rows: Number(rows), meanPercent: Number.parseFloat(meanError), worstPercent: Math.round(Number.parseFloat(worst)) };
      return [name.replace('rewritten', 'rewriting'), figures];
    });
    assert.deepEqual(Object.fromEntries(quoted), MEASURED_ACCURACY);
  });

  it('has every row that has a kernel, and means that are those of its rows', () => {
    const measured = JSON.parse(read('bench', 'fidelity', 'rows.json')) as { id: string; run?: object }[];
    const kernels = rowsOf('kernels');
    assert.deepEqual(
      ids(kernels),
      measured.filter(row => row.run).map(row => row.id),
    );
    let at = 0;
    for (const [name, rows, meanError] of rowsOf('tables')) {
      const own = kernels.slice(at, at + Number(rows));
      at += own.length;
      assert.ok(Math.abs(mean(percents(own, 4)) - Number.parseFloat(meanError)) < 0.1, name);
    }
  });

  it('explains the instructions that are explained, with what the model says now', () => {
    const explained = INSTRUCTION_ROWS.filter(row => row.id in EXPLANATIONS);
    const rows = rowsOf('instructions');
    assert.deepEqual(
      ids(rows),
      explained.map(row => row.id),
    );
    for (const [k, row] of explained.entries())
      if (!row.unit || row.unit === 'ns') assert.equal(rows[k][2], `${row.modelled().toFixed(0)} ns`, row.id);
  });

  it('judges by rows that are not calibrated on', () => {
    const judged = JSON.parse(read('bench', 'fidelity', 'judged.json')) as { id: string; table: string }[];
    const calibrated = new Set(ids(rowsOf('kernels')));
    for (const { id } of judged) assert.ok(!calibrated.has(id), id);
    const shown = new Set(ids(rowsOf('judged')));
    for (const { id } of judged) assert.ok(shown.has(id), id);
  });

  it('is quoted by README with the figures that it has', () => {
    const figures = (section: string, first: string) =>
      rowsOf(section)
        .filter(([name]) => name.startsWith(first))
        .map(([name, rows, meanError, , worst]) => ({ name: name.slice(first.length), rows, mean: Number.parseFloat(meanError), worst }));
    const whole = (worst: string) => Math.abs(Math.round(Number.parseFloat(worst)));
    const judged = figures('judged', 'judged ');
    const fitted = figures('tables', '').filter(({ name }) => judged.some(other => other.name === name));
    const wanted = fitted.map(({ name, mean, worst }) => {
      const other = judged.find(row => row.name === name)!;
      const otherMean = other.mean < 10 ? other.mean.toFixed(1) : other.mean.toFixed(0);
      return [`${mean} %, ${whole(worst)} %`, `${otherMean} %, ${whole(other.worst)} % (${other.rows} rows)`];
    });
    const rows = [...read('README.md').matchAll(/^\| Trn\d, [^|]+\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, own, others]) => [own, others]);
    assert.equal(rows.length, 3);
    assert.deepEqual(rows, wanted);
  });
});
