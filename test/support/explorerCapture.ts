/**
 * A capture of two cores with the tables that a compiled model's has: its call stacks, graph operations, barriers of the cores and SBUF over
 * time. Made up, following the published schema; as Parquet tables, and as the sections of the JSON.
 */
import type { ExplorerRows } from './explorerTable';

export const MODEL = '/home/me/model.py';
export const LAYERS = '/home/me/layers.py';

const spanOf = (start: number, end: number) => ({ start_ts: start, end_ts: end, duration_ns: end - start });

const ENGINES = ['tensor', 'vector', 'scalar', 'gpsimd'];
const TRACKS = ['TensorMatrix', 'Vector', 'Scalar', 'GpSimd'];
export const HLO_NAMES = ['dot.1', 'add.7'];
/** Beyond 2^53. */
const HLO_IDS = [9007199254740993n, 9007199254740995n];

/** On both cores each: the instruction k runs at 100 k, on one engine after the other. */
function instructions(): ExplorerRows {
  return Array.from({ length: 16 }, (_, k) => ({
    ...{ id: k, ...spanOf(100 * k, 100 * k + 80), engine: ENGINES[k % 4], timeline_track: TRACKS[k % 4], pcore_idx: k >> 3, pc: k },
    ...{ opcode: ['MATMUL', 'TENSOR_TENSOR', 'ACTIVATE', 'COPY'][k % 4], operands: `dst=${k}`, evt_wait_time_ns: 0, raw_flops: 10 },
    // the first half comes from a kernel in layers.py, the rest from no kernel; the last has no frames
    nki_source_location: k < 8 ? 'kernel.py:5' : '',
    stack_frame_ids: k === 15 ? '' : k < 8 ? '[3, 2]' : '[2]',
    ...{ layer: k < 4 ? 'Decoder[1]' : '', hlo_name: k === 1 ? HLO_NAMES[1] : k === 14 ? 'Unknown' : '' },
    raw_hlo_id: k === 14 ? 1n : HLO_IDS[(k >> 1) & 1],
  }));
}

export const explorerTables = (): Record<string, ExplorerRows> => ({
  Metadata: [{ profile_schema_version: '7.4.0', profile_name: 'model', num_physical_cores: 2, instance_type: 'trn2.48xlarge' }],
  Instruction: instructions(),
  HloInstruction: HLO_IDS.map((id, k) => ({ id: k, raw_hlo_id: id, raw_bir_id: k, hlo_name: HLO_NAMES[k] })),
  StackFrame: [
    { id: '1', file_location_id: 1, parent_frame_id: '0' },
    { id: '2', file_location_id: 2, parent_frame_id: '1' },
    { id: '3', file_location_id: 3, parent_frame_id: '2' },
  ],
  StackFrameFileLocation: [
    { id: '1', file_name_id: 1, function_name_id: 1, line_number: 90 },
    { id: '2', file_name_id: 2, function_name_id: 2, line_number: 30 },
    { id: '3', file_name_id: 2, function_name_id: 3, line_number: 44 },
  ],
  StackFrameFileName: [
    { id: '1', name: MODEL },
    { id: '2', name: LAYERS },
  ],
  StackFrameFunctionName: [
    { id: '1', name: 'main' },
    { id: '2', name: 'Decoder.forward' },
    { id: '3', name: 'Mlp.forward' },
  ],
  CoreBarriers: [0, 1].map(core => ({
    ...{ ...spanOf(300 + 50 * core, 460), id: 1, engine_name: 'GpSimd', semaphore: 9, compiler_pc: 20, pcore_idx: core },
    compiler_operands: '$S[45]>=16 $S[8]++@complete semaphore=9 id=1',
  })),
  SbufAllocation: [
    ...[0, 32].map(partition => ({
      ...{ start_ts: 100, end_ts: 900, start_address: 4096, end_address: 6143, partition, pcore_idx: 0 },
      ...{
        op_source_type: 'instruction',
        opcode: 'TENSOR_TENSOR',
        operands: 'dst=1',
        queue_name: '',
        tensor_name: 'weights',
        hlo_name: '',
      },
    })),
    {
      ...{ start_ts: 1000, end_ts: 1500, start_address: 0, end_address: 511, partition: 0, pcore_idx: 1 },
      ...{ op_source_type: 'dma', opcode: '', operands: '', queue_name: 'qSyncIO0', tensor_name: '', hlo_name: 'dot.1' },
    },
  ],
});

/** Names of the JSON's sections and of its fields, where they are not the tables' and fields' own in lower case. */
const SECTIONS: Readonly<Record<string, string>> = {
  Instruction: 'instruction',
  CoreBarriers: 'core_barriers',
  SbufAllocation: 'sbuf_allocation',
  StackFrame: 'stack_frame',
  StackFrameFileLocation: 'stack_frame_file_location',
  StackFrameFileName: 'stack_frame_file_name',
  StackFrameFunctionName: 'stack_frame_function_name',
};

/** The tables of the same capture that the JSON has, stacks behind what names them. */
export function explorerJson(): Uint8Array {
  const { Instruction, ...tables } = explorerTables();
  const instruction = Instruction.map(({ start_ts, duration_ns, timeline_track, pcore_idx, raw_hlo_id, ...row }) => ({
    ...{ ...row, timestamp: start_ts, duration: duration_ns, subgroup: timeline_track, label: timeline_track, subgraph: `sg0${pcore_idx}` },
    // it names its operation itself
    hlo_name: row.hlo_name || HLO_NAMES[HLO_IDS.indexOf(raw_hlo_id as bigint)] || '',
  }));
  const others = Object.entries(tables).flatMap(([name, rows]) => (SECTIONS[name] ? [[SECTIONS[name], rows]] : []));
  return new TextEncoder().encode(JSON.stringify({ metadata: [{ num_physical_cores: 2 }], instruction, ...Object.fromEntries(others) }));
}
