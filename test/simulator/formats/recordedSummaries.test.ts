import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { type RecordedMetric, recordedAgainstEvents } from '../../../src/simulator/analyze/summary';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { expectGolden } from '../../support/golden';

declare const NKI_SCOPE_ROOT: string;

const CAPTURES = ['baseline_bf16_s512', 'baseline_fp32_s512', 'fused_bf16_s512', 'fused_fp32_s512'];
const read = (name: string) => {
  const file = path.join(NKI_SCOPE_ROOT, 'test/fixtures/captures', `${name}.json.gz`);
  return readCaptureJson([zlib.gunzipSync(fs.readFileSync(file))], { name });
};

/** Times in the files are whole nanoseconds, the recorded sums come from finer ones. */
const TIME = /_(time|cycles|percent)$/;
const MOST_IN_TIMES = 0.006;

const cell = (m: RecordedMetric | undefined) => (!m ? '' : m.difference === 0 ? 'equal' : `${(m.difference * 100).toFixed(3)} %`);

describe('the summaries that four captures recorded', () => {
  const compared = CAPTURES.map(name => new Map(recordedAgainstEvents(read(name)).map(m => [m.name, m])));
  const names = [...compared[0].keys()];

  it('are what their events add up to: counts, bytes and FLOPs exactly, times within the rounding of the files', () => {
    assert.ok(names.length > 50, `only ${names.length} compared`);
    for (const [k, metrics] of compared.entries())
      for (const m of metrics.values()) {
        const allowed = TIME.test(m.name) && !/(packet|size)_percent$/.test(m.name) ? MOST_IN_TIMES : 0;
        assert.ok(Math.abs(m.difference) <= allowed, `${CAPTURES[k]}: ${JSON.stringify(m)}`);
      }
  });

  it('say the same of the same metrics, as a table', () => {
    for (const metrics of compared) assert.deepEqual([...metrics.keys()], names);
    const rows = [['', ...CAPTURES], ...names.map(name => [name, ...compared.map(metrics => cell(metrics.get(name)))])];
    const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)));
    const line = (row: string[]) => row.map((text, k) => (k === 0 ? text.padEnd(widths[k]) : text.padStart(widths[k]))).join('  ');
    expectGolden('recorded-summaries', `What events add up to, against the recorded figure\n\n${rows.map(line).join('\n')}\n`);
  });
});
