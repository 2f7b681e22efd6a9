/**
 * The tables and fields of Neuron Explorer's profiles that are read, and the fields that a table must have. Names are those of schema
 * 7.4.0. `../parquet/fields.ts` has their meanings and units. `explorerSchema.ts` reads a file's own schema.
 */

const SPAN = 'start_ts end_ts duration_ns';
const TRANSFER = `${SPAN} id pcore_idx queue_name queue_idx transfer_bytes read_bytes write_bytes variable`;

/** Fields by table; null: all of them. */
const FIELDS = {
  Metadata: `profile_schema_version is_simulation profile_name num_physical_cores instance_type explorer_version last_hw_timestamp hbm_ddr_bandwidth
    dma_ddr_bandwidth neuroncore_clock_freq tensor_engine_clock_freq tensor_engine_num_rows tensor_engine_num_cols`,
  Summary: null,
  Instruction: `${SPAN} id pc engine timeline_track pcore_idx opcode operands evt_wait_time_ns raw_flops kernel_instruction_name nki_source_location
    bir_debug_info_source_location layer hlo_name raw_framework_id raw_hlo_id raw_bir_id stack_frame_ids`,
  DmaPacketAggregated: `${TRANSFER} source dest trigger completion`,
  DmaPacket: `${TRANSFER} packet_aggregation_id engine_idx`,
  CcOp: `${SPAN} operation algorithm stream_id input_size output_size trigger_start_ts replica_group`,
  CcStream: 'stream_id cc_core_ids',
  CoreBarriers: `${SPAN} id engine_name semaphore compiler_pc compiler_operands pcore_idx`,
  SbufAllocation: `start_ts end_ts start_address end_address partition opcode operands queue_name tensor_name hlo_name pcore_idx`,
  FrameworkInstruction: 'framework_name raw_framework_id raw_bir_id',
  HloInstruction: 'hlo_name raw_hlo_id raw_bir_id',
  StackFrame: 'id file_location_id parent_frame_id',
  StackFrameFileLocation: 'id file_name_id function_name_id line_number',
  StackFrameFileName: 'id name',
  StackFrameFunctionName: 'id name',
  Flow: 'in_id out_id dependency_type',
  KernelInstructions: 'kernel_instruction_name stack_frame_id iteration_variables_id file_path line_number',
  KernelStackFrames: 'stack_frame_id parent_stack_frame_id fully_qualified_function_name file_path line_number',
  KernelIterationVariables: 'iteration_variable_id parent_iteration_variable_id variable_name variable_value',
  TensorInfo: 'variable_name type format shape size node pcore_idx',
  NeffHeader: null,
  ExecutionInfo: null,
  DmaQueuesInfo: null,
  Throttle: 'timestamp pcore_idx',
  Warning: 'message category',
  Error: 'timestamp type description',
  SchemaFields: 'table_name field_name field_type field_unit',
} as const;

export type TableName = keyof typeof FIELDS;

export const TABLE_NAMES = Object.keys(FIELDS) as TableName[];

/** Fields that are read of a table; null: all of them. */
export const FIELDS_READ = Object.fromEntries(
  Object.entries(FIELDS).map(([table, fields]) => [table, fields === null ? null : new Set(fields.split(/\s+/))]),
) as Readonly<Record<TableName, ReadonlySet<string> | null>>;

/** At least one field of each list must exist. */
export const FIELDS_NEEDED: Readonly<Partial<Record<TableName, readonly (readonly string[])[]>>> = {
  Instruction: [['start_ts'], ['end_ts', 'duration_ns'], ['engine', 'timeline_track']],
  DmaPacketAggregated: [['start_ts'], ['end_ts', 'duration_ns']],
  DmaPacket: [['start_ts'], ['end_ts', 'duration_ns']],
  CcOp: [['start_ts'], ['end_ts', 'duration_ns']],
  CoreBarriers: [['start_ts'], ['end_ts', 'duration_ns']],
  SbufAllocation: [['start_ts'], ['end_ts'], ['start_address'], ['end_address'], ['partition']],
  Throttle: [['timestamp']],
  Error: [['timestamp']],
};

const PARTS = /^(\w+?)(?:[_.-]\d+)*\.parquet$/;

/** Table in a file of this name (`Instruction.parquet`, `Instruction_3.parquet` of one that is split), when it is one that is read. */
export const tableOfFile = (name: string): TableName | null => TABLE_NAMES.find(table => table === PARTS.exec(name)?.[1]) ?? null;

/** Whether a file of this name makes a folder of tables a profile. */
export const isProfileTable = (name: string): boolean => ['Instruction', 'Summary'].includes(tableOfFile(name) ?? '');

/** Parts of a table in the order of their numbers. */
export const inOrderOfParts = (names: Iterable<string>): string[] => [...names].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
