/**
 * Reads a folder of Neuron Explorer's Parquet tables (one file per table, or several `Table_0.parquet`, `Table_1.parquet`):
 * real captures, and files that `parquet/` wrote. Ids have 64 bits in these files and stay exact.
 */
import { FormatError } from '../../columns/container';
import type { Profile } from '../../profile/profile';
import { allocationOf } from './allocations';
import { buildFromCapture } from './build';
import { coreBarrier } from './coreBarriers';
import { errorOf } from './errors';
import { FIELDS_READ, inOrderOfParts, type TableName, tableOfFile } from './explorerFields';
import { adapted, type Tables } from './explorerSchema';
import { firstFrame, frameworkStacks } from './frameworkStacks';
import { LayerNames } from './layerNames';
import type { CaptureOptions } from './legacyJson';
import { ANNOTATIONS_KEY, parseAnnotations } from './ownAnnotations';
import { footerText, readParquetRows } from './parquet/table';
import { isProgramTable, ProgramTables } from './programTables';
import {
  type Capture,
  type CapturedCollective,
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
  rankListsOf,
} from './rows';
import { parseSimulation, SIMULATION_KEY } from './simulation';
import { checkOneProfile } from './summaries';
import { amount, type FileRow, metrics, optionalAmount, optionalNumber, shape, span, text } from './values';

/** @param files by file name; others than tables are ignored. @throws FormatError naming the file. */
export const readCaptureParquet = async (files: ReadonlyMap<string, Uint8Array>, { name, sourceText }: CaptureOptions): Promise<Profile> =>
  buildFromCapture(await captureOfParquet(files, name), sourceText);

/** The rows of a folder, before a profile is made of them. @throws FormatError that names the file */
export async function captureOfParquet(files: ReadonlyMap<string, Uint8Array>, name: string): Promise<Capture> {
  const given = new Map<TableName, FileRow[]>();
  const footer: { simulation?: string; annotations?: string } = {};
  for (const file of inOrderOfParts(files.keys())) {
    const table = tableOfFile(file);
    if (!table) continue;
    const rows = given.get(table);
    const more = await readTable(file, table, files.get(file)!);
    if (table === 'Metadata') {
      footer.simulation ??= footerText(files.get(file)!, SIMULATION_KEY);
      footer.annotations ??= footerText(files.get(file)!, ANNOTATIONS_KEY);
    }
    if (rows) for (const row of more) rows.push(row);
    else given.set(table, more);
  }
  if (!given.has('Instruction') && !given.has('Summary'))
    throw new FormatError('the folder has no Instruction.parquet and no Summary.parquet: not a profile of Neuron Explorer');
  const { tables, notes } = adapted(given);
  const capture = new TableReader(tables, name).read();
  const simulation = capture.simulated ? parseSimulation(footer.simulation ?? '') : undefined;
  const annotations = footer.annotations === undefined ? [] : parseAnnotations(footer.annotations);
  return { ...capture, annotations, ...(simulation && { simulation }), warnings: [...capture.warnings, ...notes] };
}

async function readTable(name: string, table: TableName, bytes: Uint8Array): Promise<FileRow[]> {
  try {
    return await readParquetRows(bytes, FIELDS_READ[table]);
  } catch (error) {
    throw new FormatError(`${name} is damaged: ${firstLine((error as Error).message)}`);
  }
}

const NO_PREDECESSORS: CapturedInstruction['predecessors'] = [];

const firstLine = (message: string) => message.split('\n', 1)[0].slice(0, 200);

class TableReader {
  private readonly predecessors = new Map<string, { id: string; type: string }[]>();
  private readonly stacks = new Map<string, CapturedSource['stack']>();
  private readonly frames: Map<string, FileRow>;
  private readonly loops: Map<string, FileRow>;
  private readonly kernel: Map<string, FileRow>;
  private readonly layers: LayerNames;

  constructor(
    private readonly tables: Tables,
    private readonly name: string,
  ) {
    const byId = (table: TableName, field: string) => new Map(this.rows(table).map(row => [text(row, field), row]));
    this.frames = byId('KernelStackFrames', 'stack_frame_id');
    this.loops = byId('KernelIterationVariables', 'iteration_variable_id');
    this.kernel = byId('KernelInstructions', 'kernel_instruction_name');
    this.layers = new LayerNames(this.rows('FrameworkInstruction'), this.rows('HloInstruction'));
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
    const inTable = <T>(table: TableName, make: (row: FileRow, place: number) => T) =>
      this.rows(table).map((row, place) => named(table, () => make(row, place)));
    const instructions = inTable('Instruction', (row, place) => this.instruction(row, place));
    const barriers = inTable('CoreBarriers', (row, place) => coreBarrier(row, place, spanOf(row), coreOf(row)));
    c.instructions = barriers.length > 0 ? [...instructions, ...barriers] : instructions;
    c.allocations = inTable('SbufAllocation', row => allocationOf(row, coreOf(row)));
    c.stackOf = frameworkStacks({
      frames: this.rows('StackFrame'),
      locations: this.rows('StackFrameFileLocation'),
      files: this.rows('StackFrameFileName'),
      functions: this.rows('StackFrameFunctionName'),
    });
    const whole = inTable('DmaPacketAggregated', (row, place) => this.dma(row, place, true));
    c.dmas = [...whole, ...inTable('DmaPacket', (row, place) => this.dma(row, place, false))];
    c.collectives = inTable('CcOp', row => this.collective(row));
    // Neuron's notes of a changed clock; the legacy JSON calls them `ham`
    c.clockTurns = inTable('Throttle', row => ({ core: coreOf(row), timeNs: amount(row, 'timestamp') }));
    this.linkTriggers(c);
    const program = new ProgramTables();
    for (const [table, rows] of this.tables) if (isProgramTable(table)) for (const row of rows) program.add(table, row);
    c.programTables = program.finish();
    return c;
  }

