/** What the viewer warns of is in every export, in the same words, and is not taken for a check when a file is read again. */
import assert from 'node:assert/strict';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { OWN_SECTION } from '../../../src/simulator/formats/capture/ownMeta';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { tables } from '../../../src/simulator/formats/parquet/tables';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import { PERFORMANCE, said } from '../../../src/simulator/formats/said';
import { summaryJson } from '../../../src/simulator/formats/summaryJson';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import { syntheticProfile } from '../../support/syntheticProfile';

const profile = syntheticProfile(600);
profile.transfers.bytes.fill(4096, 0, 40);
profile.checks = [{ severity: 'warning', message: 'reads t, which nothing has written', file: profile.files[0].path, line: 8 }];

describe('what the viewer warns of', () => {
  const all = said(profile);
  const json = [...jsonChunks(profile)].join('');

  it('is its checks and its warnings', () => {
    assert.equal(all.length, 1 + warnings(profile).length);
    assert.ok(all.some(({ category, message }) => category === PERFORMANCE && message.startsWith('Small DMA transfers: ')));
  });

  it('is in JSON, Parquet, Perfetto and both summaries', () => {
    assert.deepEqual(
      JSON.parse(json).warnings.map((row: { message: string }) => row.message),
      all.map(({ message }) => message),
    );
    const rows = [...tables(profile)].find(table => table.name === 'Warning')!;
    const parquet = Array.from({ length: rows.rows }, (_, row) => String(rows.columns.message(row))).join('\n');
    const trace = Buffer.concat([...perfettoChunks(profile)]).toString('utf8');
    const text = summaryText(profile);
    const [metrics] = Object.values(JSON.parse(summaryJson(profile))) as { warnings: unknown[] }[];
    assert.deepEqual(metrics.warnings, all);
    for (const { message } of all) {
      assert.ok(parquet.includes(message), message);
      assert.ok(trace.includes(message), message);
      assert.ok(text.includes(message), message);
    }
  });

  it('is not taken for a check of the kernel when the file is read again', () => {
    const { [OWN_SECTION]: _, ...recording } = JSON.parse(json);
    const again = readCaptureJson([new TextEncoder().encode(JSON.stringify(recording))], { name: 'again' });
    assert.deepEqual(
      again.checks.map(({ message }) => message),
      ['reads t, which nothing has written'],
    );
  });
});
