/**
 * What a replay needs of a recorded profile, core by core, whatever file it came in: instructions, DMA packets and the PE clock's turns.
 * Times are ns. Files are read by `formats/capture/`; what an instruction means for time is `stream.ts`'s.
 */
import { FormatError } from '../columns/container';
import type { Writes } from '../compile/bursts';
import type { Capture, CapturedInstruction } from '../formats/capture/rows';

export interface TraceInstruction {
  /** Id in the file. Transfers name their triggers by it. */
  id: string;
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
  /** Row of `wholes`; -1 where the file does not say to which transfer the packet belongs. */
  whole: number;
}

export interface TraceTransfer {
  queue: string;
  startNs: number;
  /** Instruction that triggered it; null where the file does not say. */
  trigger: string | null;
  /** Memories, as `hbm->sbuf`. */
  direction: string;
  /** Runs of bytes that lie together on both sides. One packet may move several of them. Absent: the file does not say. */
  elements?: number;
  /** Runs that it writes one after another. Absent: the file does not say. */
  writes?: Writes;
}

export interface Trace {
  instructions: TraceInstruction[];
  packets: TracePacket[];
  /** Transfers that the file tells beside their packets. */
  wholes: TraceTransfer[];
  /** When the PE clock rose or fell. */
  clockTurnsNs: number[];
}

/** Opcodes of what triggers a DMA: one that it describes itself, and one whose descriptors were made before the kernel ran. */
const DYNAMIC_TRIGGER = 'DMA_DIRECT2D';
const STATIC_TRIGGER = 'PSEUDO_DMA_TRIGGER';

/** Opcode that the runtime gives a static trigger. Only the NEFF distinguishes them from other writes. */
export const LOADED_TRIGGER = 'WRITE';

export const isStaticTrigger = ({ opcode }: { opcode: string }) => opcode === STATIC_TRIGGER;
export const isTrigger = (row: { opcode: string }) => row.opcode === DYNAMIC_TRIGGER || isStaticTrigger(row);

/** One for each core that the kernel ran on, ascending. @throws FormatError when there is nothing recorded to replay */
export function tracesOf(c: Capture): Trace[] {
  if (c.simulated) throw new FormatError('the profile is simulated: replay times a recording with the model that made it');
  if (c.instructions.length === 0) throw new FormatError('the profile has no instructions: there is nothing to replay');
  return kernelCores(c.instructions).map(core => traceOf(c, core));
}

function traceOf(c: Capture, core: number): Trace {
  const dmas = c.dmas.filter(row => row.core === core);
  const wholes = dmas.filter(row => row.whole);
  const wholeOf = new Map(wholes.map((row, k) => [row.group, k]));
  const packets = dmas.filter(row => !row.whole);
  const firstEngine = packets.reduce((least, { engine }) => Math.min(least, engine), Number.POSITIVE_INFINITY);
  return {
    instructions: instructionsOf(c.instructions.filter(row => row.core === core)),
    packets: packets
      .map(({ startNs, endNs, queue, engine, bytes, group }) => ({
        startNs,
        durationNs: endNs - startNs,
        queue,
        engine: engine - firstEngine,
        bytes,
        whole: wholeOf.get(group) ?? -1,
      }))
      .sort((a, b) => a.startNs - b.startNs),
    wholes: wholes.map(({ queue, startNs, trigger, from, to, elements, writes }) => ({
      queue,
      startNs,
      trigger,
      direction: `${from}->${to}`,
      elements,
      writes,
    })),
    clockTurnsNs: c.clockTurns
      .filter(turn => turn.core === core)
      .map(({ timeNs }) => timeNs)
      .sort((a, b) => a - b),
  };
}

/** Engines work in the order of their programs: where no counters are told, that of the starts stands for them. */
function instructionsOf(rows: readonly CapturedInstruction[]): TraceInstruction[] {
  const isCounted = rows.every(({ pc }) => pc >= 0);
  const ordered = isCounted ? rows : [...rows].sort((a, b) => a.startNs - b.startNs);
  return ordered.map(({ id, startNs, endNs, engine, opcode, operands, pc }, k) => ({
    id,
    startNs,
    durationNs: endNs - startNs,
    engine,
    opcode,
    operands,
    pc: isCounted ? pc : k,
  }));
}

/** A recording of a logical core holds both physical ones; the kernel runs on those that trigger DMAs. Without any: on the busiest. */
function kernelCores(instructions: readonly CapturedInstruction[]): number[] {
  const triggering = new Set(instructions.filter(isTrigger).map(row => row.core));
  if (triggering.size > 0) return [...triggering].sort((a, b) => a - b);
  const counts = new Map<number, number>();
  for (const { core } of instructions) counts.set(core, (counts.get(core) ?? 0) + 1);
  return [[...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0]];
}
