/**
 * Reads the legacy `json` of `neuron-profile`: captures of real runs, and what `json.ts` writes. In one pass, row by row.
 * Missing fields are allowed. A wrong field is an error that names it.
 */

import { FormatError } from '../../columns/container';
import type { Annotation } from '../../profile/annotations';
import type { Profile } from '../../profile/profile';
import { allocationOf } from './allocations';
import { buildFromCapture } from './build';
import { coreBarrier } from './coreBarriers';
import { errorOf } from './errors';
import { firstFrame, frameworkStacks } from './frameworkStacks';
import { type JsonRow, readJsonRows } from './jsonRows';
import { LayerNames } from './layerNames';
import { OWN_ANNOTATIONS, OWN_SECTION } from './ownMeta';
import { isProgramTable, ProgramTables } from './programTables';
import {
  type Capture,
  type CapturedDma,
  type CapturedInstruction,
  type CapturedOwn,
  type CapturedSource,
  emptyCapture,
  engineName,
  lineOf,
  loopsOf,
  MOST_FRAMES,
  memoryOf,
  NO_SOURCE,
  positionsOf,
} from './rows';
import { readSimulation } from './simulation';
import type { SourceText } from './sources';
import { checkOneProfile } from './summaries';
import { amount, asText, metrics, number, optionalAmount, optionalNumber, shape, span, text } from './values';

export interface CaptureOptions {
  /** Name of the profile, if the file has none. */
  name: string;
  sourceText?: SourceText;
}

