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
}

/** Where an event comes from, as far as the file says. */
export interface CapturedSource {
  /** `file.py:42`, innermost first; with the function where it is known. */
  stack: { file: string; line: number; function: string }[];
  /** Outermost first. */
  loops: { name: string; value: number }[];
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
  packets: number;
  variable: string;
  from: string;
  to: string;
  source: CapturedSource;
  predecessors: { id: string; type: string }[];
  reason: string | null;
  trigger: string | null;
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
  instructions: CapturedInstruction[];
  dmas: CapturedDma[];
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
  instructions: [],
  dmas: [],
});

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
