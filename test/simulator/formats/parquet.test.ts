import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { summary } from '../../../src/simulator/analyze/summary';
import { TABLES } from '../../../src/simulator/formats/parquet/fields';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

declare const NKI_SCOPE_ROOT: string;

type Published = Record<string, Record<string, [type: string, unit: string, required: boolean]>>;
/** Tables, fields, types, units and required fields of Neuron Explorer's published schema 7.4.0. */
const SCHEMA: Published = JSON.parse(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'test/fixtures/explorer/schema-7.4.0.json'), 'utf8'));
const PARQUET: Record<string, string> = { int64: 'INT64', int32: 'INT32', float: 'DOUBLE', string: 'BYTE_ARRAY', bool: 'BOOLEAN' };

const buffer = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

describe('parquet', () => {
  const p = syntheticProfile(300);
  const files = new Map([...parquetFiles(p)].map(([name, bytes]) => [name.replace('.parquet', ''), buffer(bytes)]));
  const rows = async (table: string, of = files) => (await parquetReadObjects({ file: of.get(table)! })) as Record<string, unknown>[];

  it('has the tables, fields, types and required columns of the published schema', () => {
    assert.deepEqual([...files.keys()].sort(), Object.keys(SCHEMA).sort());
    for (const [table, file] of files) {
      const [, ...columns] = parquetMetadata(file).schema;
      const names = columns.map(({ name }) => name);
      for (const { name, type, repetition_type } of columns) {
        const published = SCHEMA[table][name];
        assert.ok(published, `${table}.${name} is not in the schema`);
        assert.equal(type, PARQUET[published[0]], `${table}.${name}`);
        assert.equal(repetition_type, published[2] ? 'REQUIRED' : 'OPTIONAL', `${table}.${name}`);
      }
      for (const [name, [, , required]] of Object.entries(SCHEMA[table]))
        if (required) assert.ok(names.includes(name), `${table}.${name} is missing`);
    }
  });

  it('describes its own fields, with the schema’s types and units', async () => {
    const described = await rows('SchemaFields');
    for (const { table_name, field_name, field_type, field_unit, field_required, field_description } of described) {
      const [type, unit, required] = SCHEMA[String(table_name)][String(field_name)];
      assert.deepEqual([field_type, field_required], [type, required], `${table_name}.${field_name}`);
      if (unit !== '') assert.equal(field_unit, unit, `${table_name}.${field_name}`);
      assert.match(String(field_description), /\S\.$/);
    }
    assert.equal(
      described.length,
      Object.values(TABLES).reduce((n, { fields }) => n + Object.keys(fields).length, 0),
    );
  });

  it('has every event with its times, and the summary', async () => {
    const instructions = await rows('Instruction');
    const { startNs, endNs } = p.instructions;
    assert.deepEqual(
      instructions.map(r => [Number(r.start_ts), Number(r.end_ts)]),
      Array.from(startNs, (start, i) => [Math.round(start), Math.round(endNs[i])]),
    );
    assert.equal((await rows('DmaPacketAggregated')).length, p.transfers.startNs.length);
    assert.equal((await rows('DmaPacket')).length, p.dmaSlices.startNs.length);
    const [written] = await rows('Summary');
    for (const [name, value] of Object.entries(summary(p)))
      if (typeof value === 'number' && name in written) assert.ok(Math.abs(Number(written[name]) - value) <= 0.5, name);
    const [metadata] = await rows('Metadata');
    assert.deepEqual([metadata.is_simulation, metadata.profile_schema_version], [true, '7.4.0']);
  });

  it('links every instruction to its call stack and its loop iterations', async () => {
    const source = 'def helper(t):\n    nisa.memset(t)\n\n@nki.jit\ndef tiled(a):\n    for i in range(4):\n        helper(a)\n';
    const tiny = tinyProfile({ events: [{ line: [2, 7], track: 'Vector', ready: 0, start: 5, end: 9 }], source });
    tiny.instructions.iteration[0] = 3;
    const own = new Map([...parquetFiles(tiny)].map(([name, bytes]) => [name.replace('.parquet', ''), buffer(bytes)]));
    const [instruction] = await rows('Instruction', own);
    const [kernel] = await rows('KernelInstructions', own);
    assert.equal(kernel.kernel_instruction_name, instruction.kernel_instruction_name);
    assert.deepEqual([Number(kernel.line_number), Number(kernel.stack_frame_depth), Number(kernel.iteration_variable_depth)], [2, 2, 1]);
    const frames = new Map((await rows('KernelStackFrames', own)).map(f => [f.stack_frame_id, f]));
    const inner = frames.get(kernel.stack_frame_id)!;
    assert.ok(frames.has(inner.parent_stack_frame_id as bigint));
    const variables = await rows('KernelIterationVariables', own);
    const [variable] = variables.filter(v => v.iteration_variable_id === kernel.iteration_variables_id);
    assert.deepEqual([variable.variable_name, Number(variable.variable_value)], ['i', 3]);
  });

  it('counts on-chip bytes of a DMA by what it moves, of other instructions by their operands', async () => {
    const tiny = tinyProfile({
      events: [
        { line: 1, track: 'Sync', ready: 0, start: 0, end: 9, opcode: 'DMA_DIRECT2D', operands: 'src=fp32@0x0[1][8] dst=fp32@0x40[1][8]' },
        {
          line: 2,
          track: 'Vector',
          ready: 9,
          start: 9,
          end: 20,
          operands: 'src=fp32@0x40[1][8] dst=bfloat16@0x2000000[1][4] channels=128',
        },
      ],
      dmas: [{ line: 1, ready: 0, start: 1, end: 9, bytes: 4096, trigger: 0, direction: 'hbm->sbuf' }],
    });
    const own = new Map([...parquetFiles(tiny)].map(([name, bytes]) => [name.replace('.parquet', ''), buffer(bytes)]));
    const columns = ['sbuf_read_bytes', 'sbuf_write_bytes', 'psum_read_bytes', 'psum_write_bytes'];
    assert.deepEqual(
      (await rows('Instruction', own)).map(row => columns.map(column => Number(row[column]))),
      [
        [0, 4096, 0, 0],
        [32, 0, 0, 8],
      ],
    );
  });

  it('writes the same bytes twice', () => {
    for (const [name, bytes] of parquetFiles(syntheticProfile(300)))
      assert.deepEqual(buffer(bytes), files.get(name.replace('.parquet', '')));
  });
});
