/** What a waiting worker runs again, when, and that it has no effect on the next run. */
import assert from 'node:assert/strict';
import { Interrupt } from '../../../src/simulator/frontend/interrupt';
import { encodeProgram } from '../../../src/simulator/program/codec';
import { CaptureThreads } from '../../../src/simulator/service/captureThreads';
import { runWarmUp, warmUpOf } from '../../../src/simulator/service/warmUp';
import { simulatorBackend } from '../../../src/simulator/session/simulatorBackend';
import { taskOf } from '../../support/captureTask';
import { copyProgram, FakeBackend, floats, runCopy, session } from '../../support/hostSession';
import { temporaryFolder } from '../../support/temporary';

/** Rows of three floats: input and output have more bytes than a waiting worker may keep. */
const MANY_ROWS = 2 ** 22;
/** Few enough for its memory; copied so often that the values take longer than they may. */
const FEWER_ROWS = 2 ** 20;
const MANY_COPIES = 30;

/** A backend that also holds what it is given to execute, and counts the outputs that are reported. */
class ObservedBackend extends FakeBackend {
  inputs: number[][] = [];
  checksums = 0;

  constructor() {
    super();
    const { execute, checksum } = this;
    this.execute = (program, inputs, wanted, ...rest) => {
      this.inputs.push([...inputs.values()].flatMap(values => Array.from(values)));
      return execute(program, inputs, wanted, ...rest);
    };
    this.checksum = (...of) => {
      this.checksums++;
      return checksum(...of);
    };
  }
}

/** A session without values whose kernel has inputs of so many rows of three floats. */
function largeSession(rows: number, copies = 1) {
  const s = session();
  const fill = { call: 'array.op', op: 'fill', operands: [], attributes: { value: 0 }, dtype: 'float32', shape: [rows, 3] };
  const run = s.call({ call: 'run', inputs: [s.call(fill).ok?.array] }, encodeProgram(copyProgram(rows, copies)));
  assert.equal(run.error, undefined);
  return s.host;
}

function ranSession(numerics: 'on' | 'off', backend = new FakeBackend()) {
  const s = session({ request: { file: '/w/k.py', root: '/w', numerics, pipeline: 'literal', dge: 'off' } }, backend);
  runCopy(s);
  return s;
}

/** A worker that prints its process' warm-ups instead of doing them: whose, and whether they were interrupted. */
const WORKER = `import { parentPort, workerData } from 'node:worker_threads';
const { warmUp } = workerData;
const isInterrupted = () => warmUp && new Uint8Array(warmUp.interrupt)[1] > 0;
parentPort.postMessage({ type: 'ready' });
parentPort.once('message', ({ request }) => {
  const text = warmUp ? [warmUp.of.kernel, isInterrupted()].join(' ') : 'none';
  parentPort.postMessage({ type: 'output', text, stream: 'stdout' });
  parentPort.postMessage({ type: 'warmUp', warmUp: request.kernel ? { kernel: request.kernel } : null });
  parentPort.postMessage({ type: 'result', result: { runs: [], kernels: [], error: null, timingsMs: {} } });
});
`;

