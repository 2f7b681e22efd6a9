/**
 * Reads a folder of Neuron Explorer's Parquet tables (one file per table, or several `Table_0.parquet`, `Table_1.parquet`):
 * real captures, and what `parquet/` writes. Ids stay exact: they are 64-bit in these files.
 */
import { FormatError } from '../../columns/container';
import type { Profile } from '../../profile/profile';
import { buildFromCapture } from './build';
import { errorOf } from './errors';
import type { CaptureOptions } from './legacyJson';
import { readParquetRows } from './parquet/table';
import {
  type Capture,
  type CapturedDma,
  type CapturedInstruction,
  type CapturedSource,
  emptyCapture,
  engineName,
  MOST_FRAMES,
  memoryOf,
  NO_SOURCE,
  NOT_OURS,
  positionsOf,
} from './rows';
import { amount, metrics, number, optionalAmount, optionalNumber, type Row, shape, span, text } from './values';

/** Tables that are read; others in the folder are left alone. */
const READ = [
  'Metadata',
  'Summary',
  'Instruction',
  'DmaPacketAggregated',
  'DmaPacket',
  'Flow',
  'KernelInstructions',
  'KernelStackFrames',
  'KernelIterationVariables',
  'TensorInfo',
  'Warning',
  'Error',
] as const;
type TableName = (typeof READ)[number];

/** Name of the table in a file of this name, when it is one that is read. */
export function tableOfFile(name: string): string | null {
  const table = /^(\w+?)(_\d+)?\.parquet$/.exec(name)?.[1];
  return READ.find(known => known === table) ?? null;
}

/** @param files by file name; others than tables are ignored. @throws FormatError naming the file. */
export const readCaptureParquet = async (files: ReadonlyMap<string, Uint8Array>, { name, sourceText }: CaptureOptions): Promise<Profile> =>
  buildFromCapture(await captureOfParquet(files, name), sourceText);

