/** Writers and analysis against profiles whose numbers and names are valid and unusual. */
import assert from 'node:assert/strict';
import { parquetReadObjects } from 'hyparquet';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import { ProtoBuffer } from '../../../src/simulator/formats/perfetto/protobuf';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import { syntheticProfile } from '../../support/syntheticProfile';

describe('formats of unusual numbers and names', () => {
  it('perfetto: ends with an error for a time that is no number, instead of writing on and on', () => {
    for (const value of [Number.POSITIVE_INFINITY, Number.NaN, -1, 0.5, 2 ** 54])
      assert.throws(() => new ProtoBuffer().varint(1, value), { name: 'RangeError', message: /not a whole number from 0 to 2\^53/ });
    const odd = syntheticProfile(5);
    odd.transfers.endNs[0] = Number.POSITIVE_INFINITY;
    assert.throws(() => [...perfettoChunks(odd)], RangeError);
    const fraction = syntheticProfile(5);
    fraction.transfers.bytes[0] = 1000.4;
    assert.ok([...perfettoChunks(fraction)].length > 0, 'sizes are rounded');
  });

  it('parquet: leaves a gap for sums that no int64 holds, and for recorded texts where numbers belong', async () => {
    const recorded = { summary: { total_time: 'soon', dma_transfer_total_bytes: 'many' }, profiler: '', ids: [] };
    const odd = { ...syntheticProfile(5), recorded };
    odd.dmaSlices.bytes.fill(2 ** 52);
    odd.dmaSlices.endNs.set(odd.dmaSlices.startNs.map(start => start + start * 2 ** -52));
    const files = new Map(parquetFiles(odd));
    const [summary] = await parquetReadObjects({ file: files.get('Summary.parquet')!.slice().buffer as ArrayBuffer });
    assert.deepEqual([summary.total_time, summary.dma_transfer_total_bytes], [null, null]);
  });

  it('parquet: tells engines with a space in their name from opcodes', async () => {
    const odd = syntheticProfile(5);
    odd.tracks = odd.tracks.map(track => ({ ...track, engine: `${track.engine} of 2` }));
    const file = new Map(parquetFiles(odd)).get('OpcodeSummary.parquet')!;
    const rows = await parquetReadObjects({ file: file.slice().buffer as ArrayBuffer });
    assert.ok(rows.every(row => / of 2$/.test(String(row.engine)) && odd.opcodes.includes(String(row.opcode))));
  });

  it('summary-text: prints recorded metrics whatever their names', () => {
    const summary = { constructor: 7, toString: 8, ...Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`m${i}`, i])) };
    const text = summaryText({ ...syntheticProfile(5), recorded: { summary: summary as never, profiler: '', ids: [] } });
    assert.match(text, /\n {2}constructor +7\n/);
  });

  it('takes time in proportion to thousands of tracks, overlapping stretches and lines of a source', function () {
    this.timeout(20_000);
    const many = syntheticProfile(12_000);
    many.tracks = Array.from({ length: 4000 }, (_, i) => ({ kind: 'engine', name: `e${i}`, engine: `e${i}` }));
    many.instructions.startNs.fill(5);
    many.dmaSlices.startNs.fill(5);
    many.dmaSlices.endNs.fill(1e6);
    many.files = [{ path: '/k.py', text: 'x = 1\n'.repeat(40_000), sha256: '' }];
    many.frames = {
      parent: new Int32Array(40_000).fill(-1),
      file: new Uint32Array(40_000),
      line: Uint32Array.from({ length: 40_000 }, (_, i) => i),
      function: new Uint32Array(40_000),
    };
    many.inputs = Array.from({ length: 20_000 }, (_, i) => ({ name: `t${i}`, shape: [1], dtype: 'float32' }));
    criticalPath(many);
    for (const _ of perfettoChunks(many));
    for (const _ of parquetFiles(many));
  });
});