  private rows(table: TableName): FileRow[] {
    return this.tables.get(table) ?? [];
  }

  private describe(c: Capture) {
    const [metadata] = this.rows('Metadata');
    const [summary] = this.rows('Summary');
    checkOneProfile(this.rows('Summary').length, [], this.tables.has('Instruction'));
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

  private machine(c: Capture, row: FileRow) {
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

  private instruction(row: FileRow, place: number): CapturedInstruction {
    const track = text(row, 'timeline_track');
    const engine = engineName(text(row, 'engine') || track.replace(/^TensorMatrix$/, 'Tensor'));
    const id = text(row, 'id');
    return {
      ...spanOf(row),
      id: id || `row ${place}`,
      waitNs: optionalAmount(row, 'evt_wait_time_ns'),
      engine,
      label: engineName(track || engine),
      core: coreOf(row),
      opcode: text(row, 'opcode'),
      operands: text(row, 'operands'),
      pc: optionalNumber(row, 'pc') ?? -1,
      flops: optionalAmount(row, 'raw_flops'),
      source: this.source(row),
      predecessors: this.predecessors.get(id) ?? NO_PREDECESSORS,
      reason: null,
      own: NOT_OURS,
    };
  }

  private source(row: FileRow): CapturedSource {
    const known = this.kernel.get(text(row, 'kernel_instruction_name'));
    const at = text(row, 'nki_source_location') || text(row, 'bir_debug_info_source_location');
    const [layer, calledFrom] = [this.layers.of(row), firstFrame(row.stack_frame_ids)];
    const around = layer === '' && calledFrom === '' ? null : { ...(layer && { layer }), ...(calledFrom && { calledFrom }) };
    if (!known) return at === '' && !around ? NO_SOURCE : { stack: this.positions(at), loops: [], ...around };
    const frames = chain(this.frames, text(known, 'stack_frame_id'), 'parent_stack_frame_id');
    const stack = frames.map((frame, depth) => ({
      // the innermost frame has the instruction's line; of callers only the line of the definition is known
      file: text(depth === 0 ? known : frame, 'file_path'),
      line: optionalAmount(depth === 0 ? known : frame, 'line_number'),
      function: text(frame, 'fully_qualified_function_name'),
    }));
    const loops = chain(this.loops, text(known, 'iteration_variables_id'), 'parent_iteration_variable_id');
    const values = loops.map(loop => ({ name: text(loop, 'variable_name'), value: (optionalNumber(loop, 'variable_value') ?? 0) | 0 }));
    return { stack: stack.length > 0 ? stack : this.positions(at), loops: values.reverse(), ...around };
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

  private dma(row: FileRow, place: number, whole: boolean): CapturedDma {
    const { startNs, endNs } = spanOf(row);
    const id = text(row, 'id') || `${whole ? 'dma' : 'packet'} ${place}`;
    return {
      startNs,
      endNs,
      id,
      group: whole ? id : text(row, 'packet_aggregation_id'),
      whole,
      waitNs: 0,
      doneNs: endNs,
      engine: (optionalNumber(row, 'engine_idx') ?? 0) & 255,
      core: coreOf(row),
      queue: text(row, 'queue_name') || `Q${text(row, 'queue_idx')}`,
      bytes: optionalAmount(row, BYTES.find(field => row[field] !== undefined && row[field] !== null) ?? ''),
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

  private collective(row: FileRow): CapturedCollective {
    const { startNs, endNs } = spanOf(row);
    const stream = text(row, 'stream_id');
    const cores = this.rows('CcStream').find(known => text(known, 'stream_id') === stream);
    return {
      startNs,
      endNs,
      triggerNs: Math.min(startNs, optionalNumber(row, 'trigger_start_ts') ?? startNs),
      name: text(row, 'operation'),
      algorithm: text(row, 'algorithm'),
      bytes: Math.max(optionalAmount(row, 'input_size'), optionalAmount(row, 'output_size')),
      ccCore: Number(/\d+/.exec(cores ? text(cores, 'cc_core_ids') : stream)?.[0] ?? 0),
      lists: rankListsOf(text(row, 'replica_group')),
    };
  }

  /** A transfer's trigger is the instruction with the start and end that the transfer names. It has the source line. */
  private linkTriggers(c: Capture) {
    const byTimes = new Map(c.instructions.filter(i => i.opcode.includes('DMA')).map(i => [`${i.core} ${i.startNs} ${i.endNs}`, i]));
    this.rows('DmaPacketAggregated').forEach((row, k) => {
      const dma = c.dmas[k];
      const trigger = byTimes.get(`${dma.core} ${optionalNumber(row, 'trigger')} ${optionalNumber(row, 'completion')}`);
      if (trigger) c.dmas[k] = { ...dma, trigger: trigger.id, source: trigger.source };
    });
  }
}

/** In the order of preference. */
const BYTES = ['transfer_bytes', 'read_bytes', 'write_bytes'];

const coreOf = (row: FileRow) => optionalAmount(row, 'pcore_idx') & 255;

function spanOf(row: FileRow) {
  const startNs = amount(row, 'start_ts');
  return span(startNs, optionalNumber(row, 'end_ts') ?? startNs + amount(row, 'duration_ns'));
}

/** From an entry to its outermost ancestor; a cycle ends it. */
function chain(entries: ReadonlyMap<string, FileRow>, first: string, parent: string): FileRow[] {
  const found: FileRow[] = [];
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
