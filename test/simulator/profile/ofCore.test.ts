/** One core's part of a recording of two: its events, no figures that the profiler summed up over both, and every analysis works on it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { lines } from '../../../src/simulator/analyze/lines';
import { summary } from '../../../src/simulator/analyze/summary';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { summaryJson } from '../../../src/simulator/formats/summaryJson';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import { byCore, coresOf, ofCore, peakFlopsOf } from '../../../src/simulator/profile/ofCore';
import { syntheticProfile } from '../../support/syntheticProfile';

declare const NKI_SCOPE_ROOT: string;

const CAPTURE = zlib.gunzipSync(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'test/fixtures/captures/fused_fp32_s512.json.gz')));

describe('profile/ofCore', () => {
  const run = readCaptureJson([CAPTURE], { name: 'capture' });

  it('divides the events of a run between its cores', () => {
    assert.deepEqual(coresOf(run), [0, 1]);
    const parts = byCore(run).map(({ part }) => decodeProfile(encodeProfile(part)));
    const sum = (count: (p: (typeof parts)[number]) => number) => parts.reduce((all, p) => all + count(p), 0);
    assert.equal(
      sum(p => p.instructions.startNs.length),
      run.instructions.startNs.length,
    );
    assert.equal(
      sum(p => p.transfers.startNs.length),
      run.transfers.startNs.length,
    );
    assert.equal(
      sum(p => p.dmaSlices.startNs.length),
      run.dmaSlices.startNs.length,
    );
    for (const { tracks, machine } of parts) {
      assert.ok(tracks.every(({ name, core }) => core === undefined && !/ \(nc\d/.test(name)));
      assert.equal(machine.cores, undefined);
    }
    assert.equal(peakFlopsOf(run), 2 * peakFlopsOf(parts[0]));
  });

  it('has no metrics of the run, and those of its own events', () => {
    const both = coresOf(run).map(core => summary(ofCore(run, core)));
    assert.notEqual(both[0].total_active_time, summary(run).total_active_time);
    const [json] = Object.values(JSON.parse(summaryJson(run))) as { cores: object[] }[];
    assert.deepEqual(
      json.cores,
      both.map((metrics, core) => ({ core, ...metrics })),
    );
    assert.match(summaryText(run), /^ +run +core 0 +core 1$/m);
    for (const core of coresOf(run)) assert.ok(Array.isArray(lines(ofCore(run, core))));
  });

  it('is the run itself where there is one core', () => {
    const alone = syntheticProfile(20);
    assert.deepEqual(byCore(alone), [{ core: 0, part: alone }]);
    assert.ok(!summaryText(alone).includes('core 0'));
  });
});
