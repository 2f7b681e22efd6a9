/**
 * The tables of Neuron Explorer that we write: fields, types, units, whether the schema requires them, and their meaning.
 * Names and types are those of its published schema 7.4.0 (a test compares); the descriptions are ours and go into the
 * `SchemaFields` table. A field for which the simulator has nothing is left out when it is optional.
 */
import { METRICS, type MetricUnit } from '../../analyze/metrics';

export const SCHEMA_VERSION = '7.4.0';

export type FieldType = 'int64' | 'int32' | 'float' | 'string' | 'bool';

export interface SchemaField {
  type: FieldType;
  required: boolean;
  unit: string;
  text: string;
}

export interface TableSchema {
  text: string;
  fields: Readonly<Record<string, SchemaField>>;
}

const NS = 'nanoseconds';
const FRACTION = 'percent';
type Row = readonly [type: FieldType, unit: string, text: string];

/** Fields by name, or by table and name where a table uses the name in its own way. */
const FIELDS: Readonly<Record<string, Row>> = {
  start_ts: ['int64', NS, 'Begin.'],
  end_ts: ['int64', NS, 'End.'],
  duration_ns: ['int64', NS, 'end_ts - start_ts.'],
  timestamp: ['int64', NS, 'Moment of the value or update.'],
  pcore_idx: ['int64', '', 'Physical core in the logical core; 0 when one core is simulated.'],
  engine: ['string', '', 'Engine in lower case: tensor, vector, scalar, gpsimd, sync.'],
  opcode: ['string', '', 'Machine instruction.'],
  operands: ['string', '', 'Semaphores waited for and raised, access patterns and modes.'],
  file_path: ['string', '', 'Source file.'],
  line_number: ['int64', '', 'Line in that file, from 1.'],
  variable: ['string', '', 'Tensor that is moved.'],
  queue_name: ['string', '', 'DMA queue.'],
  queue_idx: ['int64', '', 'Number of the DMA queue in this profile.'],
  queue_type: ['string', '', 'Where the descriptors come from: data, software_dynamic or hardware_dynamic.'],
  read_bytes: ['int64', 'bytes', 'Bytes read.'],
  write_bytes: ['int64', 'bytes', 'Bytes written.'],
  transfer_bytes: ['int64', 'bytes', 'Bytes moved.'],
  throughput: ['float', 'bytes_per_second', 'transfer_bytes / duration.'],
  'Instruction.timeline_track': ['string', '', 'Row of the timeline; the Tensor engine has two.'],
  'Instruction.id': ['int64', '', 'Unique number of this execution.'],
  'Instruction.pc': ['int64', '', 'Index in the stream of its engine.'],
  'Instruction.bir_id': ['string', '', 'Empty: no compiler took part.'],
  'Instruction.kernel_instruction_name': ['string', '', 'Key of KernelInstructions.'],
  'Instruction.evt_wait_time_ns': ['int64', NS, 'From being next on its engine to its start.'],
  'Instruction.nki_source_location': ['string', '', 'File and line of the NKI call.'],
  'Instruction.bir_debug_info_source_location': ['string', '', 'The same as nki_source_location.'],
  'Instruction.layer': ['string', '', 'Layer of the model or kernel, with those around it.'],
  'Instruction.dma_trigger_start_ts': ['int64', NS, 'Begin of the DMA that it triggered.'],
  'Instruction.dma_trigger_end_ts': ['int64', NS, 'End of the DMA that it triggered.'],
  'Instruction.dma_wait_time_ns': ['int64', NS, 'From its end to the begin of that DMA.'],
  'Instruction.sbuf_read_bytes': ['int64', 'bytes', 'Bytes of one partition read from SBUF.'],
  'Instruction.sbuf_write_bytes': ['int64', 'bytes', 'Bytes of one partition written to SBUF.'],
  'Instruction.psum_read_bytes': ['int64', 'bytes', 'Bytes of one partition read from PSUM.'],
  'Instruction.psum_write_bytes': ['int64', 'bytes', 'Bytes of one partition written to PSUM.'],
  'Instruction.tensor_instruction_type': ['string', '', 'REGULAR or TRANSPOSE.'],
  'Instruction.raw_flops': ['int64', '', 'FLOPs; a multiply-accumulate is 2.'],
  'Instruction.adjusted_flops': ['int64', '', 'FLOPs in units of bf16 FLOPs.'],
  'Instruction.flops_transpose': ['int64', '', 'raw_flops when it only transposes.'],
  'DmaPacketAggregated.id': ['int64', '', 'Unique number of this transfer.'],
  'DmaPacketAggregated.block_id': ['int32', '', 'Number of the transfer in this profile.'],
  'DmaPacketAggregated.op': ['string', '', 'copy.'],
  'DmaPacketAggregated.source': ['string', '', 'Memory that is read.'],
  'DmaPacketAggregated.dest': ['string', '', 'Memory that is written.'],
  'DmaPacketAggregated.semaphore_id': ['string', '', 'Semaphore raised when it is done.'],
  'DmaPacketAggregated.read_sbuf_partitions': ['string', '', 'Empty: not recorded.'],
  'DmaPacketAggregated.read_num_sbuf_partitions': ['int32', '', '0: not recorded.'],
  'DmaPacketAggregated.read_shape': ['string', '', 'Elements per dimension, innermost first.'],
  'DmaPacketAggregated.read_offset': ['string', '', 'Address in the memory that is read.'],
  'DmaPacketAggregated.read_steps': ['string', '', 'Strides in elements, innermost first.'],
  'DmaPacketAggregated.write_sbuf_partitions': ['string', '', 'Empty: not recorded.'],
  'DmaPacketAggregated.write_num_sbuf_partitions': ['int32', '', '0: not recorded.'],
  'DmaPacketAggregated.write_shape': ['string', '', 'Elements per dimension, innermost first.'],
  'DmaPacketAggregated.write_offset': ['string', '', 'Address in the memory that is written.'],
  'DmaPacketAggregated.write_steps': ['string', '', 'Strides in elements, innermost first.'],
  'DmaPacketAggregated.trigger': ['int64', '', 'Begin of the instruction that triggered it.'],
  'DmaPacketAggregated.completion': ['int64', '', 'End of the instruction that triggered it.'],
  'DmaPacket.id': ['int64', '', 'Unique number of this busy stretch of a DMA engine.'],
  'DmaPacket.packet_idx': ['int32', '', 'Index among the stretches of its transfer.'],
  'DmaPacket.packet_aggregation_id': ['int64', '', 'id in DmaPacketAggregated.'],
  'DmaPacket.engine_idx': ['int64', '', 'DMA engine.'],
  'DmaPacket.crc': ['int64', '', '0: no data is checked.'],
  'SemaphoreUpdate.id': ['string', '', 'Semaphore and who raises it.'],
  'SemaphoreUpdate.value': ['int32', '', 'Value after the update.'],
  'SemaphoreUpdate.update_source': ['string', '', 'Engine that raised it; AXI: a DMA queue.'],
  'SemaphoreUpdate.update_operation_type': ['string', '', 'sem_inc.'],
  'SemaphoreUpdate.update_trigger_timing': ['string', '', 'complete.'],
  'Flow.in_id': ['int64', '', 'Event that was waited for.'],
  'Flow.out_id': ['int64', '', 'Event that waited.'],
  'Flow.in_table': ['string', '', 'instruction or dma_block.'],
  'Flow.out_table': ['string', '', 'instruction or dma_block.'],
  'Flow.dependency_type': ['string', '', 'FLOW_DEPENDENCE or ANTI_DEPENDENCE.'],
  'Flow.gap_time': ['int64', NS, 'From the end of the one to the begin of the other.'],
  'KernelInstructions.kernel_instruction_name': ['string', '', 'Key: number of the program instruction and of its machine instruction.'],
  'KernelInstructions.stack_frame_id': ['int64', '', 'Innermost entry of KernelStackFrames.'],
  'KernelInstructions.stack_frame_depth': ['int64', '', 'Frames in the call stack.'],
  'KernelInstructions.iteration_variables_id': ['int64', '', 'Innermost entry of KernelIterationVariables.'],
  'KernelInstructions.iteration_variable_depth': ['int64', '', 'Loops around it.'],
  'KernelStackFrames.stack_frame_id': ['int64', '', 'Key: a function at one call site.'],
  'KernelStackFrames.fully_qualified_function_name': ['string', '', 'Function.'],
  'KernelStackFrames.parent_stack_frame_id': ['int64', '', 'Caller.'],
  'KernelStackFrames.line_number': ['int64', '', 'Line where the function is defined.'],
  'KernelIterationVariables.iteration_variable_id': ['int64', '', 'Key: one value of a loop variable.'],
  'KernelIterationVariables.variable_name': ['string', '', 'Loop variable.'],
  'KernelIterationVariables.variable_value': ['int64', '', 'Its value.'],
  'KernelIterationVariables.parent_iteration_variable_id': ['int64', '', 'That of the loop outside.'],
  'CcOp.operation': ['string', '', 'AllReduce and so on.'],
  'CcOp.algorithm': ['string', '', 'Ring, Mesh, RDH or KangaRing.'],
  'CcOp.num_elements': ['int64', '', 'Elements of the larger buffer; 0: not known.'],
  'CcOp.dtype': ['string', '', 'Of the buffers; empty: not known.'],
  'CcOp.op_id': ['int64', '', 'Number of the collective among those of all ranks.'],
  'CcOp.stream_id': ['int64', '', 'Key of CcStream.'],
  'CcOp.stream_index': ['int64', '', 'CC core.'],
  'CcOp.trigger_engine': ['string', '', 'Engine that triggered it.'],
  'CcOp.input_size': ['int64', 'bytes', 'Bytes of the buffer that is read.'],
  'CcOp.output_size': ['int64', 'bytes', 'Bytes of the buffer that is written.'],
  'CcOp.algorithm_bandwidth': ['float', 'bytes_per_second', 'Larger of the two sizes / duration.'],
  'CcOp.bus_bandwidth': ['float', 'bytes_per_second', 'Bytes that a rank sends / duration.'],
  'CcOp.trigger_start_ts': ['int64', NS, 'Begin of the instruction that triggered it.'],
  'CcOp.cc_trigger_start_delay': ['int64', NS, 'start_ts - trigger_start_ts.'],
  'CcOp.replica_group': ['string', '', 'Lists of ranks that meet.'],
  'CcStream.stream_id': ['int64', '', 'Key.'],
  'CcStream.stream_index': ['int64', '', 'CC core.'],
  'CcStream.cc_core_ids': ['string', '', 'CC cores of the stream.'],
  'OpcodeSummary.instruction_count': ['int64', '', 'Instructions.'],
  'OpcodeSummary.instruction_time_ns': ['int64', NS, 'Durations added up.'],
  'OpcodeSummary.active_time_ns': ['int64', NS, 'Time at which at least one ran.'],
  'OpcodeSummary.active_time_percent': ['float', '', 'active_time_ns / total time, 0 to 1.'],
  'DmaUsage.current_throughput': ['float', 'bytes_per_second', 'Rate from here to the next row.'],
  'DmaUsage.total_transfer_bytes': ['int64', 'bytes', 'Bytes moved until here.'],
  'PendingDma.value': ['int32', '', 'DMAs triggered and not yet seen to be done.'],
  'SbufUsage.avg_util_percent': ['float', FRACTION, 'Mean of the partitions listed, 0 to 1.'],
  'SbufUsage.partition_0_util_percent': ['float', FRACTION, 'Use of partition 0, 0 to 1.'],
  'SbufUsage.partition_32_util_percent': ['float', FRACTION, 'Use of partition 32, 0 to 1.'],
  'SbufUsage.partition_64_util_percent': ['float', FRACTION, 'Use of partition 64, 0 to 1.'],
  'SbufUsage.partition_96_util_percent': ['float', FRACTION, 'Use of partition 96, 0 to 1.'],
  'PsumUsage.avg_util_percent': ['float', FRACTION, 'Use of all PSUM, 0 to 1.'],
  'SbufAllocation.start_address': ['int64', 'bytes', 'First byte in the partition.'],
  'SbufAllocation.end_address': ['int64', 'bytes', 'Last byte in the partition.'],
  'SbufAllocation.partition': ['int64', '', '0, 32, 64 or 96: those that lie in it. One beside them all has its first partition.'],
  'SbufAllocation.tensor_name': ['string', '', 'Tensor.'],
  'TensorInfo.variable_name': ['string', '', 'Tensor.'],
  'TensorInfo.type': ['string', '', 'IN or OUT.'],
  'TensorInfo.shape': ['string', '', 'Sizes of the dimensions.'],
  'TensorInfo.size': ['int64', 'bytes', 'Bytes.'],
  'TensorInfo.load_to_sbuf_avg_size_bytes': ['int64', '', 'Mean size of the DMAs that load it.'],
  'TensorInfo.load_to_sbuf_total_size_bytes': ['int64', '', 'Their bytes together.'],
  'TensorInfo.load_to_sbuf_dma_count': ['int64', '', 'DMAs that load it.'],
  'TensorInfo.load_to_sbuf_repeat_factor': ['float', '', 'Times it is loaded: bytes loaded / size.'],
  'Warning.message': ['string', '', 'What was found, with file and line.'],
  'Warning.category': ['string', '', 'error, warning, info; or performance: advice of NKI Scope.'],
  'Metadata.profile_schema_version': ['string', '', 'Version of this schema.'],
  'Metadata.ntff_version': ['int32', '', '0: there is no NTFF file.'],
  'Metadata.num_physical_cores': ['int32', '', 'Cores.'],
  'Metadata.vnc_enabled': ['bool', '', 'Whether several physical cores form a logical one.'],
  'Metadata.first_hw_timestamp': ['int64', NS, 'Begin of the profile.'],
  'Metadata.last_hw_timestamp': ['int64', NS, 'End of the profile.'],
  'Metadata.first_ts': ['string', '', 'Begin as Unix time.'],
  'Metadata.last_ts': ['string', '', 'End as Unix time.'],
  'Metadata.dma_ddr_bandwidth': ['float', 'bytes_per_second', 'Bytes per second of all DMA engines.'],
  'Metadata.num_dma_engines_per_neuroncore': ['int32', '', 'DMA engines.'],
  'Metadata.hbm_ddr_bandwidth': ['float', 'bytes_per_second', 'Bytes per second of HBM.'],
  'Metadata.tensor_engine_num_rows': ['int64', '', 'Rows of the PE array.'],
  'Metadata.tensor_engine_num_cols': ['int64', '', 'Columns of the PE array.'],
  'Metadata.tensor_engine_clock_freq': ['float', 'gigahertz', 'Clock.'],
  'Metadata.vector_engine_clock_freq': ['float', 'gigahertz', 'Clock.'],
  'Metadata.vector_engine_num_channels': ['int64', '', 'Lanes.'],
  'Metadata.scalar_engine_clock_freq': ['float', 'gigahertz', 'Clock.'],
  'Metadata.scalar_engine_num_channels': ['int64', '', 'Lanes.'],
  'Metadata.gpsimd_engine_clock_freq': ['float', 'gigahertz', 'Clock.'],
  'Metadata.gpsimd_engine_num_channels': ['int64', '', 'Lanes.'],
  'Metadata.neuroncore_clock_freq': ['float', 'gigahertz', 'Base clock, in which cycles are counted.'],
  'Metadata.ticks_per_nanosec': ['int64', '', '1.'],
  'Metadata.instance_type': ['string', '', 'Machine that was simulated.'],
  'Metadata.profile_name': ['string', '', 'Kernel.'],
  'Metadata.is_simulation': ['bool', '', 'true: times are modelled.'],
  'SchemaFields.table_name': ['string', '', 'Table.'],
  'SchemaFields.table_description': ['string', '', 'What its rows are.'],
  'SchemaFields.field_name': ['string', '', 'Field.'],
  'SchemaFields.field_description': ['string', '', 'What it holds.'],
  'SchemaFields.field_type': ['string', '', 'Type.'],
  'SchemaFields.field_required': ['bool', '', 'Whether the schema requires it.'],
  'SchemaFields.field_unit': ['string', '', 'Unit, or empty.'],
};