describe('warm-up', () => {
  const folder = temporaryFolder();

  it('goes from a worker to the next one that waits, which hears when it is asked', async () => {
    folder.write('worker.mjs', WORKER);
    const file = folder.write('kernel.py', '');
    const client = new CaptureThreads({ dist: folder.path(), keepSpare: false, saveProfile: async () => '' });
    const printed: string[] = [];
    try {
      for (const kernel of ['first', 'second', undefined, 'last']) {
        await client.capture(taskOf({ file, root: folder.path(), kernel }), { onOutput: text => printed.push(text) });
        client.warm();
      }
    } finally {
      client.dispose();
    }
    assert.deepEqual(printed, ['none', 'first true', 'second true', 'none']);
  });

  it('carries out the first kernel call three times, as it was asked for', () => {
    const s = ranSession('on');
    s.call({ call: 'run', inputs: [1] }, encodeProgram(copyProgram()));
    const warmUp = structuredClone(warmUpOf(s.host))!;
    assert.deepEqual(warmUp.request, { numerics: 'on', pipeline: 'literal', dge: 'off' });
    assert.deepEqual(
      warmUp.inputs.map(({ dtype, shape }) => [dtype, shape]),
      [['float32', [2, 3]]],
    );
    const backend = new ObservedBackend();
    runWarmUp(warmUp, backend, new Interrupt());
    assert.deepEqual(
      backend.simulated.map(program => program.kernel),
      Array(3).fill(copyProgram().kernel),
    );
    assert.deepEqual(backend.inputs, Array(3).fill(Array(6).fill(0)), 'inputs are zeros of the call’s shape');
    assert.ok(backend.checksums >= 3, 'outputs are reported as in a run');
  });

  it('holds the program of the call, and no more of the message that it came in', () => {
    const s = session();
    const program = encodeProgram(copyProgram());
    const message = new Uint8Array(program.length + 4096);
    message.set(program, 8);
    const { ok } = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 3] }, floats(1, 2, 3, 4, 5, 6));
    s.call({ call: 'run', inputs: [ok?.array] }, message.subarray(8, 8 + program.length));
    const { payload } = warmUpOf(s.host)!;
    assert.deepEqual(payload, program);
    assert.equal(payload.buffer.byteLength, program.length);
  });

  it('computes no values where the call had none', () => {
    const backend = new FakeBackend();
    runWarmUp(warmUpOf(ranSession('off').host)!, backend, new Interrupt());
    assert.deepEqual([backend.simulated.length, backend.executions], [3, 0]);
  });

  it('ends with the time in which it is interrupted', () => {
    const interrupt = new Interrupt();
    const backend = new ObservedBackend();
    const { simulate } = backend;
    backend.simulate = (...of) => {
      interrupt.stop('cancelled');
      return simulate(...of);
    };
    runWarmUp(warmUpOf(ranSession('on').host)!, backend, interrupt);
    assert.equal(backend.simulated.length, 1);
    runWarmUp(warmUpOf(ranSession('on').host)!, backend, interrupt);
    assert.equal(backend.simulated.length, 1);
    assert.equal(backend.checksums, 0, 'nothing is reported of a run that was interrupted');
  });

  it('is none of a session without kernels, of slow ones, of large ones and of those whose values take long', () => {
    assert.equal(warmUpOf(session().host), null);
    const slow = ranSession('on').host;
    assert.notEqual(warmUpOf(slow), null);
    slow.firstCall!.simulateMs = 1000;
    assert.equal(warmUpOf(slow), null);
    assert.equal(warmUpOf(largeSession(MANY_ROWS)), null);
    assert.notEqual(warmUpOf(largeSession(FEWER_ROWS)), null);
    assert.equal(warmUpOf(largeSession(FEWER_ROWS, MANY_COPIES)), null);
  });

  it('throws nothing when the simulator or the program fails', () => {
    const backend = new FakeBackend();
    let tries = 0;
    backend.simulate = () => {
      tries++;
      throw new Error('no');
    };
    const warmUp = warmUpOf(ranSession('on').host)!;
    runWarmUp(warmUp, backend, new Interrupt());
    assert.equal(tries, 3);
    const other = new FakeBackend();
    runWarmUp({ ...warmUp, payload: floats(1, 2, 3) }, other, new Interrupt());
    assert.equal(other.simulated.length, 0);
  });

  it('changes no result of the next run', () => {
    let simulations = 0;
    const backend: typeof simulatorBackend = {
      ...simulatorBackend,
      simulate: (...of) => {
        simulations++;
        return simulatorBackend.simulate(...of);
      },
    };
    const run = () => {
      const s = session({ backend, request: { file: '/w/k.py', root: '/w', numerics: 'on' } });
      runCopy(s);
      return s.host;
    };
    const before = run();
    runWarmUp(warmUpOf(before)!, backend, new Interrupt());
    assert.equal(simulations, 1 + 3);
    const results = before.results();
    assert.equal(results.length, 1);
    assert.deepEqual(run().results(), results);
  });
});
