import assert from 'node:assert/strict';
import { Interrupt } from '../../../src/simulator/frontend/interrupt';
import { bundledPaths } from '../../../src/simulator/frontend/paths';
import { encodeProgram } from '../../../src/simulator/program/codec';
import { RunError } from '../../../src/simulator/session/backend';
import { SaveError } from '../../../src/simulator/session/hostSession';
import { AUTO_LIMIT_MS, estimateMs } from '../../../src/simulator/session/numerics';
import { copyProgram, FakeBackend, floats, runCopy, session } from '../../support/hostSession';
import { ProgramBuilder } from '../../support/programs';

describe('host session', () => {
  it('tells the job with the interpreter’s paths', () => {
    const request = { file: 'C:\\w\\k.py', root: 'C:\\w', overlay: { 'C:\\w\\k.py': 'x = 1' }, argv: ['a'] };
    const { ok } = session({ request, paths: bundledPaths('win32'), target: 'trn1' }).call({ call: 'job' });
    assert.equal(ok?.file, '/c/w/k.py');
    assert.deepEqual(ok?.overlay, { '/c/w/k.py': 'x = 1' });
    assert.deepEqual([ok?.root, ok?.target, ok?.targetIsGiven, ok?.argv, ok?.kernel], ['/c/w', 'trn1', false, ['a'], null]);
  });

  it('times a program at once and computes values when asked, once', () => {
    const s = session();
    const { run, output } = runCopy(s);
    assert.equal(s.backend.simulated.length, 1);
    assert.equal(s.backend.executions, 0);
    assert.ok((run.totalTimeNs as number) > 0 && (run.bodyNs as number) > 0);
    assert.deepEqual([...new Float32Array(s.call({ call: 'array.get', array: output }).payload!.slice().buffer)], [2, 4, 6, 8, 10, 12]);
    s.call({ call: 'array.get', array: output });
    assert.equal(s.backend.executions, 1);
  });

  it('keeps what an output needs, though the script frees its arrays', () => {
    const s = session();
    const { output, input } = runCopy(s);
    s.call({ call: 'array.free', array: input });
    s.call({ call: 'array.free', array: output });
    assert.deepEqual(s.host.results()[0].outputs, [{ name: 'y', shape: [2, 3], dtype: 'float32', checksum: 'float32:2,4,6,8,10,12' }]);
  });

  it('feeds an output into the next run', () => {
    const s = session();
    const { output } = runCopy(s);
    const { ok } = s.call({ call: 'run', inputs: [output] }, encodeProgram(copyProgram()));
    const values = s.call({ call: 'array.get', array: (ok!.outputs as number[])[0] }).payload!;
    assert.deepEqual([...new Float32Array(values.slice().buffer)], [4, 8, 12, 16, 20, 24]);
  });

  describe('numerics', () => {
    const checksum = (s: ReturnType<typeof session>) => s.host.results()[0].outputs[0].checksum;

    it('on: values always', () => {
      const s = session({ request: { file: '', root: '', numerics: 'on' } });
      runCopy(s);
      assert.equal(s.backend.executions, 1);
      assert.notEqual(checksum(s), null);
    });

    it('off: none, and asking for them is an error that says so', () => {
      const s = session({ request: { file: '', root: '', numerics: 'off' } });
      const { output } = runCopy(s);
      assert.match(s.call({ call: 'array.get', array: output }).error!.message, /numerics are off/);
      assert.equal(checksum(s), null);
      assert.equal(s.backend.executions, 0);
      assert.equal(s.host.fault, null);
    });

    it('auto: when the program is small', () => {
      const s = session();
      runCopy(s);
      assert.notEqual(checksum(s), null);
    });

    it('auto: not when it is large', () => {
      const s = session();
      const rows = AUTO_LIMIT_MS * 1e6;
      const { ok } = s.call({ call: 'array.op', op: 'fill', operands: [], attributes: { value: 0 }, dtype: 'float32', shape: [rows, 3] });
      assert.equal(s.call({ call: 'run', inputs: [ok?.array] }, encodeProgram(copyProgram(rows))).error, undefined);
      assert.equal(checksum(s), null);
      assert.equal(s.backend.executions, 0);
    });

    it('estimates a matmul by K·M·N, not by its operands', () => {
      const matmul = (k: number, m: number, n: number) => {
        const b = new ProgramBuilder({ target: 'trn2' });
        const [stationary, moving] = [b.sbuf('s', [k, m], 'float32'), b.sbuf('v', [k, n], 'float32')];
        b.record('nki.isa.nc_matmul', { dst: b.psum('d', [m, n], 'float32'), stationary, moving }, {}, { line: 1 });
        return estimateMs(b.finish());
      };
      const perInstruction = matmul(1, 1, 1);
      const ratio = (matmul(128, 128, 512) - perInstruction) / (matmul(128, 64, 256) - perInstruction);
      assert.ok(Math.abs(ratio - 4) < 0.01, `${ratio}`);
    });
  });

  it('stops at the instruction limit', () => {
    const s = session();
    assert.equal(s.call({ call: 'progress', instructions: 1000 }).error, undefined);
    assert.equal(s.call({ call: 'progress', instructions: 1001 }).error?.kind, 'Limit');
  });

  it('gives the last call’s profile, and answers questions about profiles', () => {
    const s = session();
    assert.match(s.call({ call: 'profile', rank: 0 }).error!.message, /no rank 0/);
    const { run } = runCopy(s);
    const { payload } = s.call({ call: 'profile', rank: 0 });
    const { ok } = s.call({ call: 'ask', about: 'summary' }, payload);
    assert.equal(ok!.total_ns, run.totalTimeNs);
    const file = s.call({ call: 'ask', about: 'file' }, payload).payload!;
    assert.deepEqual(s.call({ call: 'ask', about: 'read' }, file).payload, payload);
    const asked = (given: object) => s.call({ call: 'ask', about: 'budget', given } as never, payload);
    assert.deepEqual(asked({ maxUs: 1e9 }).ok!.faults, []);
    assert.equal((asked({ maxUs: 0 }).ok!.faults as { rule: string }[])[0].rule, 'over-budget');
    assert.match(asked({ maxUs: 'much' }).error!.message, /"maxUs" must be a number/);
    assert.match(s.call({ call: 'ask', about: 'constructor' }, payload).error!.message, /nothing is known/);
    assert.match(s.call({ call: 'ask', about: 'summary' }, payload!.subarray(9)).error!.kind, /FormatError/);
  });

  it('keeps only the last call’s run where scripts call kernels without end, and its outputs as long as the script', () => {
    const s = session({ keepsRuns: false });
    const first = runCopy(s);
    assert.equal(runCopy(s).run.run, (first.run.run as number) + 1);
    assert.equal(s.host.runs.length, 1);
    const { payload } = s.call({ call: 'array.get', array: first.output });
    assert.deepEqual([...new Float32Array(payload!.slice().buffer)], [2, 4, 6, 8, 10, 12]);
  });

  it('saves the last profile under the trace’s name, or says why not', () => {
    const s = session();
    assert.match(s.call({ call: 'saveProfile', name: 't' }).error!.message, /no kernel has run/);
    runCopy(s);
    assert.equal(s.call({ call: 'saveProfile', name: 't' }).ok?.path, '/w/t.nkiprof');
    assert.equal(s.call({ call: 'saveProfile', name: 't', folder: '/p' }).ok?.path, '/p/t.nkiprof');
    assert.equal(s.call({ call: 'saveProfile', name: 't', rank: 0 }).ok?.path, '/w/t.nkiprof');
    assert.match(s.call({ call: 'saveProfile', name: 't', rank: 1 }).error!.message, /the last call has no rank 1/);
    const refusing = session({
      saveProfile: () => {
        throw new SaveError('not there');
      },
    });
    runCopy(refusing);
    assert.equal(refusing.call({ call: 'saveProfile', name: '../x' }).error?.message, 'not there');
  });

  it('gives an error of the backend to the script, and its position to the user', () => {
    const backend = new FakeBackend();
    backend.simulate = () => {
      throw new RunError('NkiValidationError', 'SBUF is full', { file: '/w/other.py', line: 42 });
    };
    const s = session({}, backend);
    const { ok } = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 3] }, floats(0, 0, 0, 0, 0, 0));
    assert.equal(s.call({ call: 'run', inputs: [ok?.array] }, encodeProgram(copyProgram())).error?.message, 'SBUF is full');
    const error = { kind: 'NkiValidationError', message: 'SBUF is full', file: '/w/k.py', line: 1, traceback: null };
    s.call({ call: 'done', error, kernels: [] });
    assert.deepEqual(s.host.userError(), { ...error, file: '/w/other.py', line: 42 });
    assert.equal(s.host.fault, null);
  });

  it('says how far the recording of a call that was stopped had come', () => {
    const s = session({});
    s.call({ call: 'progress', instructions: 12288 });
    s.call({ call: 'done', error: { kind: 'Cancelled', message: 'stopped', file: '/w/k.py', line: 7, traceback: null }, kernels: [] });
    assert.equal(s.host.userError()?.message, 'stopped, 12,288 instructions into the kernel');
  });

  it('turns an interrupt by time into the limit, with the line', () => {
    const interrupt = new Interrupt();
    const s = session({ interrupt });
    interrupt.stop('time');
    interrupt.stop('cancelled');
    s.call({ call: 'done', error: { kind: 'Cancelled', message: '', file: '/w/k.py', line: 7, traceback: null }, kernels: [] });
    const error = s.host.userError();
    assert.deepEqual([error?.kind, error?.line], ['Limit', 7]);
    assert.match(error!.message, /longer than 5 s/);
  });

  it('keeps values that cannot be computed after the script as the error', () => {
    const backend = new FakeBackend();
    backend.execute = () => {
      throw new RunError('ExecutionError', 'cannot');
    };
    const s = session({}, backend);
    runCopy(s);
    s.call({ call: 'done', error: null, kernels: [] });
    assert.equal(s.host.results()[0].outputs[0].checksum, null);
    assert.equal(s.host.userError()?.message, 'cannot');
  });

  describe('hostile requests', () => {
    for (const header of [
      { call: 'nothing' },
      { call: 'constructor' },
      {},
      { call: 'array.get', array: 99 },
      { call: 'array.get', array: 'x' },
      { call: 'array.free' },
      { call: 'array.put', dtype: 'float32', shape: [-1] },
      { call: 'array.put', dtype: 'nothing', shape: [1] },
      { call: 'array.op', op: 'nothing', operands: [], attributes: {}, dtype: 'float32', shape: [1] },
    ])
      it(`answers ${JSON.stringify(header)} with an error of the user’s`, () => {
        const s = session();
        assert.ok(s.call(header).error);
        assert.equal(s.host.fault, null);
      });

    it('answers a broken program with an error', () => {
      const s = session();
      assert.match(s.call({ call: 'run', inputs: [] }, Uint8Array.of(1, 2, 3)).error!.message, /not a program/);
      assert.equal(s.host.fault, null);
    });

    it('answers the wrong number of inputs with an error', () => {
      assert.match(session().call({ call: 'run', inputs: [] }, encodeProgram(copyProgram())).error!.message, /0 arrays for 1 inputs/);
    });

    it('takes a fault of the backend as our own', () => {
      const backend = new FakeBackend();
      backend.simulate = () => {
        throw new TypeError('x is not a function');
      };
      const s = session({}, backend);
      const { ok } = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 3] }, floats(0, 0, 0, 0, 0, 0));
      assert.equal(s.call({ call: 'run', inputs: [ok?.array] }, encodeProgram(copyProgram())).error?.kind, 'SimulatorFault');
      assert.ok(s.host.fault instanceof TypeError);
    });
  });

  describe('values while the kernel runs', () => {
    const view = { tensor: 4, offset: 0, strides: [1], counts: [2], purpose: 'control' };
    const read = (reply: { payload?: Uint8Array }) => [...new Float32Array(reply.payload!.slice().buffer)];
    const ask = (s: ReturnType<typeof session>, more: object, size = 1) => s.call({ call: 'peek', ...view, ...more }, new Uint8Array(size));

    it('come from the pieces so far and the inputs; a new kernel call starts anew', () => {
      const s = session();
      const array = s.call({ call: 'array.put', dtype: 'float32', shape: [2] }, floats(5, 6)).ok?.array;
      assert.deepEqual(read(ask(s, { first: true, inputs: [[4, array]] })), [1, 5, 6]);
      assert.deepEqual(read(ask(s, { first: false, inputs: [] }, 3)), [4, 5, 6]);
      assert.deepEqual(read(ask(s, { first: true, inputs: [[4, array]] })), [1, 5, 6]);
    });

    it('are refused with numerics off when only people want to see them', () => {
      const s = session({ request: { file: '/w/k.py', root: '/w', numerics: 'off' } });
      const array = s.call({ call: 'array.put', dtype: 'float32', shape: [2] }, floats(5, 6)).ok?.array;
      assert.equal(ask(s, { first: true, inputs: [[4, array]], purpose: 'print' }).error?.kind, 'NumericsOff');
      assert.deepEqual(read(ask(s, { first: true, inputs: [[4, array]] })), [1, 5, 6]);
    });
  });
});