/** Fields of each table in writing order; `!` required by the schema. */
const TABLE_FIELDS: Readonly<Record<string, readonly [text: string, fields: string]>> = {
  Metadata: [
    'One row about the whole profile.',
    `profile_schema_version! ntff_version! num_physical_cores! vnc_enabled! first_hw_timestamp! last_hw_timestamp! first_ts! last_ts!
    dma_ddr_bandwidth! num_dma_engines_per_neuroncore! hbm_ddr_bandwidth! tensor_engine_num_rows! tensor_engine_num_cols!
    tensor_engine_clock_freq! vector_engine_clock_freq! vector_engine_num_channels! scalar_engine_clock_freq!
    scalar_engine_num_channels! gpsimd_engine_clock_freq! gpsimd_engine_num_channels! neuroncore_clock_freq! ticks_per_nanosec!
    instance_type profile_name is_simulation`,
  ],
  Instruction: [
    'Machine instructions.',
    `start_ts! end_ts! duration_ns! engine! timeline_track pcore_idx opcode! operands! id! pc! bir_id! kernel_instruction_name
    evt_wait_time_ns nki_source_location bir_debug_info_source_location layer dma_trigger_start_ts dma_trigger_end_ts
    dma_wait_time_ns sbuf_read_bytes sbuf_write_bytes psum_read_bytes psum_write_bytes tensor_instruction_type raw_flops adjusted_flops flops_transpose`,
  ],
  DmaPacketAggregated: [
    'DMA transfers, however many packets each.',
    `start_ts! end_ts! duration_ns! id! pcore_idx block_id! queue_idx! queue_name! queue_type op! variable! read_bytes! write_bytes!
    transfer_bytes! throughput! source! dest! semaphore_id! read_sbuf_partitions! read_num_sbuf_partitions! read_shape! read_offset!
    read_steps! write_sbuf_partitions! write_num_sbuf_partitions! write_shape! write_offset! write_steps! trigger completion`,
  ],
  DmaPacket: [
    'Busy stretches of single DMA engines: all packets of a transfer on one engine together.',
    `start_ts! end_ts! duration_ns! pcore_idx id! packet_idx! packet_aggregation_id! engine_idx read_bytes! write_bytes!
    transfer_bytes! throughput! queue_type! variable queue_name queue_idx crc!`,
  ],
  ActiveTime: ['Merged busy stretches of each engine.', 'start_ts! end_ts! engine! pcore_idx! duration_ns!'],
  SemaphoreUpdate: ['Updates of semaphores.', 'timestamp! id! value! update_source update_operation_type update_trigger_timing pcore_idx'],
  Flow: ['Who waited for whom.', 'in_id! out_id! in_table! out_table! dependency_type gap_time'],
  CcOp: [
    'Collectives of this rank.',
    `start_ts! end_ts! duration_ns! operation! algorithm! num_elements! dtype! op_id! stream_id! stream_index! trigger_engine! input_size
    output_size algorithm_bandwidth bus_bandwidth trigger_start_ts cc_trigger_start_delay replica_group`,
  ],
  CcStream: ['CC cores that carry out collectives.', 'stream_id! stream_index! cc_core_ids!'],
  KernelInstructions: [
    'Where each machine instruction comes from.',
    `kernel_instruction_name! stack_frame_id stack_frame_depth iteration_variables_id iteration_variable_depth pcore_idx file_path
    line_number`,
  ],
  KernelStackFrames: [
    'Call stacks inside the kernel.',
    'stack_frame_id! fully_qualified_function_name parent_stack_frame_id pcore_idx file_path line_number',
  ],
  KernelIterationVariables: [
    'Values of loop variables.',
    'iteration_variable_id! variable_name variable_value parent_iteration_variable_id pcore_idx file_path line_number',
  ],
  OpcodeSummary: [
    'Counts and times per engine and opcode.',
    'engine! opcode! instruction_count! instruction_time_ns! active_time_ns! active_time_percent!',
  ],
  DmaUsage: ['DMA throughput over time.', 'timestamp! current_throughput! total_transfer_bytes! pcore_idx'],
  PendingDma: ['DMAs under way over time.', 'timestamp! value! pcore_idx'],
  SbufUsage: [
    'Use of SBUF over time.',
    `timestamp! avg_util_percent partition_0_util_percent partition_32_util_percent partition_64_util_percent
    partition_96_util_percent pcore_idx`,
  ],
  PsumUsage: ['Use of PSUM over time.', 'timestamp! avg_util_percent pcore_idx'],
  SbufAllocation: [
    'What lies in SBUF, from when to when.',
    'start_ts! end_ts! start_address! end_address! partition! tensor_name pcore_idx',
  ],
  TensorInfo: [
    'Inputs and outputs.',
    `variable_name type shape size pcore_idx load_to_sbuf_avg_size_bytes load_to_sbuf_total_size_bytes load_to_sbuf_dma_count
    load_to_sbuf_repeat_factor`,
  ],
  Warning: ['What the simulator found in the kernel.', 'message! category!'],
  SchemaFields: [
    'Tables and fields of this profile.',
    'table_name! table_description! field_name! field_description! field_type! field_required! field_unit',
  ],
};