/** One of these tables is near the beginning of such a file. A summary alone is named by its hash. */
const FIRST_ROWS =
  /"(profile_info|metadata|model_info|summary|instruction|dma|active_time|dma_queues_info)"\s*:\s*\[\s*\{|"n_[0-9a-f]{8,}"\s*:\s*\{/;

/** Whether JSON with these first bytes is a capture, and not other JSON. */
export const isCaptureJson = (head: Uint8Array): boolean => FIRST_ROWS.test(new TextDecoder().decode(head));

/** @throws FormatError that names the error in the file. */
export const readCaptureJson = (chunks: Iterable<Uint8Array>, { name, sourceText }: CaptureOptions): Profile =>
  buildFromCapture(captureOfJson(chunks, name), sourceText);

/** The rows of a capture, before a profile is made of them. @throws FormatError */
export function captureOfJson(chunks: Iterable<Uint8Array>, name: string): Capture {
  const reader = new LegacyReader(emptyCapture(name));
  readJsonRows(chunks, (section, row) => reader.take(section, row));
  return reader.finish();
}

interface QueueName {
  core: number;
  index: string;
  engine: number;
  name: string;
}

class LegacyReader {
  private readonly queues: QueueName[] = [];
  private readonly cores = new Map<string, number>();
  private readonly layers = new LayerNames();
  private readonly stacks = { frames: [] as JsonRow[], locations: [] as JsonRow[], files: [] as JsonRow[], functions: [] as JsonRow[] };
  private readonly barriers: CapturedInstruction[] = [];
  private readonly program = new ProgramTables();
  private events = 0;
  private summaries = 0;
  /** Names of profiles in a `summary-json`. */
  private readonly hashes: string[] = [];

  constructor(private readonly c: Capture) {}

  take(section: string, row: JsonRow) {
    try {
      if (isProgramTable(section)) this.program.add(section, row);
      if (Object.hasOwn(this.sections, section)) this.sections[section](row);
    } catch (error) {
      if (error instanceof FormatError) throw new FormatError(`the JSON profile is damaged: in ${section}, ${error.message}`);
      throw error;
    }
    // `summary-json`: a profile, named by its hash
    if (/^n_/.test(section)) this.only(section, row);
  }

  private only(name: string, row: JsonRow) {
    this.hashes.push(name);
    this.summarized(row);
    this.c.simulated = row.is_simulation === true;
    if (this.c.simulated) this.c.simulation = readSimulation(row[OWN_SECTION]);
  }

  private summarized(row: JsonRow) {
    if (this.summaries++ === 0) this.c.summary = metrics(row);
  }

  finish(): Capture {
    const { c } = this;
    checkOneProfile(this.summaries, this.hashes, this.events > 0);
    if (this.events === 0 && Object.keys(c.summary).length === 0)
      throw new FormatError('the JSON has no instruction, no dma and no summary: not a profile of neuron-profile');
    const names = new Map(this.queues.map(q => [`${q.core} ${q.index}`, q.name]));
    const exact = new Map(this.queues.map(q => [`${q.core} ${q.index} ${q.engine}`, q.name]));
    const count = new Map<string, number>();
    for (const q of this.queues) count.set(`${q.core} ${q.index}`, (count.get(`${q.core} ${q.index}`) ?? 0) + 1);
    for (const dma of c.dmas) {
      const key = `${dma.core} ${dma.queue}`;
      const named = exact.get(`${key} ${dma.engine}`) ?? (count.get(key) === 1 ? names.get(key) : undefined);
      if (named !== undefined) dma.queue = named;
      else if (/^\d+$/.test(dma.queue)) dma.queue = `Q${dma.queue}`;
    }
    c.stackOf = frameworkStacks(this.stacks);
    c.programTables = this.program.finish();
    for (const barrier of this.barriers) c.instructions.push(barrier);
    c.instanceType = String(c.summary.instance_type ?? c.instanceType);
    if (typeof c.summary.total_time === 'number') c.totalTimeNs = c.summary.total_time * 1e9;
    c.profiler = String(c.summary.profiler_version ?? c.profiler);
    return c;
  }

  private readonly sections: Readonly<Record<string, (row: JsonRow) => void>> = {
    instruction: row => {
      this.events++;
      this.c.instructions.push(this.instruction(row));
    },
    dma: row => {
      this.events++;
      this.c.dmas.push(this.dma(row));
    },
    summary: row => this.summarized(row),
    metadata: row => this.metadata(row),
    [OWN_SECTION]: row => {
      this.c.own = row;
    },
    [OWN_ANNOTATIONS]: row => {
      this.c.annotations.push(row as unknown as Annotation);
    },
    profile_info: row => {
      this.c.name = text(row, 'profile_name') || this.c.name;
      this.c.profiler = text(row, 'profiler_version');
    },
    dma_queues_info: row => {
      const name = text(row, 'q_name');
      if (name) this.queues.push({ core: this.core(row), index: text(row, 'q_idx'), engine: optionalNumber(row, 'q_eng_idx') ?? -1, name });
    },
    neff_node: row => {
      const type = text(row, 'type');
      if (type !== 'IN' && type !== 'OUT') return;
      const role = type === 'IN' ? 'in' : 'out';
      const dtype = text(row, 'dtype') || null;
      this.c.tensors.push({
        name: text(row, 'variable_name'),
        shape: shape(text(row, 'shape')),
        bytes: optionalNumber(row, 'size'),
        dtype,
        role,
      });
    },
    // names of these are those of the tables, as that of the one that was seen: `stack_frame_function_name`
    stack_frame: row => void this.stacks.frames.push(row),
    stack_frame_file_location: row => void this.stacks.locations.push(row),
    stack_frame_file_name: row => void this.stacks.files.push(row),
    stack_frame_function_name: row => void this.stacks.functions.push(row),
    core_barriers: row => {
      const startNs = amount(row, 'timestamp' in row ? 'timestamp' : 'start_ts');
      const endNs = optionalNumber(row, 'end_ts') ?? startNs + amount(row, 'duration' in row ? 'duration' : 'duration_ns');
      this.barriers.push(coreBarrier(row, this.barriers.length, span(startNs, endNs), this.coreOfTable(row)));
    },
    sbuf_allocation: row => void this.c.allocations.push(allocationOf(row, this.coreOfTable(row))),
    // the legacy name is not documented: both that the table's name suggests
    error: row => void this.c.errors.push(errorOf(row)),
    errors: row => void this.c.errors.push(errorOf(row)),
    ham: row => {
      const timeNs = optionalNumber(row, 'timestamp');
      if (timeNs !== null) this.c.clockTurns.push({ core: this.core(row), timeNs });
    },
    warnings: row => {
      this.c.warnings.push({ message: text(row, 'message'), category: text(row, 'category') });
    },
  };

  private metadata(row: JsonRow) {
    const { c } = this;
    c.simulated = row.is_simulation === true;
    c.cores = Math.max(1, optionalNumber(row, 'num_physical_cores') ?? 1);
    c.hbmBytesPerSecond = optionalNumber(row, 'hbm_ddr_bandwidth');
    c.dmaBytesPerSecond = optionalNumber(row, 'dma_ddr_bandwidth');
    c.baseClockGhz = optionalNumber(row, 'pe_clock_others');
    c.instanceType = text(row, 'instance_type');
    const [clock, rows, columns] = ['pe_clock_freq', 'pe_num_rows', 'pe_num_cols'].map(name => optionalNumber(row, name));
    // a multiply and an add per element of the array and cycle
    if (clock !== null && rows !== null && columns !== null) c.peakFlopsPerCore = 2 * clock * 1e9 * rows * columns;
    c.totalTimeNs ??= optionalNumber(row, 'last_hw_timestamp');
  }

  private instruction(row: JsonRow): CapturedInstruction {
    const startNs = amount(row, 'timestamp');
    const engine = engineName(text(row, 'subgroup'));
    return {
      ...span(startNs, endOf(row, startNs)),
      id: text(row, 'id') || `row ${this.c.instructions.length}`,
      waitNs: optionalAmount(row, 'evt_wait_time'),
      engine,
      label: engineName(text(row, 'label') || engine),
      core: this.core(row),
      opcode: text(row, 'opcode'),
      operands: text(row, 'operands'),
      pc: optionalNumber(row, 'pc') ?? -1,
      // elements of the PE array that worked, a multiply and an add each
      flops: 2 * optionalAmount(row, 'elements'),
      source: source(row, this.c.own !== null, this.layers.of(row)),
      predecessors: predecessors(row),
      reason: text(row, 'wait_reason') || null,
      own: ownOf(row),
    };
  }

  private dma(row: JsonRow): CapturedDma {
    const startNs = amount(row, 'timestamp');
    const endNs = endOf(row, startNs);
    const whole = text(row, 'aggregated') === 'yes';
    const id = text(row, 'id') || `dma ${this.c.dmas.length}`;
    return {
      ...span(startNs, endNs),
      id,
      group: text(row, 'packet_aggregation_id'),
      whole,
      waitNs: optionalAmount(row, 'evt_wait_time'),
      doneNs: Math.max(endNs, optionalNumber(row, 'completion') ?? endNs),
      engine: whole ? 0 : number(row, 'dma_engine') & 255,
      core: this.core(row),
      queue: text(row, 'dma_queue'),
      bytes: amount(row, 'transfer_size'),
      packets: optionalNumber(row, 'packets') ?? 1,
      variable: text(row, 'variable'),
      from: memory(row.source),
      to: memory(row.dest),
      source: source(row, this.c.own !== null, this.layers.of(row)),
      predecessors: predecessors(row),
      reason: text(row, 'wait_reason') || null,
      trigger: text(row, 'trigger') || null,
      own: ownOf(row),
    };
  }

  /** Of a table that the instructions' fields are not known of. */
  private coreOfTable(row: JsonRow): number {
    return 'subgraph' in row ? this.core(row) : optionalAmount(row, 'pcore_idx') & 255;
  }

  /** Subgraphs are physical cores, numbered in the order of their names. */
  private core(row: JsonRow): number {
    const name = text(row, 'subgraph');
    const given = /^sg(\d+)$/.exec(name);
    if (given) return Math.min(255, Number(given[1]));
    if (!this.cores.has(name)) this.cores.set(name, Math.min(255, this.cores.size));
    return this.cores.get(name)!;
  }
}

/** `end` is ours: where start and duration would miss it by a rounding. */
const endOf = (row: JsonRow, startNs: number) => optionalNumber(row, 'end') ?? startNs + amount(row, 'duration');

const ownOf = (row: JsonRow): CapturedOwn => ({
  readyNs: optionalNumber(row, 'ready'),
  origin: optionalNumber(row, 'program_instruction') ?? -1,
  operandList: optionalNumber(row, 'operand_list') ?? -1,
  engines: optionalNumber(row, 'engines'),
});

const memory = (value: unknown) => memoryOf(asText((Array.isArray(value) ? value.flat() : [value])[0]).toUpperCase());

/**
 * Uses rows of our tables, else our call stack if there is one, else the densest of Neuron's links. @param hasTables whether the file has
 * our tables, which come before the events
 */
function source(row: JsonRow, hasTables: boolean, layer: string): CapturedSource {
  const [frame, loop] = [optionalNumber(row, 'frame'), optionalNumber(row, 'loop')];
  if (hasTables && frame !== null && loop !== null) return { ...NO_SOURCE, own: { frame, loop } };
  const loops = loopsOf(text(row, 'iteration'));
  const calledFrom = firstFrame(row.stack_frame_ids);
  const around = { ...(layer && { layer }), ...(calledFrom && { calledFrom }) };
  if (Array.isArray(row.kernel_stack)) {
    const stack = row.kernel_stack.slice(0, MOST_FRAMES).flatMap(entry => {
      const [, name, file, line] = /^(\S*) (.*):(\d+)$/.exec(asText(entry)) ?? [];
      return file === undefined ? [] : [{ file, line: lineOf(line), function: name }];
    });
    return { stack, loops, ...around };
  }
  const at = text(row, 'nki_source_location') || text(row, 'bir_debug_info_source_location');
  if (at === '' && loops.length === 0 && layer === '' && calledFrom === '') return NO_SOURCE;
  return { stack: positionsOf(at), loops, ...around };
}

function predecessors(row: JsonRow): { id: string; type: string }[] {
  const list = Array.isArray(row.predecessors) ? row.predecessors : [];
  const known = list
    .filter((p): p is JsonRow => typeof p === 'object' && p !== null)
    .map(p => ({ id: text(p, 'id'), type: text(p, 'type') }));
  const own = text(row, 'blocked_by');
  return own === '' ? known : [{ id: own, type: '' }];
}
