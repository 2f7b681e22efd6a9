/** Rows of `fidelity`: what is read, what is refused, and which figure a metric names. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type FidelityRow, figureOf, measuredNs, readRows, requestOf } from '../../src/cli/fidelityRows';
import { errorPercent, errorStatistics } from '../../src/simulator/analyze/errorStatistics';
import { machineFor } from '../../src/simulator/hardware/targets';
import type { Profile } from '../../src/simulator/profile/profile';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const row = (more: object = {}): FidelityRow => ({ id: 'a', metric: 'NCL p50', value: 20, unit: 'us', source: 's', ...more });

describe('fidelity rows', () => {
  const temporary = temporaryFolder();
  const write = (value: unknown) => temporary.write('rows.json', typeof value === 'string' ? value : JSON.stringify(value));

  it('reads the rows that come with the sources, and finds every file they name', () => {
    const file = path.join(NKI_SCOPE_ROOT, 'bench', 'fidelity', 'rows.json');
    const rows = readRows(file);
    assert.ok(rows.length > 30);
    for (const r of rows) {
      assert.ok(r.run && figureOf(r) && measuredNs(r), r.id);
      assert.ok(fs.existsSync(requestOf(r, path.dirname(file)).file), r.id);
    }
  });

  it('refuses what is no row', () => {
    for (const bad of ['{', {}, [{ id: 'a' }], [row({ value: 0 })], [row({ run: {} })]])
      assert.throws(() => readRows(write(bad)), /rows.json/);
  });

  it('refuses a run whose time it cannot model, and says which words it knows', () => {
    const run = { file: 'k.py' };
    assert.throws(
      () => readRows(write([row({ run, metric: 'p50 of calls' })])),
      /row 1 \(a\): "p50 of calls" names no time .* total time, NCL/,
    );
    assert.throws(() => readRows(write([row({ run, unit: 'percent' })])), /row 1 \(a\): percent is no unit of time/);
    assert.equal(readRows(write([row({ unit: 'percent' })])).length, 1, 'without a run it is evidence, not a time');
  });

  it('turns a run into a request, files relative to the rows', () => {
    const file = temporary.write('k.py', '');
    const folder = path.dirname(file);
    const request = requestOf(
      row({ run: { file: 'k.py', kernel: 'k', args: { x: 'bf16[4,4]', n: 2 }, target: 'trn1', dge: 'off' } }),
      folder,
    );
    assert.equal(request.file, file);
    assert.deepEqual(request.args, { x: 'bfloat16[4,4]', n: 2 });
    assert.deepEqual([request.target, request.dge, request.numerics], ['trn1', 'off', 'off']);
    assert.throws(() => requestOf(row({ run: { file: 'none.py' } }), folder), /no such file/);
  });

  it('knows body, NCL and total by the words of the metric', () => {
    const profile = {
      ...{ bodyStartNs: 10, bodyEndNs: 2110, nclUs: 3, totalTimeNs: 4000 },
      machine: { instanceType: 'trn2' },
      tracks: [{ name: 'qSyncIO0' }, { name: 'qGpSimdDynamic' }],
      transfers: { readyNs: Float64Array.of(1610, 10), track: Uint16Array.of(0, 1) },
    } as unknown as Profile;
    const leadNs = machineFor('trn2').dma.triggers.software!.leadNs.value;
    const figure = (metric: string) => figureOf(row({ metric }))?.(profile);
    assert.equal(figure('kernel body: first DMA trigger -> last payload end'), 2100);
    assert.equal(figure('load trigger -> store payload end'), 2100 - leadNs, 'software writes descriptors before it triggers');
    assert.equal(figure('NCL p1/p50/p99'), 3000);
    assert.equal(figure('latency'), 3000);
    assert.equal(figure('profile total_time, mean of 10'), 4000);
    assert.equal(figure('VectorE active percent'), undefined);
    assert.deepEqual([measuredNs(row()), measuredNs(row({ unit: '%' }))], [20_000, undefined]);
  });

  it('puts the start and end of older runtimes around the body of a row that was measured with one', () => {
    const profile = { bodyStartNs: 10, bodyEndNs: 2110, nclUs: 3, totalTimeNs: 4000, target: 'trn2' } as unknown as Profile;
    const { preambleNs, postambleNs, nclOverheadNs } = machineFor('trn2');
    const figure = (metric: string) => figureOf(row({ metric, run: { file: 'a.py', legacyRuntime: true } }))?.(profile);
    assert.equal(figure('profile total time'), preambleNs.value + 2100 + postambleNs.value);
    assert.equal(figure('NCL p50'), 2100 + nclOverheadNs.value);
    const file = temporary.write('older.py', '');
    const { machine } = requestOf(row({ run: { file: 'older.py', legacyRuntime: true } }), path.dirname(file));
    assert.equal(machine?.recentSoftwareTrigger, undefined, 'nor does GpSimd take as long as with a recent NKI');
    assert.ok(machine && !('machine' in requestOf(row({ run: { file: 'older.py' } }), path.dirname(file))));
  });

  it('knows what a trace of the runtime has of an execution', () => {
    const profile = { bodyStartNs: 10, bodyEndNs: 2110, nclUs: 3, totalTimeNs: 4000, target: 'trn2' } as unknown as Profile;
    const { traceOverheadNs } = machineFor('trn2').newRuntime!;
    const figure = figureOf(row({ metric: 'NCL (device trace, mean of 3)' }))!;
    assert.equal(figure(profile, machineFor('trn2')), 2100 + traceOverheadNs.value);
  });
});

describe('error statistics', () => {
  it('keep the sign of bias and worst', () => {
    assert.deepEqual(errorStatistics([-10, 4, 3]), { rows: 3, meanAbsolute: 17 / 3, bias: -1, worst: -10 });
    assert.ok(Math.abs(errorPercent(110, 100) - 10) < 1e-9);
  });
});
