/**
 * What a replay needs of a recorded profile in the legacy `neuron-profile` JSON: instructions, DMA packets, the semaphores'
 * updates and the PE clock's events, core by core. Times are ns. Everything else in such a file is left alone.
 */
import { FormatError } from '../columns/container';
import { asText, shown } from './capture/values';

export interface TraceInstruction {
  startNs: number;
  durationNs: number;
  /** Tensor, Vector, Scalar, GpSimd, Sync. */
  engine: string;
  opcode: string;
  operands: string;
  /** Place in its engine's program. */
  pc: number;
}

export interface TracePacket {
  startNs: number;
  durationNs: number;
  queue: string;
  /** Number of the DMA engine, from 0. */
  engine: number;
  bytes: number;
}

export interface Trace {
  instructions: TraceInstruction[];
  packets: TracePacket[];
  /** When the PE clock rose or fell. */
  clockTurnsNs: number[];
  instanceType: string;
}

/** Opcode of what triggers a DMA. */
export const TRIGGER = 'DMA_DIRECT2D';

type Row = Readonly<Record<string, unknown>>;

/** One for each core that the kernel ran on, in the order of their names. @throws FormatError when the text is no legacy profile. */
export function readLegacyTraces(text: string): Trace[] {
  const root = parsed(text);
  const instructions = rows(root, 'instruction');
  if (instructions.length === 0) throw new FormatError('no instructions: not a profile in the legacy neuron-profile JSON');
  return kernelCores(instructions).map(core => traceOf(root, core));
}

function traceOf(root: Row, core: unknown): Trace {
  const ofCore = (row: Row) => row.subgraph === core;
  const queueNames = new Map(
    rows(root, 'dma_queues_info')
      .filter(ofCore)
      .map(q => [asText(q.q_idx), asText(q.q_name)]),
  );
  const packets = rows(root, 'dma').filter(ofCore);
  const firstEngine = packets.reduce((least, p) => Math.min(least, number(p, 'dma_engine')), Number.POSITIVE_INFINITY);
  return {
    instructions: rows(root, 'instruction').filter(ofCore).map(instruction),
    packets: packets.map(p => packet(p, queueNames, firstEngine)).sort((a, b) => a.startNs - b.startNs),
    clockTurnsNs: rows(root, 'ham')
      .filter(ofCore)
      .map(turn => number(turn, 'timestamp'))
      .sort((a, b) => a - b),
    instanceType: asText(rows(root, 'summary')[0]?.instance_type),
  };
}

function parsed(text: string): Row {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    throw new FormatError(`not JSON: ${(error as Error).message}`);
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root)) throw new FormatError('the JSON holds no object of tables');
  return root as Row;
}

function rows(root: Row, table: string): Row[] {
  const value = root[table];
  return Array.isArray(value) ? value.filter((row): row is Row => typeof row === 'object' && row !== null) : [];
}

/** A recording of a logical core holds both physical ones; the kernel runs on those that trigger DMAs. Without any: on the busiest. */
function kernelCores(instructions: readonly Row[]): unknown[] {
  const triggering = new Set(instructions.filter(row => row.opcode === TRIGGER).map(row => row.subgraph));
  if (triggering.size > 0) return [...triggering].sort((a, b) => (asText(a) < asText(b) ? -1 : 1));
  const counts = new Map<unknown, number>();
  for (const row of instructions) counts.set(row.subgraph, (counts.get(row.subgraph) ?? 0) + 1);
  return [[...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0]];
}

function instruction(row: Row): TraceInstruction {
  return {
    startNs: number(row, 'timestamp'),
    durationNs: number(row, 'duration'),
    engine: asText(row.subgroup),
    opcode: asText(row.opcode),
    operands: asText(row.operands),
    pc: number(row, 'pc'),
  };
}

function packet(row: Row, names: ReadonlyMap<string, string>, firstEngine: number): TracePacket {
  const queue = asText(row.dma_queue);
  return {
    startNs: number(row, 'timestamp'),
    durationNs: number(row, 'duration'),
    queue: names.get(queue) ?? queue,
    engine: number(row, 'dma_engine') - firstEngine,
    bytes: number(row, 'transfer_size'),
  };
}

/** Numbers come as numbers or as text. @throws FormatError */
function number(row: Row, field: string): number {
  const value = typeof row[field] === 'string' ? Number(row[field]) : row[field];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new FormatError(`${field} is ${shown(row[field])}, not a number`);
  return value;
}
