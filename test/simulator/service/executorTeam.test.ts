/** Threads that compute values of ranks: the very numbers of one thread, and where one fails, ends or is to stop, the caller does it all. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { Interrupt } from '../../../src/simulator/frontend/interrupt';
import { DEFAULT_MACHINE } from '../../../src/simulator/hardware/machines';
import { matchCollectives } from '../../../src/simulator/program/matchCollectives';
import { CaptureThreads } from '../../../src/simulator/service/captureThreads';
import { type ValueRound, WORD_BYTES } from '../../../src/simulator/service/executorMessages';
import { ExecutorTeam } from '../../../src/simulator/service/executorTeam';
import type { ThreadSource, ThreadsWanted } from '../../../src/simulator/service/lentThreads';
import { SharedCopies } from '../../../src/simulator/service/sharedCopies';
import { startThread } from '../../../src/simulator/service/thread';
import { GONE, STATE_BYTES, type ThreadPort, type ThreadSetup } from '../../../src/simulator/service/threadMessages';
import { RunError } from '../../../src/simulator/session/backend';
import { simulatorBackend } from '../../../src/simulator/session/simulatorBackend';
import { taskOf } from '../../support/captureTask';
import { testDist } from '../../support/dist';
import { ProgramBuilder } from '../../support/programs';
import { assertSameBits, type RankOfMix, randomRanks } from '../../support/rankMixes';
import { temporaryFolder } from '../../support/temporary';

/** Threads that were started before: this one cannot start any while it waits. */
class Threads implements ThreadSource {
  readonly said: string[] = [];
  wanted: ThreadsWanted | null = null;
  private readonly workers: Worker[] = [];
  private readonly ports: ThreadPort[] = [];

  constructor(dist: string, count: number) {
    for (let k = 0; k < count; k++) {
      const { port1, port2 } = new MessageChannel();
      const state = new SharedArrayBuffer(STATE_BYTES);
      // broken ones of tests say themselves that they end: the main thread, which would, waits in these tests
      const workerData: ThreadSetup & { state: SharedArrayBuffer } = { dist, port: port1, state };
      const worker = startThread(dist, 'executor.mjs', { workerData, transferList: [port1] });
      worker.once('error', () => {});
      this.workers.push(worker);
      this.ports.push({ kind: 'executor', port: port2, state });
    }
  }

  take(_kind: 'executor', wanted: ThreadsWanted) {
    this.said.push('take');
    this.wanted = wanted;
    return this.ports.slice(0, Math.min(wanted.most, this.ports.length));
  }

  done() {
    this.said.push('done');
  }

  end() {
    this.said.push('end');
  }

  async dispose() {
    await Promise.all(this.workers.map(worker => worker.terminate()));
    for (const { port } of this.ports) port.close();
  }
}

/** An index that is out of bounds in a rank's second turn. */
const astray = (rank: number, turn: number, b: ProgramBuilder) => {
  if (rank !== 1 || turn !== 1) return;
  const small = b.sbuf('small', [4, 4]);
  b.record(
    'nki.isa.memset',
    {
      dst: small.ap([
        [4, 4],
        [1, 9],
      ]),
    },
    { value: 1 },
    { line: 77 },
  );
};

