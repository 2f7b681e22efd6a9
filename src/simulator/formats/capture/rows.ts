/**
 * The data of a capture of any format: rows with one set of names. The readers of each format make them (`legacyJson.ts`,
 * `parquetTables.ts`), and `build.ts` makes a Profile of them. Ids are strings, because they exceed 2^53.
 */

import type { Annotation } from '../../profile/annotations';
import type { Profile, RecordedTable } from '../../profile/profile';

export interface CapturedInstruction {
  id: string;
  startNs: number;
  endNs: number;
  waitNs: number;
  engine: string;
  /** Row of the timeline. */
  label: string;
  core: number;
  opcode: string;
  operands: string;
  /** Position in its engine's program; -1 if it is not known. */
  pc: number;
  flops: number;
  source: CapturedSource;
  predecessors: { id: string; type: string }[];
  reason: string | null;
  own: CapturedOwn;
}

/** Fields that only our own files have. */
export interface CapturedOwn {
  /** null: it follows from the wait. */
  readyNs: number | null;
  /** Instruction of the program; -1 if it is not known. */
  origin: number;
  /** Row of an instruction's list in the file's table of operands; -1 if it is not known. */
  operandList: number;
  /** DMA engines of a transfer, one bit each; null: those of its packets. */
  engines: number | null;
}

/** The source of an event, as far as the file has it. */
export interface CapturedSource {
  /** `file.py:42`, innermost first; with the function if it is known. */
  stack: { file: string; line: number; function: string }[];
  /** Outermost first. */
  loops: { name: string; value: number }[];
  /** Path of its framework layer; absent: the file names none. */
  layer?: string;
  /** Frame of the program that called the kernel; absent: the file names none (`frameworkStacks.ts`). */
  calledFrom?: string;
  /** For our own files: rows of their tables. */
  own?: { frame: number; loop: number };
}

/** A packet, or a stretch of one DMA engine; or a whole transfer. */
export interface CapturedDma {
  id: string;
  /** Links the packets of a transfer. */
  group: string;
  whole: boolean;
  startNs: number;
  endNs: number;
  waitNs: number;
  /** Time at which its semaphore rose; its end if the file does not have it. */
  doneNs: number;
  /** DMA engine of a packet. */
  engine: number;
  core: number;
  queue: string;
  bytes: number;
  /** 0: the number of its rows. */
  packets: number;
  /** Of a whole transfer: its runs of bytes that lie together on both sides. Absent: the file does not say. */
  elements?: number;
  /** Of a whole transfer: runs that it writes one after another, their size and distance, and how many have this distance. */
  writes?: { bytes: number; stepBytes: number; count: number };
  variable: string;
  from: string;
  to: string;
  source: CapturedSource;
  predecessors: { id: string; type: string }[];
  reason: string | null;
  trigger: string | null;
  own: CapturedOwn;
}

/** A collective of the rank that was captured. */
export interface CapturedCollective {
  startNs: number;
  endNs: number;
  /** When the instruction that triggered it began. */
  triggerNs: number;
  /** As Neuron's tools name it: `AllReduce`. */
  name: string;
  algorithm: string;
  bytes: number;
  /** CC core, of several the first. */
  ccCore: number;
  /** Lists of ranks that take part together; empty where the file has none. */
  lists: number[][];
}

/** A stretch of a partition of SBUF that was in use. */
export interface CapturedAllocation {
  startNs: number;
  endNs: number;
  core: number;
  partition: number;
  /** From the start of the partition. */
  addressBytes: number;
  sizeBytes: number;
  name: string;
  /** Of the instruction that made it; empty: a transfer did. */
  opcode: string;
  operands: string;
  /** Of the transfer that made it. */
  queue: string;
}

export interface CapturedTensor {
  name: string;
  shape: number[];
  bytes: number | null;
  dtype: string | null;
  role: 'in' | 'out';
}

/** Fields of a simulated profile for which other tools' tables have no field. */
export type Simulation = Partial<Pick<Profile, 'accuracy' | 'target' | 'pipeline' | 'dialect'>>;

