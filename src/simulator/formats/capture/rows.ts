/**
 * What a capture says, whatever file it came in: rows under one set of names. The readers of each format make them
 * (`json.ts`, `parquet.ts`), `build.ts` makes a Profile of them. Ids are strings: they exceed 2^53.
 */

import type { Profile } from '../../profile/profile';

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
  /** Place in its engine's program; -1 when it is not told. */
  pc: number;
  flops: number;
  source: CapturedSource;
  predecessors: { id: string; type: string }[];
  reason: string | null;
  own: CapturedOwn;
}

/** What only our own files say. */
export interface CapturedOwn {
  /** null: it follows from the wait. */
  readyNs: number | null;
  /** Of the program; -1 when it is not told. */
  origin: number;
  /** Row of an instruction's list in the file's table of operands; -1 when it is not told. */
  operandList: number;
  /** DMA engines of a transfer, bit by bit; null: those of its packets. */
  engines: number | null;
}

/** Where an event comes from, as far as the file says. */
export interface CapturedSource {
  /** `file.py:42`, innermost first; with the function where it is known. */
  stack: { file: string; line: number; function: string }[];
  /** Outermost first. */
  loops: { name: string; value: number }[];
  /** Of our own files: rows of their tables. */
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
  /** When its semaphore rose; its end where the file does not say. */
  doneNs: number;
  /** Of a packet. */
  engine: number;
  core: number;
  queue: string;
  bytes: number;
  /** 0: as many as there are rows for it. */
  packets: number;
  variable: string;
  from: string;
  to: string;
  source: CapturedSource;
  predecessors: { id: string; type: string }[];
  reason: string | null;
  trigger: string | null;
  own: CapturedOwn;
}

export interface CapturedTensor {
  name: string;
  shape: number[];
  bytes: number | null;
  dtype: string | null;
  role: 'in' | 'out';
}

/** Of a simulated profile, what no table of other tools has a field for. */
export type Simulation = Partial<Pick<Profile, 'accuracy' | 'target' | 'pipeline' | 'dialect'>>;

export interface Capture {
  name: string;
  simulated: boolean;
  /** What a simulated one of ours says beside its rows; absent: nothing. */
  simulation?: Simulation;
  /** From the file's own figures; null: end of the last event. */
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
  own: null,
});

export const NOT_OURS: CapturedOwn = { readyNs: null, origin: -1, operandList: -1, engines: null };

export const NO_SOURCE: CapturedSource = { stack: [], loops: [] };

/** Calls inside one another that are read of an event. */
export const MOST_FRAMES = 256;
/** Loops around an event. */
const MOST_LOOPS = 256;
/** Longer texts name nothing. */
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

/** `i=3, j=1`, outermost first. The word's start is looked for first: a long word without `=` is looked at once. */
export function loopsOf(text: string): CapturedSource['loops'] {
  const found = text.slice(0, MOST_CHARACTERS).matchAll(/\b(\w+)=(-?\d+)/g);
  return [...found].slice(0, MOST_LOOPS).map(([, name, value]) => ({ name, value: Number(value) | 0 }));
}

/** Of digits; 0, as where no line is recorded, for what is more than a file has. */
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

/** The engine's one name here, from any that Neuron's tools use. */
export const engineName = (text: string) => ALIASES.get(text.toLowerCase()) ?? text;

const HBM_WORDS: ReadonlySet<string> = new Set(['INPUT', 'OUTPUT', 'WEIGHT', 'DRAM', 'HBM', 'INTERNAL']);

/** The memory that Neuron's word for a DMA's source or destination means: roles of tensors are on the HBM side. */
export function memoryOf(word: string): string {
  if (word === 'SB' || word === 'SBUF') return 'sbuf';
  if (word === 'PSUM') return 'psum';
  return HBM_WORDS.has(word) ? 'hbm' : 'unknown';
}