describe('executor team', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const all: Threads[] = [];
  const interrupt = () => new Interrupt();
  let dist = '';

  before(async () => {
    dist = await testDist();
  });
  after(() => Promise.all(all.map(threads => threads.dispose())));

  function started(count: number, from = dist): Threads {
    const threads = new Threads(from, count);
    all.push(threads);
    return threads;
  }

  const request = { file: '', root: '', recorders: 8 };
  const execute = (ranks: readonly RankOfMix[], team?: ExecutorTeam) =>
    simulatorBackend.executeRanks(ranks, { machine: DEFAULT_MACHINE, shouldStop: () => false, ...(team && { executors: team }) });
  const inTeam = (ranks: readonly RankOfMix[], team: ExecutorTeam) =>
    team.execute(ranks, matchCollectives(ranks.map(({ program }) => program)), DEFAULT_MACHINE);

  it('computes the values of one thread, whatever ranks do, by any number of threads, one call after another', () => {
    for (const count of [2, 3]) {
      const threads = started(count);
      const team = new ExecutorTeam({ request, interrupt: interrupt(), threads });
      fc.assert(
        fc.property(fc.nat(), fc.integer({ min: 2, max: 6 }), (seed, ranks) => {
          const mix = randomRanks(seed, { ranks, length: 6 });
          const values = inTeam(mix, team);
          assert.ok(values);
          assertSameBits(values, execute(mix));
        }),
        { seed: 20 + count, numRuns: 25 },
      );
      assert.deepEqual([...new Set(threads.said)], ['take', 'done']);
    }
  });

  it('shares what ranks have in common, and leaves the arrays of the caller as they are', () => {
    const [one, other] = randomRanks(8, { ranks: 2, length: 3 });
    const same = new Float32Array(one.inputs.get(0) as Float32Array);
    const ranks = [one, other].map(rank => ({ ...rank, inputs: new Map([...rank.inputs, [0, same] as const]) }));
    const threads = started(2);
    assertSameBits(execute(ranks, new ExecutorTeam({ request, interrupt: interrupt(), threads })), execute(ranks));
    assert.deepEqual(threads.said, ['take', 'done']);
    assert.deepEqual(same, one.inputs.get(0));
    const bytes = (of: readonly RankOfMix[]) => {
      inTeam(of, new ExecutorTeam({ request, interrupt: interrupt(), threads }));
      return threads.wanted!.togetherMb! * 2 ** 20;
    };
    const twice = bytes([one, other].map(rank => ({ ...rank, inputs: new Map([...rank.inputs, [0, same.slice()] as const]) })));
    assert.equal(twice - bytes(ranks), same.byteLength);
  });

  it('tells errors as one thread does: the rank, its line and the message', () => {
    const mix = randomRanks(11, { ranks: 4, length: 5, more: astray });
    const errorOf = (team?: ExecutorTeam) => {
      try {
        execute(mix, team);
      } catch (error) {
        assert.ok(error instanceof RunError);
        return { kind: error.kind, message: error.message, position: error.position };
      }
      return assert.fail('no error');
    };
    const alone = errorOf();
    assert.match(alone.message, /^rank 1: the access to small reaches elements 0 to 20/);
    assert.equal(alone.position?.line, 77);
    const threads = started(3);
    assert.deepEqual(errorOf(new ExecutorTeam({ request, interrupt: interrupt(), threads })), alone);
    assert.deepEqual(threads.said, ['take', 'end']);
  });

  it('tells errors of an exchange as one thread does', () => {
    const chunks = (): RankOfMix[] =>
      [0, 1].map(rank => {
        const b = new ProgramBuilder({ target: 'trn2' });
        const src = b.hbm('src', [4, 4], 'float32', 'input');
        const metadata = b.hbm('metadata', [3, 2], 'uint32', 'input');
        const dst = b.hbm('dst', [4, 4], 'float32', 'output');
        const attributes = { replica_group: [[0, 1]], has_rdispls: false, recv_counts_known: true };
        b.record('nki.collectives.all_gather_v', { dst, metadata, src }, attributes, { line: 5 + rank });
        const counts = Uint32Array.of(rank === 1 ? 17 : 8, 0, 0, 0, 0, 0);
        return {
          program: b.finish(),
          inputs: new Map<number, Float32Array | Uint32Array>([
            [src.index, new Float32Array(16)],
            [metadata.index, counts],
          ]),
          wanted: [dst.index],
        };
      });
    const message = /^RunError: rank 0: nki.collectives.all_gather_v: a chunk of 17 elements at 0 of src \(16\) of rank 1 does not fit$/;
    assert.throws(() => execute(chunks()), message);
    const threads = started(2);
    assert.throws(() => execute(chunks(), new ExecutorTeam({ request, interrupt: interrupt(), threads })), message);
    assert.deepEqual(threads.said, ['take', 'end']);
  });

  it('leaves all to the caller when a thread ends: before it has begun, in the middle, or while others wait for it', () => {
    const mix = randomRanks(4, { ranks: 4, length: 6 });
    const end = `Atomics.store(new Int32Array(workerData.state), ${GONE}, 1); process.exit();`;
    const head = "import { workerData } from 'node:worker_threads';";
    const afterMessages = (count: number) => `${head}
const post = workerData.port.postMessage.bind(workerData.port);
let left = ${count};
workerData.port.postMessage = (...message) => {
  if (left-- === 0) { ${end} }
  post(...message);
};
await import(${JSON.stringify(pathToFileURL(path.join(dist, 'executor.mjs')).href)});`;
    const texts = { early: `${head}${end}`, first: afterMessages(0), middle: afterMessages(5) };
    for (const [name, text] of Object.entries(texts)) {
      folder.write(`${name}/executor.mjs`, text);
      const threads = started(2, folder.path(name));
      assertSameBits(execute(mix, new ExecutorTeam({ request, interrupt: interrupt(), threads })), execute(mix));
      assert.deepEqual(threads.said, ['take', 'end'], name);
    }
  });

  /** Would take minutes. */
  function longRank(): RankOfMix {
    const b = new ProgramBuilder({ target: 'trn2' });
    const tile = b.sbuf('tile', [128, 4096]);
    const y = b.hbm('y', [128, 4096], 'float32', 'output');
    b.loop('i', 50_000, () => b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'tanh' }));
    b.record('nki.isa.dma_copy', { dst: y, src: tile });
    return { program: b.finish(), inputs: new Map(), wanted: [y.index] };
  }

  it('stops at once when the capture is stopped', async () => {
    const long = longRank();
    const stopping = interrupt();
    const threads = started(2);
    const stopper = new Worker(
      `const { workerData } = require('node:worker_threads');
setTimeout(() => Atomics.store(new Uint8Array(workerData), 1, 1), 400);`,
      { eval: true, workerData: stopping.shared },
    );
    assert.equal(inTeam([long, long], new ExecutorTeam({ request, interrupt: stopping, threads })), null);
    assert.deepEqual(threads.said, ['take', 'end']);
    await stopper.terminate();
  });

  it('has threads that stop by themselves', async () => {
    const { program, wanted } = longRank();
    const stopping = interrupt();
    const [{ port }] = started(1).take('executor', { most: 1, eachMb: 1 });
    const word = () => new SharedArrayBuffer(WORD_BYTES);
    port.postMessage({
      ranks: [{ rank: 0, program: new SharedCopies().ofProgram(program), inputs: new Map(), wanted, collectives: [] }],
      machine: DEFAULT_MACHINE,
      interrupt: stopping.shared,
      toWorker: word(),
      toThread: word(),
    } satisfies ValueRound);
    const answer = new Promise(resolve => port.once('message', resolve));
    setTimeout(() => stopping.stop('cancelled'), 400);
    assert.deepEqual(await answer, { type: 'failed' });
  });

  it('leaves little work, one rank, and a run without threads to the caller; asks for threads where there is much', () => {
    const mix = randomRanks(2, { ranks: 3, length: 2 });
    const threads = started(0);
    for (const [own, ranks] of [
      [{ recorders: undefined }, mix],
      [{ recorders: 0 }, mix],
      [{ recorders: 1 }, mix],
      [{}, mix.slice(0, 1)],
    ] as const)
      assert.equal(
        new ExecutorTeam({ request: { ...request, ...own }, interrupt: interrupt(), threads }).execute(ranks, [], DEFAULT_MACHINE),
        null,
      );
    assert.deepEqual(threads.said, []);
    const long = longRank();
    const unsaid = new ExecutorTeam({ request: { ...request, recorders: undefined }, interrupt: interrupt(), threads });
    assert.equal(unsaid.execute([long, long], [], DEFAULT_MACHINE), null);
    assert.deepEqual(threads.said, ['take']);
  });
});

