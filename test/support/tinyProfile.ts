/**
 * Profiles of a handful of events written out by hand, for tests whose answers are worked out on paper:
 *
 *     tinyProfile({ events: [
 *       { line: 3, track: 'Vector', ready: 0, start: 0, end: 100 },
 *       { line: 4, track: 'Scalar', ready: 0, start: 110, end: 200, stall: 'data', blocker: 0 },
 *     ], dmas: [{ line: 2, ready: 0, start: 50, end: 90, done: 95, bytes: 4096, trigger: 0 }] })
 *
 * Events and dmas are in row order; blockers are event numbers (instructions first). Not for anything a user sees.
 */
import { operandTableOf } from '../../src/simulator/compile/operands/text';
import { machineFor } from '../../src/simulator/hardware/targets';
import { DIRECTIONS, NO_SEMAPHORE, type Profile, STALL, type StallReason } from '../../src/simulator/profile/profile';
import { syntheticProfile } from './syntheticProfile';

interface Common {
  /** Source line of the innermost frame; an array lists callers after it. */
  line: number | number[];
  ready: number;
  start: number;
  end: number;
  stall?: StallReason;
  blocker?: number;
}
export interface TinyInstruction extends Common {
  track: 'Tensor' | 'TensorMatrix' | 'Vector' | 'Scalar' | 'GpSimd' | 'Sync';
  opcode?: string;
  operands?: string;
  flops?: number;
}
export interface TinyDma extends Common {
  done?: number;
  bytes: number;
  trigger?: number;
  queue?: string;
  direction?: (typeof DIRECTIONS)[number];
}
export interface TinyProfile {
  events: TinyInstruction[];
  dmas?: TinyDma[];
  body?: [startNs: number, endNs: number];
  totalNs?: number;
  source?: string;
}

const ENGINES = ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync'];

export function tinyProfile({ events, dmas = [], body, totalNs, source }: TinyProfile): Profile {
  const base = syntheticProfile(1);
  const last = Math.max(0, ...events.map(e => e.end), ...dmas.map(d => d.end));
  const frames = new Frames();
  const opcodes: string[] = [];
  const intern = (list: string[], value: string) => (list.includes(value) ? list.indexOf(value) : list.push(value) - 1);
  const operands = operandTableOf(
    events.map(e => e.operands ?? ''),
    machineFor(base.target),
  );
  const queues = [...new Set(dmas.map(d => d.queue ?? 'qSyncIO0'))];
  const tracks = [
    ...ENGINES.map(name => ({ kind: 'engine' as const, name, engine: name === 'TensorMatrix' ? 'Tensor' : name })),
    ...queues.map(name => ({ kind: 'queue' as const, name, engine: 'Sync' })),
  ];
  const common = (rows: Common[]) => ({
    readyNs: Float64Array.from(rows, r => r.ready),
    startNs: Float64Array.from(rows, r => r.start),
    endNs: Float64Array.from(rows, r => r.end),
    frame: Uint32Array.from(rows, r => frames.of([r.line].flat())),
    iteration: new Int32Array(rows.length).fill(-1),
    stall: Uint8Array.from(rows, r => STALL[r.stall ?? 'none']),
    blocker: Int32Array.from(rows, r => r.blocker ?? -1),
    origin: Int32Array.from(rows, (_, i) => i),
  });
  const instructions = {
    ...common(events),
    track: Uint16Array.from(events, e => ENGINES.indexOf(e.track)),
    opcode: Uint16Array.from(events, e => intern(opcodes, e.opcode ?? 'TENSOR_TENSOR')),
    flops: Float32Array.from(events, e => e.flops ?? 0),
    operands: operands.lists,
    signal: new Uint8Array(events.length).fill(NO_SEMAPHORE),
  };
  const transfers = {
    ...common(dmas),
    doneNs: Float64Array.from(dmas, d => d.done ?? d.end),
    track: Uint16Array.from(dmas, d => ENGINES.length + queues.indexOf(d.queue ?? 'qSyncIO0')),
    trigger: Int32Array.from(dmas, d => d.trigger ?? -1),
    bytes: Float64Array.from(dmas, d => d.bytes),
    packets: new Uint32Array(dmas.length).fill(1),
    engines: new Uint16Array(dmas.length).fill(1),
    variable: new Uint32Array(dmas.length).fill(2),
    direction: Uint8Array.from(dmas, d => DIRECTIONS.indexOf(d.direction ?? 'hbm->sbuf')),
  };
  return {
    ...base,
    totalTimeNs: totalNs ?? last,
    bodyStartNs: body?.[0] ?? 0,
    bodyEndNs: body?.[1] ?? last,
    tracks,
    opcodes,
    ...operands.table,
    files: source === undefined ? base.files : [{ ...base.files[0], text: source }],
    instructions,
    waits: { instruction: new Uint32Array(0), semaphore: new Uint8Array(0), value: new Uint32Array(0) },
    transfers,
    dmaSlices: {
      startNs: transfers.startNs,
      endNs: transfers.endNs,
      engine: new Uint8Array(dmas.length),
      transfer: Uint32Array.from(dmas, (_, i) => i),
      bytes: Float32Array.from(transfers.bytes),
    },
    frames: frames.columns(),
  };
}

/** One frame per (line, callers). */
class Frames {
  private readonly rows: { parent: number; line: number }[] = [];

  of(stack: number[]): number {
    if (stack.length === 0) return -1;
    const parent = this.of(stack.slice(1));
    const known = this.rows.findIndex(r => r.parent === parent && r.line === stack[0]);
    return known >= 0 ? known : this.rows.push({ parent, line: stack[0] }) - 1;
  }

  columns(): Profile['frames'] {
    const count = this.rows.length;
    return {
      parent: Int32Array.from(this.rows, r => r.parent),
      file: new Uint32Array(count),
      line: Uint32Array.from(this.rows, r => r.line),
      function: new Uint32Array(count),
    };
  }
}

/** Lines from `firstLine` on, one after the other on Vector, each waiting for the one before; `endsNs` is when each ends. */
export const oneByOne = (source: string, endsNs: number[], firstLine = 1) =>
  tinyProfile({
    source,
    totalNs: endsNs.at(-1),
    events: endsNs.map((end, i) => ({
      line: firstLine + i,
      track: 'Vector' as const,
      ready: 0,
      start: endsNs[i - 1] ?? 0,
      end,
      ...(i > 0 ? { stall: 'data' as const, blocker: i - 1 } : {}),
    })),
  });
