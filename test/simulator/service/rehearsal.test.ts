/** What a waiting worker does again, and that nobody notices. */
import assert from 'node:assert/strict';
import { Interrupt } from '../../../src/simulator/frontend/interrupt';
import { simulatorRooms } from '../../../src/simulator/frontend/simulatorRooms';
import { encodeProgram } from '../../../src/simulator/program/codec';
import { CaptureThreads } from '../../../src/simulator/service/captureThreads';
import { rehearsalOf, rehearse } from '../../../src/simulator/service/rehearsal';
import { taskOf } from '../../support/captureTask';
import { copyProgram, FakeRooms, floats, runCopy, session } from '../../support/hostSession';
import { temporaryFolder } from '../../support/temporary';

/** Rows of three floats: more than a waiting worker shall keep. */
const MANY_ROWS = 2 ** 22;

function ranSession(numerics: 'on' | 'off', rooms = new FakeRooms()) {
  const s = session({ request: { file: '/w/k.py', root: '/w', numerics, pipeline: 'literal', dge: 'off' } }, rooms);
  runCopy(s);
  return s;
}

/** A worker that prints its process' rehearsals instead of doing them: whose, and whether they were interrupted. */
const WORKER = `import { parentPort, workerData } from 'node:worker_threads';
const { rehearsal } = workerData;
const isInterrupted = () => rehearsal && new Uint8Array(rehearsal.interrupt)[1] > 0;
parentPort.postMessage({ type: 'ready' });
parentPort.once('message', ({ request }) => {
  const text = rehearsal ? [rehearsal.of.kernel, isInterrupted()].join(' ') : 'none';
  parentPort.postMessage({ type: 'output', text, stream: 'stdout' });
  parentPort.postMessage({ type: 'rehearsal', rehearsal: request.kernel ? { kernel: request.kernel } : null });
  parentPort.postMessage({ type: 'result', result: { runs: [], kernels: [], error: null, timingsMs: {} } });
});
`;

describe('rehearsal', () => {
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
    const rehearsal = structuredClone(rehearsalOf(s.host))!;
    assert.deepEqual(rehearsal.request, { numerics: 'on', pipeline: 'literal', dge: 'off' });
    assert.deepEqual(
      rehearsal.inputs.map(({ dtype, shape }) => [dtype, shape]),
      [['float32', [2, 3]]],
    );
    const rooms = new FakeRooms();
    rehearse(rehearsal, rooms, new Interrupt());
    assert.deepEqual(
      rooms.simulated.map(program => program.kernel),
      Array(3).fill(copyProgram().kernel),
    );
    assert.equal(rooms.executions, 3);
  });

  it('computes no values where the call had none', () => {
    const rooms = new FakeRooms();
    rehearse(rehearsalOf(ranSession('off').host)!, rooms, new Interrupt());
    assert.deepEqual([rooms.simulated.length, rooms.executions], [3, 0]);
  });

  it('ends with the time in which it is interrupted', () => {
    const interrupt = new Interrupt();
    const rooms = new FakeRooms();
    const { simulate } = rooms;
    rooms.simulate = (...of) => {
      interrupt.stop('cancelled');
      return simulate(...of);
    };
    rehearse(rehearsalOf(ranSession('on').host)!, rooms, interrupt);
    assert.equal(rooms.simulated.length, 1);
    rehearse(rehearsalOf(ranSession('on').host)!, rooms, interrupt);
    assert.equal(rooms.simulated.length, 1);
  });

  it('is none of a session without kernels, of slow ones and of large ones', () => {
    assert.equal(rehearsalOf(session().host), null);
    const slow = ranSession('on').host;
    slow.firstCall!.simulateMs = 1000;
    assert.equal(rehearsalOf(slow), null);
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
    assert.equal(rehearsalOf(large.host), null);
  });

  it('says nothing of what goes wrong', () => {
    const rooms = new FakeRooms();
    rooms.simulate = () => {
      throw new Error('no');
    };
    const rehearsal = rehearsalOf(ranSession('on').host)!;
    rehearse(rehearsal, rooms, new Interrupt());
    rehearse({ ...rehearsal, payload: floats(1, 2, 3) }, new FakeRooms(), new Interrupt());
  });

  it('leaves nothing that the next run could meet', () => {
    const run = () => {
      const s = session({ rooms: simulatorRooms, request: { file: '/w/k.py', root: '/w', numerics: 'on' } });
      runCopy(s);
      return s.host;
    };
    const before = run();
    rehearse(rehearsalOf(before)!, simulatorRooms, new Interrupt());
    assert.deepEqual(run().results(), before.results());
  });
});
