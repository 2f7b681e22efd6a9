/** Pages written by hand: what hyparquet would take minutes over, or gigabytes for, is refused before it is read. */
import assert from 'node:assert/strict';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { FormatError } from '../../../src/simulator/columns/container';
import { ByteCursor } from '../../../src/simulator/formats/capture/parquet/byteCursor';
import { skipDeltas, skipRuns } from '../../../src/simulator/formats/capture/parquet/runs';
import { readParquetRows } from '../../../src/simulator/formats/capture/parquet/table';
import { skipStruct } from '../../../src/simulator/formats/capture/parquet/thrift';
import { explorerTable } from '../../support/explorerTable';
import { random } from '../../support/syntheticProfile';

const cursor = (...bytes: number[]) => new ByteCursor(Uint8Array.from(bytes));
const refused = (message: RegExp) => ({ name: 'FormatError', message });

type Described = Parameters<typeof schemaFromColumnData>[0]['columnData'];

function table(columnData: Described): Uint8Array {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData }) });
  parquet.write({ columnData });
  parquet.finish();
  return writer.getBytes();
}

describe('pages of Parquet', () => {
  it('counts runs of equal numbers and of packed bits as they are laid out', () => {
    const runs = cursor(5 << 1, 1, (1 << 1) | 1, 0b1011, 0xff);
    assert.equal(skipRuns(runs, 1, 12), 5 + 3);
    assert.equal(runs.at, 4);
    const wide = cursor((2 << 1) | 1, ...new Array(6).fill(0), 9);
    skipRuns(wide, 3, 13);
    assert.equal(wide.at, 7);
  });

  it('refuses runs that are longer than their page, which would be filled in for minutes', () => {
    const long = [0xff, 0xff, 0xff, 0xff];
    assert.throws(() => skipRuns(cursor(...long, 0x0f), 0, 8), refused(/longer than its page/));
    assert.throws(() => skipRuns(cursor(0xfe, 0xff, 0xff, 0xff, 0x0f, 1), 1, 8), refused(/longer than its page/));
    assert.throws(() => skipRuns(cursor(...long, 0xff, 0xff), 1, 8), refused(/does not end/));
    assert.throws(() => skipRuns(cursor(3, 1), 20, 8), refused(/cut short/));
    assert.throws(() => skipRuns(cursor(0, 0), 0, 8), refused(/cut short/));
  });

  it('refuses blocks of differences without values, and numbers of any length', () => {
    assert.throws(() => skipDeltas(cursor(0, 4, 9, 0), 9), refused(/no sense/));
    assert.throws(() => skipDeltas(cursor(128, 1, 0, 9, 0), 9), refused(/no sense/));
    assert.throws(() => skipDeltas(cursor(128, 1, 4, 9, ...new Array(11).fill(0x80)), 9), refused(/does not end/));
    assert.throws(() => skipDeltas(cursor(128, 1, 4, 9, 0, 0, 65, 0, 0, 0), 9), refused(/no sense/));
  });

  it('refuses structures whose lists or depth would take the memory or the stack', () => {
    const listOfLists = Array.from({ length: 20 }, () => [0xf9, 0xff, 0xff, 0xff, 0x0f]).flat();
    assert.throws(() => skipStruct(cursor(0x19, ...listOfLists)), refused(/cut short/));
    assert.throws(() => skipStruct(cursor(...new Array(100).fill(0x1c))), refused(/nested too deeply/));
    assert.throws(() => skipStruct(cursor(0x16, ...new Array(100).fill(0x80))), refused(/does not end/));
    assert.throws(() => skipStruct(cursor(0x1d)), refused(/not one of Parquet/));
    const right = cursor(0x15, 2, 0x19, 0x25, 2, 4, 0x18, 1, 65, 0x11, 0);
    skipStruct(right);
    assert.equal(right.left, 0);
  });

  it('reads every packing and kind of column that it checks, nothings included', async () => {
    const rows = 1000;
    const every = <T>(make: (row: number) => T) => Array.from({ length: rows }, (_, row) => make(row));
    const columns = {
      plain: { type: 'DOUBLE', data: every(row => row / 3) },
      few: { type: 'STRING', data: every(row => ['a', 'b', 'c'][row % 3]) },
      gaps: { type: 'INT64', data: every(row => (row % 7 === 0 ? null : BigInt(row))), nullable: true },
      nothing: { type: 'STRING', data: every(() => null), nullable: true },
      flags: { type: 'BOOLEAN', data: every(row => row % 5 === 0), encoding: 'RLE' },
      steps: { type: 'INT64', data: every(row => BigInt(row * row)), encoding: 'DELTA_BINARY_PACKED' },
      small: { type: 'INT32', data: every(row => row % 100), encoding: 'DELTA_BINARY_PACKED' },
      texts: { type: 'STRING', data: every(row => `text ${row}`), encoding: 'DELTA_LENGTH_BYTE_ARRAY' },
      shared: { type: 'STRING', data: every(row => `a common beginning ${row}`), encoding: 'DELTA_BYTE_ARRAY' },
      split: { type: 'FLOAT', data: every(row => row), encoding: 'BYTE_STREAM_SPLIT' },
    };
    const file = table(Object.entries(columns).map(([name, column]) => ({ name, nullable: false, ...column })) as Described);
    const read = await readParquetRows(file);
    const value = (row: number) => Object.fromEntries(Object.entries(columns).map(([name, { data }]) => [name, data[row]]));
    for (const row of [0, 1, 7, 14, 499, 999]) assert.deepEqual({ ...read[row] }, value(row), `row ${row}`);
    assert.equal(read.length, rows);
    const larger = Buffer.concat([Buffer.alloc(11), file]);
    assert.deepEqual(await readParquetRows(larger.subarray(11)), read, 'of a Buffer that is part of a larger one');
  });

  it('refuses a file that is too short for its tail, or for its footer', async () => {
    const file = table([{ name: 'a', type: 'INT32', nullable: false, data: [1, 2, 3] }] as Described);
    assert.equal((await readParquetRows(file)).length, 3);
    await assert.rejects(readParquetRows(file.subarray(0, 7)), FormatError);
    const longer = file.slice();
    new DataView(longer.buffer).setUint32(longer.length - 8, longer.length, true);
    await assert.rejects(readParquetRows(longer), refused(/footer is cut short/));
  });

  for (const lists of [
    { nullable: true, nullableTexts: true },
    { nullable: true, nullableTexts: false },
    { nullable: false, nullableTexts: true },
    { nullable: false, nullableTexts: false },
  ])
    it(`reads lists of texts, ${JSON.stringify(lists)}, and refuses any damage of them`, async () => {
      const list = (row: number) => {
        if (row === 0) return ['first'];
        if (lists.nullable && row % 5 === 1) return null;
        return Array.from({ length: row % 4 }, (_, k) => (lists.nullableTexts && k === 2 ? null : `${row}.${k}`)) as string[];
      };
      const rows = Array.from({ length: 300 }, (_, row) => ({ id: row, flow_id: list(row) }));
      const file = explorerTable(rows, lists);
      const read = await readParquetRows(file);
      // hyparquet has no lists of nothing where none may be missing
      const said = (value: unknown) => [value ?? []].flat();
      for (const [row, { id, flow_id }] of rows.entries())
        assert.deepEqual([Number(read[row].id), said(read[row].flow_id)], [id, said(flow_id)], `row ${row}`);
      let refusedFiles = 0;
      const next = random(5);
      for (let mutant = 0; mutant < 300; mutant++) {
        const damaged = file.slice();
        for (let n = 0; n < 3; n++) damaged[4 + Math.floor(next() * (damaged.length - 12))] = Math.floor(next() * 256);
        const before = process.cpuUsage();
        try {
          assert.ok((await readParquetRows(damaged)).length <= damaged.length);
        } catch {
          refusedFiles++;
        }
        assert.ok(process.cpuUsage(before).user < 1e6, `mutant ${mutant}`);
      }
      assert.ok(refusedFiles > 50, `${refusedFiles} refused`);
    });

  it('refuses lists that claim more values than rows could have', async () => {
    const rows = [{ flow_id: Array.from({ length: 200 }, (_, k) => String(k)) }];
    await assert.rejects(readParquetRows(explorerTable(rows)), refused(/a page says 200/));
  });
});
