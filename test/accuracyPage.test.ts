/** The accuracy pages: their tables hold the published times, what the model says now, and sums of their own rows. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { EXPLANATIONS, INSTRUCTION_ROWS, instructionError } from '../bench/fidelity/instructions';
import { measuredNs, readRows } from '../src/cli/fidelityRows';
import { errorStatistics } from '../src/simulator/analyze/errorStatistics';
import { MEASURED_ACCURACY } from '../src/simulator/hardware/measuredAccuracy';
import { CLI } from './support/built';
import { temporaryFolder } from './support/temporary';

declare const NKI_SCOPE_ROOT: string;

const read = (...names: string[]) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, ...names), 'utf8');
const page = read('docs', 'ACCURACY.md');
const pages = [page, ...fs.readdirSync(path.join(NKI_SCOPE_ROOT, 'docs', 'accuracy')).map(name => read('docs', 'accuracy', name))];

/** Rows of the tables between the marks of a section, as lists of cells; heads and rules left out. */
function rowsOf(section: string): string[][] {
  const place = new RegExp(`<!-- ${section} -->\n([\\s\\S]*?)<!-- /${section} -->`);
  const [found, ...others] = pages.flatMap(text => place.exec(text)?.[1] ?? []);
  assert.ok(found !== undefined && others.length === 0, `${found === undefined ? 'no' : 'a second'} place for ${section}`);
  const cells = found.split('\n').map(line => line.split('|').slice(1, -1));
  return cells
    .map(row => row.map(cell => cell.trim()))
    .filter((row, at, all) => row.length > 0 && !isRule(row) && !isRule(all[at + 1] ?? []));
}

const isRule = (row: string[]) => row[0] === '---';
const ids = (rows: string[][]) => rows.map(row => row[0].replaceAll('`', ''));

const NS: Readonly<Record<string, number>> = { ns: 1, µs: 1e3, ms: 1e6 };

/** A time of the page, in nanoseconds. */
function ns(text: string): number {
  const [value, unit] = text.split(' ');
  return Number(value) * NS[unit];
}

/** Times of the page have three digits, errors one place. */
const assertNear = (shownNs: number, exactNs: number, what: string) =>
  assert.ok(Math.abs(shownNs / exactNs - 1) <= 0.006, `${what}: the page has ${shownNs} ns, it is ${exactNs} ns`);

/** Measured times of kernels that are modelled again here. */
const SHORT_NS = 50_000;

interface Sensitivity {
  results: { name: string; value: number; changed: { value: number; errors: Record<string, number> }[] }[];
  evidence: { constants: { name: string; what: string; value: number; other: number; errors: Record<string, number> }[] };
}

interface LeftOutRow {
  id: string;
  author: string;
  table: string;
  rests?: string;
  measuredNs: number;
  asIsNs: number;
  leftOutNs: number;
}

const unseenAuthors = () => JSON.parse(read('bench', 'fidelity', 'unseenAuthors.json')) as LeftOutRow[];

