import assert from 'node:assert/strict';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { encodeTable } from '../../../src/simulator/formats/parquet/encode';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { FormatError } from '../../../src/simulator/index';
import { encodeProfile } from '../../../src/simulator/profile/codec';
import { operandListText } from '../../../src/simulator/profile/profile';
import { random, syntheticProfile } from '../../support/syntheticProfile';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readCaptureJson([bytes(text)], { name: 'x' });

/** Cut short, single bytes changed, pieces repeated or dropped. */
function mutate(original: Uint8Array, next: () => number): Uint8Array {
  const at = () => Math.floor(next() * original.length);
  const kind = next();
  if (kind < 0.2) return original.slice(0, at());
  if (kind < 0.35) return new Uint8Array(Buffer.concat([original.subarray(0, at()), original.subarray(at())]));
  const copy = original.slice();
  for (let n = 1 + Math.floor(next() * 4); n > 0; n--) copy[at()] = kind < 0.7 ? Math.floor(next() * 256) : 0x20 + Math.floor(next() * 95);
  return copy;
}

/** A profile that can be encoded, or a FormatError of one line; nothing else, and no value that is not finite. */
async function answers(run: () => unknown): Promise<'profile' | 'refused'> {
  try {
    const p = (await run()) as ReturnType<typeof syntheticProfile>;
    encodeProfile(p);
    for (const column of [p.instructions.startNs, p.instructions.endNs, p.transfers.bytes])
      assert.ok(column.every(Number.isFinite), 'not finite');
    return 'profile';
  } catch (error) {
    assert.ok(error instanceof FormatError, `${(error as Error).stack}`);
    assert.match(error.message, /^[^\n]{5,400}$/);
    return 'refused';
  }
}

describe('readers of captures meet hostile files', () => {
  it('json: 2,000 seeded mutations give a profile or one sentence', async () => {
    const { instruction, dma, metadata, nki_scope } = JSON.parse([...jsonChunks(syntheticProfile(3))].join(''));
    const original = bytes(JSON.stringify({ nki_scope, metadata, instruction, dma: dma.slice(0, 4) }));
    const next = random(7);
    const counts = { profile: 0, refused: 0 };
    for (let n = 0; n < 2000; n++) {
      const mutated = mutate(original, next);
      counts[await answers(() => readCaptureJson([mutated], { name: 'x' }))]++;
    }
    assert.ok(counts.profile > 100 && counts.refused > 500, JSON.stringify(counts));
  });

  it('parquet: 300 seeded mutations give a profile or one sentence', async () => {
    const all = new Map(parquetFiles(syntheticProfile(3)));
    const names = [
      'Instruction.parquet',
      'DmaPacket.parquet',
      'DmaPacketAggregated.parquet',
      'Metadata.parquet',
      'KernelStackFrames.parquet',
    ];
    const original = new Map(names.map(name => [name, all.get(name)!]));
    const next = random(11);
    const counts = { profile: 0, refused: 0 };
    for (let n = 0; n < 300; n++) {
      const name = names[n % names.length];
      const files = new Map(original).set(name, mutate(original.get(name)!, next));
      counts[await answers(() => readCaptureParquet(files, { name: 'x' }))]++;
    }
    assert.ok(counts.profile > 10 && counts.refused > 50, JSON.stringify(counts));
  });

  it('json: says what is wrong', () => {
    const event = { id: 1, timestamp: 0, duration: 1, subgroup: 'Tensor', label: 'Tensor', opcode: 'NOP' };
    const cases: [string, RegExp][] = [
      ['', /it is empty/],
      ['[]', /not an object of tables/],
      ['{}', /it has no tables/],
      ['{"a": [1, 2]}', /no instruction, no dma and no summary/],
      ['{"n_01": {"total_time": 1}, "n_02": {"total_time": 2}}', /metrics of 2 profiles \(n_01, n_02\) and no events: leave one of them/],
      ['{"summary": [{"total_time": 1}, {"total_time": 2}]}', /metrics of 2 profiles and no events/],
      ['{"instruction": [{"timestamp": 0', /cut short in instruction/],
      ['{"instruction": [{]}]}', /a row of instruction does not parse/],
      ['{"instruction": [{} {}]}', /rows of instruction|timestamp is missing/],
      [JSON.stringify({ instruction: [{ ...event, timestamp: -5 }] }), /in instruction, timestamp is -5: it cannot be negative/],
      [JSON.stringify({ instruction: [{ ...event, timestamp: 'soon' }] }), /timestamp is "soon", not a number/],
      [JSON.stringify({ instruction: [{ ...event, duration: 1e300 }] }), /not a number/],
      [`{"instruction": [${'['.repeat(100)}`, /nested too deeply/],
      [`${JSON.stringify({ instruction: [event] })} more`, /something follows its end/],
      [JSON.stringify({ instruction: [event], nki_scope: [{ tracks: [1] }] }), /its tracks are no tracks/],
      [
        JSON.stringify({ instruction: [event], nki_scope: [{ frames: { parent: ['x'] }, iterations: {} }] }),
        /parent of nki_scope holds no numbers/,
      ],
      [JSON.stringify({ instruction: [event], nki_scope: [{ machine: 'none' }] }), /machine is not of type object/],
    ];
    for (const [text, message] of cases) assert.throws(() => read(text), { name: 'FormatError', message }, text.slice(0, 60));
  });

  it('json: holds no more than a row, however long the file is', () => {
    const row = bytes(`${JSON.stringify({ timestamp: 1, value: 3, text: 'x'.repeat(100) })},`);
    let sent = 0;
    function* endless(): Generator<Uint8Array> {
      yield bytes('{"pending_dma": [');
      for (; sent < 50_000; sent++) yield row;
      yield bytes('{}], "summary": [{"total_time": 0.001}]}');
    }
    const before = process.memoryUsage().heapUsed;
    assert.equal(readCaptureJson(endless(), { name: 'x' }).totalTimeNs, 1e6);
    assert.ok(process.memoryUsage().heapUsed - before < 64e6, 'the file is 6 MB times eight');
  });

  it('json: keeps numbers as they are in strings and beyond 2^53 in ids', () => {
    const p = read(
      '{"instruction": [{"id": 9007199254740993123, "timestamp": 0, "duration": 0.30000000000000004, "subgroup": "PE", "label": "PE",' +
        ' "opcode": "X", "operands": "imm=12345678901234567890 \\"q\\": 11111111111111111111"}]}',
    );
    assert.deepEqual(p.recorded!.ids, ['9007199254740993123']);
    assert.equal(operandListText(p, 0), 'imm=12345678901234567890 "q": 11111111111111111111');
    assert.equal(p.instructions.endNs[0], 0.30000000000000004);
  });

  it('parquet: says which table is wrong, and refuses a folder without tables', async () => {
    const files = new Map(parquetFiles(syntheticProfile(6)));
    const wrong = new Map(files).set('Instruction.parquet', bytes('PAR1 no'));
    await assert.rejects(readCaptureParquet(wrong, { name: 'x' }), { name: 'FormatError', message: /^Instruction\.parquet is damaged: / });
    await assert.rejects(readCaptureParquet(new Map([['notes.txt', bytes('x')]]), { name: 'x' }), /no Instruction\.parquet/);
  });
});

