/**
 * What a capture says, whatever file it came in: rows under one set of names. The readers of each format make them
 * (`json.ts`, `parquet.ts`), `build.ts` makes a Profile of them. Ids are strings: they exceed 2^53.
 */

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

export interface Capture {
  name: string;
  simulated: boolean;
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
  instructions: [],
  dmas: [],
  own: null,
});

export const NOT_OURS: CapturedOwn = { readyNs: null, origin: -1, engines: null };

export const NO_SOURCE: CapturedSource = { stack: [], loops: [] };

/** `file.py:42`, of which a field may list several, innermost first. */
export function positionsOf(text: string, functionName = ''): CapturedSource['stack'] {
  return [...text.matchAll(/([^\s,;]+?):(\d+)/g)].map(([, file, line]) => ({ file, line: Number(line), function: functionName }));
}

const ALIASES: Readonly<Record<string, string>> = {
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
};

/** The engine's one name here, from any that Neuron's tools use. */
export const engineName = (text: string) => ALIASES[text.toLowerCase()] ?? text;

const HBM_WORDS: ReadonlySet<string> = new Set(['INPUT', 'OUTPUT', 'WEIGHT', 'DRAM', 'HBM', 'INTERNAL']);

/** The memory that Neuron's word for a DMA's source or destination means: roles of tensors are on the HBM side. */
export function memoryOf(word: string): string {
  if (word === 'SB' || word === 'SBUF') return 'sbuf';
  if (word === 'PSUM') return 'psum';
  return HBM_WORDS.has(word) ? 'hbm' : 'unknown';
}