const KERNEL = `import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl


@nki.jit
def total(x):
    src = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    dst = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=src, src=x)
    ncc.all_reduce([src], [dst], ncc.ReplicaGroup([[0, 1, 2]]), nl.add)
    nisa.dma_copy(dst=out, src=dst)
    return out
`;

describe('executors of a capture', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  /** A build whose executors say that they were started, and then do what `text` does. */
  async function capture(name: string, text: (real: string) => string, recorders: number) {
    const dist = await testDist();
    const own = folder.path(name);
    fs.mkdirSync(own, { recursive: true });
    for (const entry of fs.readdirSync(dist)) if (entry !== 'executor.mjs') fs.symlinkSync(path.join(dist, entry), path.join(own, entry));
    const real = pathToFileURL(path.join(dist, 'executor.mjs')).href;
    const started = path.join(own, 'started');
    fs.writeFileSync(started, '');
    folder.write(`${name}/executor.mjs`, `import fs from 'node:fs'; fs.appendFileSync(${JSON.stringify(started)}, 'x'); ${text(real)}`);
    const file = folder.write('kernel.py', KERNEL);
    const request = {
      file,
      root: folder.path(),
      kernel: 'total',
      args: { x: 'fp32[4,8]' },
      fill: 'random' as const,
      numerics: 'on' as const,
    };
    const threads = new CaptureThreads({ dist: own, keepSpare: false, saveProfile: async () => '' });
    try {
      const { error, runs } = await threads.capture(taskOf({ ...request, ranks: 3, recorders }));
      assert.equal(error, null);
      assert.equal(runs.length, 3);
      return { outputs: runs.map(({ outputs }) => outputs), started: fs.readFileSync(started, 'utf8').length };
    } finally {
      threads.dispose();
    }
  }

  it('are started by the main thread, and where they end at once the worker computes by itself', async () => {
    const works = (real: string) => `await import(${JSON.stringify(real)});`;
    const alone = await capture('alone', works, 0);
    const together = await capture('together', works, 2);
    const dying = await capture('dying', () => 'process.exit();', 2);
    const failing = await capture('failing', () => 'throw new Error("no thread");', 2);
    assert.deepEqual([alone.started, together.started], [0, 2]);
    // the other one may not have got so far when the first has ended
    for (const { started } of [dying, failing]) assert.ok(started >= 1);
    for (const each of [together, dying, failing]) assert.deepEqual(each.outputs, alone.outputs);
    assert.ok(alone.outputs.every(([{ checksum }]) => checksum !== null));
  });
});