export interface Capture {
  name: string;
  simulated: boolean;
  /** For one of our simulated profiles: its additional fields. */
  simulation?: Simulation;
  /** Total time in the file; null: the end of the last event. */
  totalTimeNs: number | null;
  instanceType: string;
  cores: number;
  hbmBytesPerSecond: number | null;
  dmaBytesPerSecond: number | null;
  peakFlopsPerCore: number | null;
  baseClockGhz: number | null;
  profiler: string;
  summary: Record<string, number | string>;
  tensors: CapturedTensor[];
  warnings: { message: string; category: string }[];
  errors: { timeNs: number; type: string; description: string }[];
  /** When the clock of a core's PE array rose or fell. */
  clockTurns: { core: number; timeNs: number }[];
  instructions: CapturedInstruction[];
  dmas: CapturedDma[];
  collectives: CapturedCollective[];
  allocations: CapturedAllocation[];
  /** About the compiled program. */
  programTables: RecordedTable[];
  /** Stack of a frame, innermost first, by its id. */
  stackOf(frame: string): CapturedSource['stack'];
  /** Of our own JSON: rows of its annotations. The codec checks them. */
  annotations: Annotation[];
  /** The section `nki_scope` of our own JSON. */
  own: Record<string, unknown> | null;
}

export const emptyCapture = (name: string): Capture => ({
  name,
  simulated: false,
  totalTimeNs: null,
  instanceType: '',
  cores: 1,
  hbmBytesPerSecond: null,
  dmaBytesPerSecond: null,
  peakFlopsPerCore: null,
  baseClockGhz: null,
  profiler: '',
  summary: {},
  tensors: [],
  warnings: [],
  errors: [],
  clockTurns: [],
  instructions: [],
  dmas: [],
  collectives: [],
  allocations: [],
  programTables: [],
  stackOf: () => [],
  annotations: [],
  own: null,
});

export const NOT_OURS: CapturedOwn = { readyNs: null, origin: -1, operandList: -1, engines: null };

export const NO_SOURCE: CapturedSource = { stack: [], loops: [] };

/** Calls inside one another that are read of an event. */
export const MOST_FRAMES = 256;
/** Loops around an event. */
const MOST_LOOPS = 256;
/** Longer texts are not parsed. */
const MOST_CHARACTERS = 1 << 16;

/** `file.py:42`, of which a field may list several, innermost first. Time grows with the text, not with its square. */
export function positionsOf(text: string): CapturedSource['stack'] {
  const stack: CapturedSource['stack'] = [];
  for (const [word] of text.slice(0, MOST_CHARACTERS).matchAll(/[^\s,;]+/g)) {
    let from = 0;
    for (const { 0: found, 1: line, index } of word.matchAll(/:(\d+)/g)) {
      if (index === from) continue;
      stack.push({ file: word.slice(from, index), line: lineOf(line), function: '' });
      from = index + found.length;
      if (stack.length === MOST_FRAMES) return stack;
    }
  }
  return stack;
}

/** `i=3, j=1`, outermost first. The word's start is found first, so that a long word without `=` is read once. */
export function loopsOf(text: string): CapturedSource['loops'] {
  const found = text.slice(0, MOST_CHARACTERS).matchAll(/\b(\w+)=(-?\d+)/g);
  return [...found].slice(0, MOST_LOOPS).map(([, name, value]) => ({ name, value: Number(value) | 0 }));
}

/** `[[0, 1], [2, 3]]`, as far as the text is that. */
export function rankListsOf(words: string): number[][] {
  const lists = words.slice(0, MOST_CHARACTERS).matchAll(/\[([\d,\s]+)\]/g);
  return [...lists].map(([, list]) => list.split(',').map(Number));
}

/** The line of a text of digits; 0 (no line) for a number above any file's lines. */
export const lineOf = (digits: string): number => (Number(digits) < 2 ** 32 ? Number(digits) : 0);

const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    pe: 'Tensor',
    tensor: 'Tensor',
    tensormatrix: 'TensorMatrix',
    dve: 'Vector',
    vector: 'Vector',
    act: 'Scalar',
    scalar: 'Scalar',
    activation: 'Scalar',
    pool: 'GpSimd',
    gpsimd: 'GpSimd',
    sp: 'Sync',
    sync: 'Sync',
  }),
);

/** Our name of an engine, from any name that Neuron's tools use. */
export const engineName = (text: string) => ALIASES.get(text.toLowerCase()) ?? text;

const HBM_WORDS: ReadonlySet<string> = new Set(['INPUT', 'OUTPUT', 'WEIGHT', 'DRAM', 'HBM', 'INTERNAL']);

/** The memory of Neuron's word for a DMA's source or destination: roles of tensors mean HBM. */
export function memoryOf(word: string): string {
  if (word === 'SB' || word === 'SBUF') return 'sbuf';
  if (word === 'PSUM') return 'psum';
  return HBM_WORDS.has(word) ? 'hbm' : 'unknown';
}