/** Its rows, of which no profile is made yet. @throws FormatError naming the file. */
export async function captureOfParquet(files: ReadonlyMap<string, Uint8Array>, name: string): Promise<Capture> {
  const tables = new Map<TableName, Row[]>();
  for (const [file, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const table = tableOfFile(file) as TableName | null;
    if (!table) continue;
    const rows = tables.get(table);
    const more = await readTable(file, bytes);
    if (rows) for (const row of more) rows.push(row);
    else tables.set(table, more);
  }
  if (!tables.has('Instruction') && !tables.has('Summary'))
    throw new FormatError('the folder has no Instruction.parquet and no Summary.parquet: not a profile of Neuron Explorer');
  return new TableReader(tables, name).read();
}

async function readTable(name: string, bytes: Uint8Array): Promise<Row[]> {
  try {
    return await readParquetRows(bytes);
  } catch (error) {
    throw new FormatError(`${name} is damaged: ${firstLine((error as Error).message)}`);
  }
}

const NO_PREDECESSORS: CapturedInstruction['predecessors'] = [];

const firstLine = (message: string) => message.split('\n', 1)[0].slice(0, 200);

class TableReader {
  private readonly predecessors = new Map<string, { id: string; type: string }[]>();
  private readonly stacks = new Map<string, CapturedSource['stack']>();
  private readonly frames: Map<string, Row>;
  private readonly loops: Map<string, Row>;
  private readonly kernel: Map<string, Row>;

  constructor(
    private readonly tables: ReadonlyMap<TableName, Row[]>,
    private readonly name: string,
  ) {
    const byId = (table: TableName, field: string) => new Map(this.rows(table).map(row => [text(row, field), row]));
    this.frames = byId('KernelStackFrames', 'stack_frame_id');
    this.loops = byId('KernelIterationVariables', 'iteration_variable_id');
    this.kernel = byId('KernelInstructions', 'kernel_instruction_name');
    for (const row of this.rows('Flow')) {
      const waiter = text(row, 'out_id');
      const blocker = { id: text(row, 'in_id'), type: text(row, 'dependency_type') };
      const known = this.predecessors.get(waiter);
      if (known) known.push(blocker);
      else this.predecessors.set(waiter, [blocker]);
    }
  }

  read(): Capture {
    const c = emptyCapture(this.name);
    this.describe(c);
    const inTable = <T>(table: TableName, make: (row: Row) => T) => this.rows(table).map(row => named(table, () => make(row)));
    c.instructions = inTable('Instruction', row => this.instruction(row));
    const whole = inTable('DmaPacketAggregated', row => this.dma(row, true));
    c.dmas = [...whole, ...inTable('DmaPacket', row => this.dma(row, false))];
    this.linkTriggers(c);
    return c;
  }

  private rows(table: TableName): Row[] {
    return this.tables.get(table) ?? [];
  }

  private describe(c: Capture) {
    const [metadata] = this.rows('Metadata');
    const [summary] = this.rows('Summary');
    if (summary) c.summary = metrics(summary);
    if (metadata) this.machine(c, metadata);
    if (typeof c.summary.total_time === 'number') c.totalTimeNs = c.summary.total_time * 1e9;
    for (const row of this.rows('TensorInfo')) {
      const type = text(row, 'type');
      if (type !== 'IN' && type !== 'OUT') continue;
      const role = type === 'IN' ? 'in' : 'out';
      c.tensors.push({
        name: text(row, 'variable_name'),
        shape: shape(text(row, 'shape')),
        bytes: optionalNumber(row, 'size'),
        dtype: null,
        role,
      });
    }
    c.errors = this.rows('Error').map(errorOf);
    c.warnings = this.rows('Warning').map(row => ({ message: text(row, 'message'), category: text(row, 'category') }));
  }

  private machine(c: Capture, row: Row) {
    c.simulated = row.is_simulation === true;
    c.name = text(row, 'profile_name') || c.name;
    c.cores = Math.max(1, optionalNumber(row, 'num_physical_cores') ?? 1);
    c.instanceType = text(row, 'instance_type');
    c.profiler = text(row, 'explorer_version');
    c.hbmBytesPerSecond = optionalNumber(row, 'hbm_ddr_bandwidth');
    c.dmaBytesPerSecond = optionalNumber(row, 'dma_ddr_bandwidth');
    c.baseClockGhz = optionalNumber(row, 'neuroncore_clock_freq');
    const [clock, rows, columns] = ['clock_freq', 'num_rows', 'num_cols'].map(field => optionalNumber(row, `tensor_engine_${field}`));
    // of our own profiles the peak is the documented one, of captures that of the array
    if (!c.simulated && clock !== null && rows !== null && columns !== null) c.peakFlopsPerCore = 2 * clock * 1e9 * rows * columns;
    c.totalTimeNs = optionalNumber(row, 'last_hw_timestamp');
  }

  private instruction(row: Row): CapturedInstruction {
    const engine = engineName(text(row, 'engine'));
    return {
      ...span(amount(row, 'start_ts'), amount(row, 'end_ts')),
      id: text(row, 'id'),
      waitNs: optionalAmount(row, 'evt_wait_time_ns'),
      engine,
      label: engineName(text(row, 'timeline_track') || engine),
      core: optionalAmount(row, 'pcore_idx') & 255,
      opcode: text(row, 'opcode'),
      operands: text(row, 'operands'),
      pc: optionalNumber(row, 'pc') ?? -1,
      flops: optionalAmount(row, 'raw_flops'),
      source: this.source(row),
      predecessors: this.predecessors.get(text(row, 'id')) ?? NO_PREDECESSORS,
      reason: null,
      own: NOT_OURS,
    };
  }

  private source(row: Row): CapturedSource {
    const known = this.kernel.get(text(row, 'kernel_instruction_name'));
    const at = text(row, 'nki_source_location') || text(row, 'bir_debug_info_source_location');
    if (!known) return at === '' ? NO_SOURCE : { stack: this.positions(at), loops: [] };
    const frames = chain(this.frames, text(known, 'stack_frame_id'), 'parent_stack_frame_id');
    const stack = frames.map((frame, depth) => ({
      // the innermost frame's line is the instruction's; of callers only where they are defined is known
      file: text(depth === 0 ? known : frame, 'file_path'),
      line: optionalAmount(depth === 0 ? known : frame, 'line_number'),
      function: text(frame, 'fully_qualified_function_name'),
    }));
    const loops = chain(this.loops, text(known, 'iteration_variables_id'), 'parent_iteration_variable_id');
    const values = loops.map(loop => ({ name: text(loop, 'variable_name'), value: (optionalNumber(loop, 'variable_value') ?? 0) | 0 }));
    return { stack: stack.length > 0 ? stack : this.positions(at), loops: values.reverse() };
  }

  /** A column's equal texts are taken apart once. */
  private positions(at: string): CapturedSource['stack'] {
    let stack = this.stacks.get(at);
    if (!stack) {
      stack = positionsOf(at);
      this.stacks.set(at, stack);
    }
    return stack;
  }

  private dma(row: Row, whole: boolean): CapturedDma {
    const { startNs, endNs } = span(amount(row, 'start_ts'), amount(row, 'end_ts'));
    const id = text(row, 'id');
    return {
      startNs,
      endNs,
      id,
      group: whole ? id : text(row, 'packet_aggregation_id'),
      whole,
      waitNs: 0,
      doneNs: endNs,
      engine: (optionalNumber(row, 'engine_idx') ?? 0) & 255,
      core: optionalAmount(row, 'pcore_idx') & 255,
      queue: text(row, 'queue_name') || `Q${text(row, 'queue_idx')}`,
      bytes: number(row, 'transfer_bytes'),
      packets: whole ? 0 : 1,
      variable: text(row, 'variable'),
      from: memory(text(row, 'source')),
      to: memory(text(row, 'dest')),
      source: NO_SOURCE,
      predecessors: this.predecessors.get(id) ?? NO_PREDECESSORS,
      reason: null,
      own: NOT_OURS,
      trigger: null,
    };
  }

  /** A transfer's trigger is the instruction that began and ended when it says; it has the source line. */
  private linkTriggers(c: Capture) {
    const byTimes = new Map(c.instructions.filter(i => i.opcode.includes('DMA')).map(i => [`${i.core} ${i.startNs} ${i.endNs}`, i]));
    this.rows('DmaPacketAggregated').forEach((row, k) => {
      const dma = c.dmas[k];
      const trigger = byTimes.get(`${dma.core} ${optionalNumber(row, 'trigger')} ${optionalNumber(row, 'completion')}`);
      if (trigger) c.dmas[k] = { ...dma, trigger: trigger.id, source: trigger.source };
    });
  }
}

/** From an entry out to the outermost; a circle ends it. */
function chain(entries: ReadonlyMap<string, Row>, first: string, parent: string): Row[] {
  const found: Row[] = [];
  for (let row = entries.get(first); row && found.length < MOST_FRAMES; row = entries.get(text(row, parent))) found.push(row);
  return found;
}

const memory = (value: string) => memoryOf(/\w+/.exec(value)?.[0].toUpperCase() ?? '');

function named<T>(table: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof FormatError) throw new FormatError(`${table}.parquet is damaged: ${error.message}`);
    throw error;
  }
}
