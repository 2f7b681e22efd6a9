/**
 * A made-up but well-formed Profile of any size, seeded: for tests of drawing, analysis and formats that must not depend
 * on the timing model. Not for anything a user sees.
 */
import { operandTableOf } from '../../src/simulator/compile/operands/text';
import { machineFor } from '../../src/simulator/hardware/targets';
import { ProfileClock } from '../../src/simulator/profile/clock';
import type { Profile } from '../../src/simulator/profile/profile';

const ENGINES = ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync'];
const OPCODES = ['LDWEIGHTS', 'MATMUL', 'TENSOR_TENSOR', 'ACTIVATE', 'IOTA', 'EVENT_SEMAPHORE'];
const QUEUES = ['qSyncIO0', 'qScalarIO0'];
const SOURCE = `import nki
import nki.language as nl
import nki.isa as nisa


@nki.jit
def tiled(a, b):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(8):
        t = nl.ndarray((128, 512), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=t, src=a[i * 128:(i + 1) * 128, :])
        nisa.activation(dst=t, op=nl.exp, data=t)
        nisa.dma_copy(dst=out[i * 128:(i + 1) * 128, :], src=t)
    return out
`;

/** mulberry32: small and seeded. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function syntheticProfile(instructions = 600, seed = 1): Profile {
  const next = random(seed);
  const transfers = Math.max(1, Math.floor(instructions / 4));
  const column = <T>(
    n: number,
    make: (i: number) => number,
    type: { from(a: ArrayLike<unknown>, f: (v: unknown, i: number) => number): T },
  ) => type.from({ length: n }, (_, i) => make(i));
  const clock = new Float64Array(ENGINES.length);
  const track = column(instructions, () => Math.floor(next() * ENGINES.length), Uint16Array);
  const readyNs = new Float64Array(instructions);
  const startNs = new Float64Array(instructions);
  const endNs = new Float64Array(instructions);
  const stall = new Uint8Array(instructions);
  for (let i = 0; i < instructions; i++) {
    readyNs[i] = clock[track[i]];
    const wait = next() < 0.4 ? next() * 900 : 0;
    stall[i] = wait > 0 ? 1 + Math.floor(next() * 3) : 0;
    startNs[i] = readyNs[i] + wait;
    endNs[i] = startNs[i] + 60 + next() * 700;
    clock[track[i]] = endNs[i];
  }
  const span = Math.max(...clock);
  const queueClock = new Float64Array(QUEUES.length);
  const tTrack = column(transfers, i => ENGINES.length + (i % QUEUES.length), Uint16Array);
  const tReady = new Float64Array(transfers);
  const tStart = new Float64Array(transfers);
  const tEnd = new Float64Array(transfers);
  for (let i = 0; i < transfers; i++) {
    const q = i % QUEUES.length;
    tReady[i] = queueClock[q];
    tStart[i] = tReady[i] + 1300;
    tEnd[i] = tStart[i] + 600 + next() * 1500;
    queueClock[q] = Math.max(tEnd[i], (i / transfers) * span);
  }
  const slices = transfers * 16;
  // slices are sorted by start, as the contract says; queues interleave
  const sliceOrder = Uint32Array.from({ length: transfers }, (_, i) => i).sort((a, b) => tStart[a] - tStart[b] || a - b);
  const totalTimeNs = Math.max(span, ...queueClock) + 2200;
  const lines = [8, 11, 12, 13];
  return {
    kernel: 'tiled',
    dialect: 'nki',
    target: 'trn2',
    pipeline: 'literal',
    simulated: true,
    totalTimeNs,
    bodyStartNs: tStart[0],
    bodyEndNs: totalTimeNs - 2200,
    nclUs: (totalTimeNs - 7000) / 1000,
    tracks: [
      ...ENGINES.map(name => ({ kind: 'engine' as const, name, engine: name })),
      ...QUEUES.map(name => ({ kind: 'queue' as const, name, engine: name.includes('Sync') ? 'Sync' : 'Scalar' })),
    ],
    strings: ['tiled', 'i', 'a', 'out', 't'],
    opcodes: OPCODES,
    semaphores: [
      { id: 5, name: 'Tensor' },
      { id: 8, name: 'qSyncIO0' },
    ],
    ...operandTableOf(['src=float32@0x0[1,0,0][512,1,1] dst=float32@0x800[1,0,0][512,1,1] 512*128'], machineFor('trn2')).table,
    files: [{ path: '/kernels/tiled.py', text: SOURCE, sha256: '0'.repeat(64) }],
    inputs: [{ name: 'a', shape: [1024, 512], dtype: 'float32' }],
    outputs: [{ name: 'out', shape: [1024, 512], dtype: 'float32' }],
    checks: [],
    accuracy: 'Synthetic: for tests only.',
    machine: {
      instanceType: 'trn2',
      generation: 'v3',
      peakFlops: 79e12,
      hbmBytesPerSecond: 716e9,
      dmaBytesPerSecond: 435e9,
      dmaEngines: 16,
      baseClockGhz: 1.2,
      sbufBytesPerPartition: machineFor('trn2').sbufBytesPerPartition.value,
      psumBytesPerPartition: 16384,
    },
    instructions: {
      readyNs,
      startNs,
      endNs,
      track,
      opcode: column(instructions, i => track[i], Uint16Array),
      frame: column(instructions, () => Math.floor(next() * lines.length), Uint32Array),
      iteration: column(instructions, () => Math.floor(next() * 9) - 1, Int32Array),
      stall,
      blocker: column(instructions, i => (stall[i] && i > 0 ? Math.floor(next() * i) : -1), Int32Array),
      origin: column(instructions, i => i, Int32Array),
      flops: column(instructions, i => (track[i] === 1 ? 2 * 128 * 128 * 512 : 0), Float32Array),
      operands: new Uint32Array(instructions),
      signal: column(instructions, i => (i % 3 ? 255 : 0), Uint8Array),
    },
    waits: {
      instruction: column(Math.floor(instructions / 2), i => 2 * i, Uint32Array),
      semaphore: column(Math.floor(instructions / 2), i => i % 2, Uint8Array),
      value: column(Math.floor(instructions / 2), i => i, Uint32Array),
    },
    transfers: {
      readyNs: tReady,
      startNs: tStart,
      endNs: tEnd,
      doneNs: tEnd.map(t => t + 300),
      track: tTrack,
      frame: column(transfers, i => (i % 2 ? 3 : 1), Uint32Array),
      iteration: column(transfers, i => i % 8, Int32Array),
      stall: column(transfers, () => 5, Uint8Array),
      blocker: new Int32Array(transfers).fill(-1),
      origin: column(transfers, i => i, Int32Array),
      trigger: column(transfers, () => Math.floor(next() * instructions), Int32Array),
      bytes: new Float64Array(transfers).fill(128 * 512 * 4),
      packets: new Uint32Array(transfers).fill(128),
      engines: new Uint16Array(transfers).fill(0xffff),
      variable: column(transfers, i => (i % 2 ? 3 : 2), Uint32Array),
      direction: column(transfers, i => i % 2, Uint8Array),
    },
    dmaSlices: {
      startNs: column(slices, i => tStart[sliceOrder[i >> 4]], Float64Array),
      endNs: column(slices, i => tEnd[sliceOrder[i >> 4]], Float64Array),
      engine: column(slices, i => i & 15, Uint8Array),
      transfer: column(slices, i => sliceOrder[i >> 4], Uint32Array),
      bytes: new Float32Array(slices).fill((128 * 512 * 4) / 16),
    },
    allocations: {
      startNs: Float64Array.of(0, 1000),
      endNs: Float64Array.of(span / 2, span),
      space: Uint8Array.of(1, 2),
      addressBytes: Uint32Array.of(0, 0),
      sizeBytes: Uint32Array.of(2048, 2048),
      partitionStart: Uint16Array.of(0, 0),
      partitions: Uint16Array.of(128, 128),
      name: Uint32Array.of(4, 4),
      frame: Uint32Array.of(0, 0),
    },
    frames: {
      parent: new Int32Array(lines.length).fill(-1),
      file: new Uint32Array(lines.length),
      line: Uint32Array.from(lines),
      function: new Uint32Array(lines.length),
    },
    iterations: {
      parent: new Int32Array(8).fill(-1),
      name: new Uint32Array(8).fill(1),
      value: Int32Array.from({ length: 8 }, (_, i) => i),
      line: new Uint32Array(8).fill(9),
    },
  };
}

/** With times as the simulator makes them: in steps of the profile's clock. */
export function onTheClock(profile: Profile): Profile {
  const clock = new ProfileClock(0);
  const stepped = <T extends object>(group: T): T =>
    Object.fromEntries(
      Object.entries(group).map(([name, column]) => [name, name.endsWith('Ns') ? clock.move(column.slice()) : column]),
    ) as T;
  const { instructions, transfers, dmaSlices } = profile;
  return { ...profile, instructions: stepped(instructions), transfers: stepped(transfers), dmaSlices: stepped(dmaSlices) };
}