const METRIC_TYPES: Readonly<Record<MetricUnit, readonly [FieldType, unit: string]>> = {
  seconds: ['float', 'seconds'],
  fraction: ['float', FRACTION],
  bytes: ['int64', 'bytes'],
  FLOPs: ['int64', 'flops'],
  'FLOPs/byte': ['float', ''],
  cycles: ['int64', 'cycles'],
  count: ['int64', ''],
  text: ['string', ''],
};
/** An average is no whole number. */
const FLOAT_METRICS = new Set(['dma_transfer_average_bytes']);

const summaryFields = Object.fromEntries(
  Object.entries(METRICS)
    // the table of the published schema does not say where a profile ran: the machine is in Metadata
    .filter(([, { group }]) => group !== 'system')
    .map(([name, { unit, definition }]): [string, SchemaField] => {
      const [type, fieldUnit] = METRIC_TYPES[unit];
      return [name, { type: FLOAT_METRICS.has(name) ? 'float' : type, required: false, unit: fieldUnit, text: definition }];
    }),
);

export const TABLES: Readonly<Record<string, TableSchema>> = {
  ...Object.fromEntries(Object.entries(TABLE_FIELDS).map(([table, [text, fields]]) => [table, { text, fields: parse(table, fields) }])),
  Summary: { text: 'Metrics of the whole profile, one row.', fields: summaryFields },
};

/** A field that is written or read; undefined for other fields. */
export function knownField(table: string, field: string): { type: FieldType; unit: string } | undefined {
  if (table === 'Summary') return TABLES.Summary.fields[field];
  const row = FIELDS[`${table}.${field}`] ?? FIELDS[field];
  return row && { type: row[0], unit: row[1] };
}

function parse(table: string, names: string): Record<string, SchemaField> {
  const entries = names.split(/\s+/).map((word): [string, SchemaField] => {
    const name = word.replace('!', '');
    const [type, unit, text] = FIELDS[`${table}.${name}`] ?? FIELDS[name];
    return [name, { type, unit, text, required: word.endsWith('!') }];
  });
  return Object.fromEntries(entries);
}
