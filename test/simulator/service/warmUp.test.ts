/** What a waiting worker does again, and that nobody notices. */
import assert from 'node:assert/strict';
import { Interrupt } from '../../../src/simulator/frontend/interrupt';
import { encodeProgram } from '../../../src/simulator/program/codec';
import { CaptureThreads } from '../../../src/simulator/service/captureThreads';
import { runWarmUp, warmUpOf } from '../../../src/simulator/service/warmUp';
import { simulatorBackend } from '../../../src/simulator/session/simulatorBackend';
import { taskOf } from '../../support/captureTask';
import { copyProgram, FakeBackend, floats, runCopy, session } from '../../support/hostSession';
import { temporaryFolder } from '../../support/temporary';

/** Rows of three floats: more than a waiting worker shall keep. */
const MANY_ROWS = 2 ** 22;

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
    const backend = new FakeBackend();
    runWarmUp(warmUp, backend, new Interrupt());
    assert.deepEqual(
      backend.simulated.map(program => program.kernel),
      Array(3).fill(copyProgram().kernel),
    );
    assert.equal(backend.executions, 3);
  });

  it('computes no values where the call had none', () => {
    const backend = new FakeBackend();
    runWarmUp(warmUpOf(ranSession('off').host)!, backend, new Interrupt());
    assert.deepEqual([backend.simulated.length, backend.executions], [3, 0]);
  });

  it('ends with the time in which it is interrupted', () => {
    const interrupt = new Interrupt();
    const backend = new FakeBackend();
    const { simulate } = backend;
    backend.simulate = (...of) => {
      interrupt.stop('cancelled');
      return simulate(...of);
    };
    runWarmUp(warmUpOf(ranSession('on').host)!, backend, interrupt);
    assert.equal(backend.simulated.length, 1);
    runWarmUp(warmUpOf(ranSession('on').host)!, backend, interrupt);
    assert.equal(backend.simulated.length, 1);
  });

  it('is none of a session without kernels, of slow ones and of large ones', () => {
    assert.equal(warmUpOf(session().host), null);
    const slow = ranSession('on').host;
    slow.firstCall!.simulateMs = 1000;
    assert.equal(warmUpOf(slow), null);
    const large = session();
    const { ok } = large.call({
      call: 'array.op',
      op: 'fill',
      operands: [],
      attributes: { value: 0 },
      dtype: 'float32',
      shape: [MANY_ROWS, 3],
    });
    const run = large.call({ call: 'run', inputs: [ok?.array] }, encodeProgram(copyProgram(MANY_ROWS)));
    assert.equal(run.error, undefined);
    assert.equal(warmUpOf(large.host), null);
  });

  it('says nothing of what goes wrong', () => {
    const backend = new FakeBackend();
    backend.simulate = () => {
      throw new Error('no');
    };
    const warmUp = warmUpOf(ranSession('on').host)!;
    runWarmUp(warmUp, backend, new Interrupt());
    runWarmUp({ ...warmUp, payload: floats(1, 2, 3) }, new FakeBackend(), new Interrupt());
  });

  it('leaves nothing that the next run could meet', () => {
    const run = () => {
      const s = session({ backend: simulatorBackend, request: { file: '/w/k.py', root: '/w', numerics: 'on' } });
      runCopy(s);
      return s.host;
    };
    const before = run();
    runWarmUp(warmUpOf(before)!, simulatorBackend, new Interrupt());
    assert.deepEqual(run().results(), before.results());
  });
});
