/** Captures whose layers stand in the table of the framework's operations: they are the layers of the profile. */
import assert from 'node:assert/strict';
import { layerDepth, layerOfFrame, layerRows } from '../../../src/simulator/analyze/layers';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { type ExplorerRows, explorerTable } from '../../support/explorerTable';

/** Beyond 2^53, where numbers of JavaScript are no longer exact. */
const IDS = [9007199254740993n, 9007199254740992n] as const;
const NAMES = ['Decoder[1]/Attention[2]/aten.mm', 'Decoder[1]/Mlp[3]/aten.add'];

function instructions(more: (k: number) => ExplorerRows[number]): ExplorerRows {
  return [0, 1, 2].map(k => ({
    ...{ id: k, start_ts: k * 100, end_ts: k * 100 + 80, duration_ns: 80, engine: 'vector', timeline_track: 'Vector', pcore_idx: 0 },
    ...{ opcode: 'TENSOR_TENSOR', operands: '', nki_source_location: '', raw_flops: 10, ...more(k) },
  }));
}

const operations = (key: string): ExplorerRows => IDS.map((id, k) => ({ id: k, [key]: id, framework_name: NAMES[k] }));

const read = (tables: Record<string, ExplorerRows>) =>
  readCaptureParquet(new Map(Object.entries(tables).map(([name, rows]) => [`${name}.parquet`, explorerTable(rows)])), { name: 'x' });

describe('layers of captures', () => {
  for (const key of ['raw_framework_id', 'raw_bir_id'])
    it(`are the operations of the framework with the same ${key}`, async () => {
      const p = await read({
        Instruction: instructions(k => ({ layer: '', [key]: IDS[k] ?? 7n })),
        FrameworkInstruction: operations(key),
      });
      const layers = Array.from(p.instructions.frame, frame => layerOfFrame(p, frame));
      assert.deepEqual(layers, [...NAMES, '']);
      assert.equal(layerDepth(p), 3);
      const rows = layerRows(p).map(({ path, instructions: count, flops, startNs, endNs }) => [path, count, flops, startNs, endNs]);
      assert.deepEqual(rows.slice(0, 2), [
        ['Decoder[1]', 2, 20, 0, 180],
        ['Decoder[1]/Attention[2]', 1, 10, 0, 80],
      ]);
      assert.equal(rows.length, 5);
    });

  it('are those that the instructions name themselves, where they do', async () => {
    const p = await read({
      Instruction: instructions(k => ({ layer: k === 0 ? 'own' : '', raw_framework_id: IDS[k] ?? 7n })),
      FrameworkInstruction: operations('raw_framework_id'),
    });
    assert.deepEqual(
      Array.from(p.instructions.frame, frame => layerOfFrame(p, frame)),
      ['own', NAMES[1], ''],
    );
  });
});
