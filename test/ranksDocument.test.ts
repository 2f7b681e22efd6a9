/** docs/ranks.md: its table of collectives is what the model says today, and the constants that rest on rows name rows that there are. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { collectiveRows, collectiveTable } from '../bench/fidelity/collectives';
import { isFact } from '../src/simulator/hardware/facts';
import { ALGORITHMS, TOPOLOGIES } from '../src/simulator/hardware/network';

declare const NKI_SCOPE_ROOT: string;

describe('docs/ranks.md', () => {
  const page = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'docs/ranks.md'), 'utf8');

  it('has the table that scripts/collectives.mjs writes', () =>
    assert.ok(page.includes(`<!-- table -->\n${collectiveTable()}\n<!-- end of table -->`), 'run node scripts/collectives.mjs'));

  it('names every topology', () => {
    for (const { name } of TOPOLOGIES) assert.ok(page.includes(`\`${name}\``), name);
  });

  it('rests its fitted constants on rows of the table, within 5 %', () => {
    const rows = new Map(collectiveRows().map(row => [row.id, row]));
    const facts = TOPOLOGIES.flatMap(({ network }) => [
      network.startNs,
      network.hopNs,
      ...ALGORITHMS.map(name => network.bytesPerNs[name]),
    ]);
    const named = facts.filter(isFact).flatMap(({ rows: ids = [] }) => ids);
    assert.ok(named.length >= 6);
    for (const id of named) {
      const row = rows.get(id);
      assert.ok(row && Math.abs(row.modelledUs / row.publishedUs - 1) < 0.05, id);
    }
  });

  it('gives a reason for each run that has a row beyond 20 %', () => {
    const reasons = [...page.matchAll(/^- `-r (\d+) (\w+)`/gm)].map(([, ranks, operation]) => ({ ranks: Number(ranks), operation }));
    const off = collectiveRows().filter(({ publishedUs, modelledUs }) => Math.abs(modelledUs / publishedUs - 1) > 0.2);
    const words = off.map(({ run }) => ({ run, operation: run.command.match(/\b(all\w+|permute)\b/)![1] }));
    const missing = words.filter(
      ({ run, operation }) => !reasons.some(reason => reason.ranks === run.ranks && reason.operation === operation),
    );
    assert.deepEqual([...new Set(missing.map(({ run }) => run.command))], []);
  });

  it('has each shape of a machine once, and takes the algorithms that are published', () => {
    const rows = collectiveRows();
    const shapes = rows.map(({ run, bytes }) => `${run.topology} ${run.collective} ${run.ranks} ${bytes}`);
    assert.deepEqual(
      shapes.filter((shape, k) => shapes.indexOf(shape) !== k),
      [],
    );
    const known = rows.filter(({ publishedAlgorithm }) => publishedAlgorithm !== undefined);
    assert.ok(known.length >= 5);
    for (const { id, algorithm, publishedAlgorithm } of known) assert.equal(algorithm, publishedAlgorithm, id);
  });
});
