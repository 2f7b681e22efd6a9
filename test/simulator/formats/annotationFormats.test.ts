/** Annotations in the formats that have no field for them: Parquet folders keep them, summaries print them. */
import assert from 'node:assert/strict';
import { anchorOf, MISSING, placeAnnotations } from '../../../src/simulator/analyze/anchors';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { encodeTable } from '../../../src/simulator/formats/parquet/encode';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { tables } from '../../../src/simulator/formats/parquet/tables';
import { summaryJson } from '../../../src/simulator/formats/summaryJson';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import type { Annotation } from '../../../src/simulator/profile/annotations';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

const read = (files: Iterable<readonly [string, Uint8Array]>) => readCaptureParquet(new Map(files), { name: 'x' });

describe('annotations in other formats', () => {
  // the second stands in a helper that is called at line 9, which the tables do not say
  const plain = tinyProfile({
    events: [
      { line: 4, track: 'Scalar', ready: 0, start: 10.4, end: 99.6, opcode: 'ACTIVATE' },
      { line: [3, 9], track: 'Vector', ready: 0, start: 120.3, end: 200.7, opcode: 'COPY' },
      { line: [3, 8], track: 'Vector', ready: 0, start: 220, end: 300, opcode: 'COPY' },
    ],
  });
  const anchor = anchorOf(plain, 0, 99.6);
  const annotations: Annotation[] = [
    { name: 'done', timeNs: 99.6, series: 0, note: 'late', anchor },
    { name: 'in the helper', timeNs: 120.3, series: 1, anchor: anchorOf(plain, 1, 120.3) },
    { name: 'a time', timeNs: 42, series: 2 },
  ];
  const p = { ...plain, annotations };
  const placed = (of: Profile) =>
    placeAnnotations(of, of.annotations ?? []).map(({ annotation: { name, note }, timeNs, event }) => [
      name,
      note,
      Math.round(timeNs),
      event,
    ]);

  it('come back from a Parquet folder, each at its event', async () => {
    const back = await read(parquetFiles(p));
    assert.deepEqual(placed(back), placed(p));
    assert.ok(!placed(p).some(([, , , event]) => event === MISSING));
    // and once more
    assert.deepEqual(placed(await read(parquetFiles(back))), placed(p));
  });

  it('leave a folder without any as it is', async () => {
    const bytes = (of: typeof plain) => [...parquetFiles(of)].map(([, file]) => Buffer.from(file).toString('base64'));
    assert.deepEqual(bytes({ ...plain, annotations: [] }), bytes(plain));
    assert.equal((await read(parquetFiles(plain))).annotations, undefined);
  });

  it('that are damaged are named', async () => {
    const damaged = (text: string) =>
      read([...tables(p)].map(table => [`${table.name}.parquet`, encodeTable({ ...table, footer: { 'nki_scope.annotations': text } })]));
    await assert.rejects(damaged('{'), /Metadata\.parquet is damaged: its annotations are no list/);
    await assert.rejects(damaged('{"name": 1}'), /are no list/);
    await assert.rejects(damaged('[{"name": 1}]'), /annotations\[0\]/);
  });

  it('are in summaries, where they are in this profile', () => {
    const gone = { name: 'gone', timeNs: 7, series: 2, anchor: { ...anchor, iteration: 'i=7' } };
    const of = { ...p, annotations: [...annotations, gone] };
    const [metrics] = Object.values(JSON.parse(summaryJson(of))) as { annotations: Record<string, unknown>[] }[];
    assert.deepEqual(metrics.annotations, [
      { name: 'done', note: 'late', time_ns: 99.6, event: 0, file: '/kernels/tiled.py', line: 4 },
      { name: 'in the helper', time_ns: 120.3, event: 1, file: '/kernels/tiled.py', line: 3 },
      { name: 'a time', time_ns: 42 },
    ]);
    assert.match(
      summaryText(of),
      /\nannotation: done at 99\.6 ns: tiled\.py:4: late\nannotation: in the helper at 120 ns: tiled\.py:3\nannotation: a time at 42 ns\n/,
    );
    assert.doesNotMatch(summaryText(of), /gone/);
    const none = syntheticProfile(30);
    assert.doesNotMatch(summaryJson(none) + summaryText(none), /annotation/);
  });
});