describe('readers of captures take time in proportion to the file', () => {
  const event = { id: 1, timestamp: 0, duration: 1, subgroup: 'PE', label: 'PE', opcode: 'NOP' };
  const one = (row: object) => read(JSON.stringify({ instruction: [{ ...event, ...row }] }));

  it('json: long words in the fields that say where an event comes from', function () {
    this.timeout(10_000);
    const word = 'a'.repeat(300_000);
    one({ iteration: word });
    one({ nki_source_location: word });
    one({ kernel_stack: [`${word}:1x`] });
    const p = one({ iteration: 'i=3, j=-1', nki_source_location: 'a.py:4 b.py:5,c.py:6;:7 d:8:9' });
    assert.deepEqual([...p.iterations.value], [3, -1]);
    assert.deepEqual(
      p.files.map(({ path }) => path),
      ['d', 'c.py', 'b.py', 'a.py'],
    );
  });

  it('json: lines that no file has are no lines, and names of objects no engines, reasons or tables', () => {
    assert.deepEqual([...one({ nki_source_location: 'a.py:99999999999' }).frames.line], [0]);
    const p = one({ subgroup: 'constructor', label: 'toString', wait_reason: 'valueOf', evt_wait_time: 5 });
    assert.equal(p.tracks.at(-1)!.engine, 'constructor');
    const tables = `{"__proto__": [{"a": 1}], "toString": [{"a": 1}], "instruction": [${JSON.stringify(event)}]}`;
    assert.equal(read(tables).instructions.startNs.length, 1);
    const object = { toString: 1, valueOf: 2 };
    const dma = { ...event, dma_engine: 1, transfer_size: 4, dma_queue: 'q', source: object, dest: [[object]], kernel_stack: [object] };
    assert.equal(read(JSON.stringify({ dma: [dma] })).transfers.startNs.length, 1);
  });

  it('takes the first of several summaries where there are events, and none of several where there are not', async () => {
    const event = { id: 1, timestamp: 0, duration: 1, subgroup: 'Tensor', label: 'Tensor', opcode: 'NOP' };
    const p = read(JSON.stringify({ summary: [{ total_time: 1 }, { total_time: 2 }], instruction: [event] }));
    assert.equal(p.recorded!.summary.total_time, 1);
    const file = parquetWriteBuffer({ columnData: [{ name: 'total_time', data: [1, 2], type: 'DOUBLE' }] });
    const summaries = new Map([['Summary.parquet', new Uint8Array(file)]]);
    await assert.rejects(readCaptureParquet(summaries, { name: 'x' }), {
      name: 'FormatError',
      message: /metrics of 2 profiles and no events/,
    });
  });

  it('json: whole numbers of a summary are numbers, however long', () => {
    const p = read('{"summary": [{"hardware_flops": 65600000000000000, "instance_type": "trn2"}]}');
    assert.equal(p.recorded!.summary.hardware_flops, 65600000000000000);
  });

  it('parquet: an event that waits for very many', async function () {
    this.timeout(20_000);
    const columns = { in_id: (row: number) => row, out_id: () => 11, in_table: () => '', out_table: () => '' };
    const flows = encodeTable({ name: 'Flow', rows: 150_000, columns });
    const files = new Map(parquetFiles(syntheticProfile(12))).set('Flow.parquet', flows);
    const { instructions } = await readCaptureParquet(files, { name: 'x' });
    assert.equal(instructions.startNs.length, 12);
  });
});