describe('docs/ACCURACY.md and docs/accuracy', () => {
  const temporary = temporaryFolder();

  it('has a place for every table that the script fills in', () => {
    const filled = [...read('scripts', 'accuracy.mjs').matchAll(/fill\('(\w+)'/g)].map(([, section]) => section);
    assert.ok(filled.length >= 18);
    const marked = [...pages, read('README.md')].flatMap(text => [...text.matchAll(/^<!-- (\w+) -->$/gm)].map(match => match[1]));
    assert.deepEqual([...marked].sort(), [...filled].sort());
  });

  it('quotes the figures that profiles quote about themselves', () => {
    const byPipeline = rowsOf('tables').filter(([name]) => !name.startsWith('spilling '));
    const quoted = byPipeline.map(([name, rows, meanError, , worst]) => {
      const figures = { rows: Number(rows), meanPercent: Number.parseFloat(meanError), worstPercent: Math.round(Number.parseFloat(worst)) };
      return [name.replace('rewritten', 'rewriting'), figures];
    });
    assert.deepEqual(Object.fromEntries(quoted), MEASURED_ACCURACY);
  });

  for (const [summary, section, source] of [
    ['tables', 'kernels', 'rows.json'],
    ['judged', 'judgedRows', 'judged.json'],
  ] as const)
    it(`has every row of ${source} that has a kernel, its published time, and sums that are those of its rows`, () => {
      const published = readRows(path.join(NKI_SCOPE_ROOT, 'bench', 'fidelity', source)).filter(row => row.run);
      const kernels = rowsOf(section).filter(([name]) => name.startsWith('`'));
      assert.deepEqual(
        ids(kernels),
        published.map(row => row.id),
      );
      const errors = kernels.map(([id, metric, measured, modelled, error], k) => {
        assert.equal(metric, published[k].metric.replaceAll('|', '/'), id);
        assertNear(ns(measured), measuredNs(published[k])!, id);
        assertNear(ns(modelled), measuredNs(published[k])! * (1 + Number.parseFloat(error) / 100), id);
        return Number.parseFloat(error);
      });
      const tables = rowsOf(summary).filter(([name]) => !name.startsWith('`'));
      assert.deepEqual(
        tables.map(([name, rows]) => [name, Number(rows)]),
        [...new Set(published.map(row => row.table!))].map(name => [name, published.filter(row => row.table === name).length]),
      );
      for (const [name, , meanError, bias, worst] of tables) {
        const own = errorStatistics(errors.filter((_, k) => published[k].table === name));
        assert.ok(Math.abs(own.meanAbsolute - Number.parseFloat(meanError)) <= 0.1001, `${name}: mean ${own.meanAbsolute}`);
        assert.ok(Math.abs(own.bias - Number.parseFloat(bias)) <= 0.1001, `${name}: bias ${own.bias}`);
        assert.equal(own.worst, Number.parseFloat(worst), name);
      }
    });

  it('has the times that the model says now, of all short kernels', () => {
    const short = ['rows.json', 'judged.json'].flatMap(source => {
      const folder = path.join(NKI_SCOPE_ROOT, 'bench', 'fidelity');
      const rows = readRows(path.join(folder, source)).filter(row => row.run && measuredNs(row)! < SHORT_NS);
      return rows.map(row => ({ ...row, run: { ...row.run!, file: path.join(folder, row.run!.file) } }));
    });
    assert.ok(short.length > 20);
    const file = temporary.write('short.json', JSON.stringify(short));
    const { stdout, stderr, status } = spawnSync(process.execPath, [CLI, 'fidelity', '--rows', file, '--json'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const now = JSON.parse(stdout) as { rows: { id: string; modelled_ns: number }[] };
    assert.equal(now.rows.length, short.length);
    const shown = new Map([...rowsOf('kernels'), ...rowsOf('judgedRows')].map(([id, , , modelled]) => [id.replaceAll('`', ''), modelled]));
    for (const { id, modelled_ns } of now.rows) assertNear(ns(shown.get(id)!), modelled_ns, id);
  }).timeout(600_000);

  it('explains the instructions that are explained, with what the model says now', () => {
    const explained = INSTRUCTION_ROWS.filter(row => row.id in EXPLANATIONS);
    const rows = rowsOf('instructions').filter(([name]) => name.startsWith('`'));
    assert.deepEqual(
      ids(rows),
      explained.map(row => row.id),
    );
    for (const [k, row] of explained.entries()) {
      const figure = (value: number) => `${!row.unit || row.unit === 'ns' ? value.toFixed(0) : value.toPrecision(3)} ${row.unit ?? 'ns'}`;
      const [, measured, modelled, error, why] = rows[k];
      assert.deepEqual([measured, modelled, why], [figure(row.measured), figure(row.modelled()), EXPLANATIONS[row.id].why], row.id);
      assert.equal(Number.parseFloat(error).toFixed(1), instructionError(row).toFixed(1), row.id);
    }
    const counts = /Of (\d+) measured ones, (\d+) are modelled within 5 %/.exec(pages.join('\n'));
    assert.deepEqual(counts?.slice(1).map(Number), [INSTRUCTION_ROWS.length, INSTRUCTION_ROWS.length - explained.length]);
  });

  it('has the measurements of constants that stand in bench/fidelity/sensitivity.json', () => {
    const { results, evidence } = JSON.parse(read('bench', 'fidelity', 'sensitivity.json')) as Sensitivity;
    const percent = (errors: Record<string, number>) => Object.values(errors).map(error => `${error.toFixed(1)} %`);
    assert.deepEqual(
      rowsOf('sensitivity').map(([name, , value, halved, doubled]) => [name, value, halved, doubled]),
      results.map(({ name, value, changed }) => [
        `\`${name}\``,
        String(value),
        ...changed.map(other => `${other.value}: ${percent(other.errors).join(' / ')}`),
      ]),
    );
    const named = (errors: Record<string, number>) => Object.entries(errors).map(([name, error]) => `${name} ${error.toFixed(1)} %`);
    assert.deepEqual(
      rowsOf('evidence').map(([name, value, other, , errors]) => [name, value, other, errors]),
      evidence.constants.map(({ name, what, value, other, errors }) => [
        `\`${name}\` ${what}`.trim(),
        String(value),
        String(other),
        named(errors).join(', '),
      ]),
    );
  });

  it('judges by rows that are not calibrated on', () => {
    const calibrated = new Set(ids(rowsOf('kernels')));
    for (const { id } of readRows(path.join(NKI_SCOPE_ROOT, 'bench', 'fidelity', 'judged.json'))) assert.ok(!calibrated.has(id), id);
  });

  it('has the modelled times of bench/fidelity/unseenAuthors.json, of every measured time once', () => {
    const tables = [...rowsOf('kernels'), ...rowsOf('judgedRows'), ...rowsOf('publishedRows')].filter(([name]) => name.startsWith('`'));
    // Published rows have an author where the others have a metric; the modelled time is in the same column.
    const shown = new Map(tables.map(([id, , , modelled]) => [id.replaceAll('`', ''), modelled]));
    const rows = unseenAuthors();
    assert.ok(rows.length > 150);
    for (const { id, asIsNs, leftOutNs } of rows) {
      assertNear(ns(shown.get(id)!), asIsNs, id);
      assert.ok(leftOutNs > 0, id);
    }
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  });

  it('has sums of the rows of authors who were left out', () => {
    const rows = unseenAuthors();
    const tables = rowsOf('authors').filter(([name]) => /^(literal|rewriting) trn\d$/.test(name));
    assert.ok(tables.length >= 3);
    for (const [name, , count, asIs, , leftOut] of tables) {
      const own = rows.filter(({ table }) => table === name);
      const mean = (of: (row: LeftOutRow) => number) =>
        errorStatistics(own.map(row => 100 * (of(row) / row.measuredNs - 1))).meanAbsolute.toFixed(1);
      assert.deepEqual(
        [count, asIs, leftOut],
        [String(own.length), `${mean(row => row.asIsNs)} %`, `${mean(row => row.leftOutNs)} %`],
        name,
      );
    }
  });

  it('is quoted by README with what an unseen kernel can expect, and not with errors of rows that the model was built with', () => {
    const readme = read('README.md');
    const rows = unseenAuthors();
    const likely = new Map(rowsOf('likely').map(([name, , , factors, held]) => [name, `${factors} (${held})`]));
    const found = [...readme.matchAll(/^\| (Trn\d), ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)];
    assert.equal(found.length, 3);
    for (const [, product, words, author, kernel, factors] of found) {
      const name = `${words.startsWith('legacy') ? 'rewriting' : 'literal'} ${product.toLowerCase()}`;
      const own = rows.filter(({ table }) => table === name);
      const untouched = own.filter(({ rests }) => !rests);
      const cell = (some: LeftOutRow[], of: (row: LeftOutRow) => number) => {
        const authors = new Set(some.map(row => row.author)).size;
        const { meanAbsolute } = errorStatistics(some.map(row => 100 * (of(row) / row.measuredNs - 1)));
        return `${meanAbsolute.toFixed(0)} % (${some.length} rows, ${authors} ${authors === 1 ? 'author' : 'authors'})`;
      };
      assert.equal(
        author,
        cell(own, row => row.leftOutNs),
        name,
      );
      assert.equal(kernel, untouched.length > 0 ? cell(untouched, row => row.asIsNs) : 'no such rows', name);
      assert.equal(factors, likely.get(name) ?? 'not known', name);
    }
    const [, share, regret] = /authors left out: (\d+ %) in the measured order, mean regret ([\d.]+ %)/i.exec(page)!;
    assert.ok(readme.includes(`${share} of the pairs`) && readme.includes(`${regret} slower`), `${share}, ${regret}`);
    // the regret may be as large as one of these errors
    const others = readme.replace(`${regret} slower`, '');
    for (const [name, , mean] of rowsOf('tables')) assert.ok(!others.includes(mean), `${name}: ${mean}`);
  });

  it('is checked by one command, which fails where a figure no longer holds', () => {
    const check = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(NKI_SCOPE_ROOT, 'scripts', 'accuracy.mjs'), '--check', '--stored', ...args], {
        encoding: 'utf8',
      });
    const right = check();
    assert.equal(right.status, 0, right.stderr);
    const changed = (text: string, begins: RegExp) => text.replace(begins, (_, same, digit) => `${same}${(Number(digit) + 1) % 10} %`);
    const authors = changed(page, /(<!-- authors -->[\s\S]*?\n\| literal trn2 \| \d+ \| \d+ \| [\d.]+?)(\d) %/);
    const each = changed(read('docs', 'accuracy', 'unseen.md'), /(\n\| aws \| literal trn2 \| \d+ \| [\d.]+?)(\d) %/);
    const wrong = check('--page', temporary.write('ACCURACY.md', authors), '--page', temporary.write('unseen.md', each));
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /No longer as printed: .*ACCURACY\.md: authors, .*unseen\.md: eachAuthor/);
  }).timeout(60_000);

  it('is quoted by README for AWS’s profiling example', () => {
    const kernels = new Map(rowsOf('kernels').map(([id, , , modelled, error]) => [id.replaceAll('`', ''), { modelled, error }]));
    const published = new Map(readRows(path.join(NKI_SCOPE_ROOT, 'bench', 'fidelity', 'rows.json')).map(row => [row.id, row]));
    for (const [title, id] of [
      ['NCL', 'exp-250x512-ncl1'],
      ['profile total', 'exp-250x512-prof'],
    ]) {
      const sentence = new RegExp(`${title} ([\\d.]+ µs)(?: on hardware)?, ([\\d.]+ µs)(?: in the model)? \\((-?\\d+ %)\\)`);
      const [measured, modelled, error] = sentence.exec(read('README.md').replaceAll('\n', ' '))!.slice(1);
      assert.equal(ns(measured), measuredNs(published.get(id)!), title);
      assert.equal(modelled, kernels.get(id)!.modelled, title);
      assert.equal(error, `${Math.round(Number.parseFloat(kernels.get(id)!.error))} %`, title);
    }
  });
});
