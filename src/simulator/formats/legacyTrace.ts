/**
 * What a replay needs of a recorded profile in the legacy `neuron-profile` JSON: instructions, DMA packets, the semaphores'
 * updates and the PE clock's events of one core. Times are ns. Everything else in such a file is left alone.
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

type Row = Readonly<Record<string, unknown>>;

/** @throws FormatError when the text is no legacy profile. */
export function readLegacyTrace(text: string): Trace {
  const root = parsed(text);
  const instructions = rows(root, 'instruction');
  if (instructions.length === 0) throw new FormatError('no instructions: not a profile in the legacy neuron-profile JSON');
  const core = busiestCore(instructions);
  const ofCore = (row: Row) => row.subgraph === core;
  const queueNames = new Map(
    rows(root, 'dma_queues_info')
      .filter(ofCore)
      .map(q => [asText(q.q_idx), asText(q.q_name)]),
  );
  const packets = rows(root, 'dma').filter(ofCore);
  const firstEngine = packets.reduce((least, p) => Math.min(least, number(p, 'dma_engine')), Number.POSITIVE_INFINITY);
  return {
    instructions: instructions.filter(ofCore).map(instruction),
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

/** A recorded run may hold two physical cores; the kernel runs on the one whose TensorE, VectorE or DMA triggers do most. */
function busiestCore(instructions: readonly Row[]): unknown {
  const counts = new Map<unknown, number>();
  for (const row of instructions) counts.set(row.subgraph, (counts.get(row.subgraph) ?? 0) + 1);
  return [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0];
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
