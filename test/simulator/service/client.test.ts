/** Captures through the real worker: interpreter, front end, simulation. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { decodeProfile } from '../../../src/simulator/profile/codec';
import { SimulatorClient } from '../../../src/simulator/service/client';
import { SimulatorFault } from '../../../src/simulator/service/fault';
import type { CaptureProgress, CaptureRequest, CaptureResult } from '../../../src/simulator/session/capture';
import { itWithPython } from '../../support/built';
import { testDist } from '../../support/dist';
import { DOUBLE_KERNEL } from '../../support/doubleKernel';
import { temporaryFolder } from '../../support/temporary';

const SCRIPT = `${DOUBLE_KERNEL}

if __name__ == "__main__":
    a = np.arange(12, dtype=np.float32).reshape(4, 3)
    print((double(a) == a + a).all())
`;

describe('simulator client', () => {
  const folder = temporaryFolder();
  let client: SimulatorClient | undefined;

  before(async () => {
    client = new SimulatorClient({ dist: await testDist() });
  });
  after(() => client?.dispose());

  async function capture(source: string | Uint8Array, request: Partial<CaptureRequest> = {}, signal?: AbortSignal, whenPrinted = () => {}) {
    const file = folder.write('space/kernel.py', source);
    const printed: string[] = [];
    const progress: CaptureProgress[] = [];
    const onOutput = (text: string) => {
      printed.push(text);
      whenPrinted();
    };
    const listener = { onOutput, onProgress: (p: CaptureProgress) => progress.push(p) };
    const result = await client!.capture({ file, root: folder.path('space'), ...request }, listener, signal);
    return { ...result, printed: printed.join(''), progress };
  }

  const place = ({ error }: CaptureResult) => [error?.kind, error?.file && fs.realpathSync(error.file), error?.line];
  /** Cancels as soon as the script prints. */
  async function cancel(source: string, request: Partial<CaptureRequest> = {}) {
    const controller = new AbortController();
    return capture(source, request, controller.signal, () => controller.abort());
  }
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('runs a script: profile, values, output, progress', async () => {
    const result = await capture(SCRIPT);
    assert.equal(result.error, null);
    assert.match(result.printed, /^True\s*$/);
    assert.equal(result.runs.length, 1);
    const profile = decodeProfile(result.runs[0].profile);
    assert.equal(profile.kernel, 'double');
    assert.equal(profile.files[0].path, folder.path('space/kernel.py'));
    assert.ok(profile.instructions.startNs.length > 0 && profile.totalTimeNs > 0);
    assert.match(result.runs[0].outputs[0].checksum!, /^[0-9a-f]{16}$/);
    assert.deepEqual(new Set(result.progress.map(p => p.phase)), new Set(['start', 'trace', 'compile', 'schedule', 'script', 'execute']));
    assert.ok(result.timingsMs.total >= result.timingsMs.trace && result.timingsMs.trace > 0);
  });

  it('tells of each kernel call when it returns, before its script goes on', async () => {
    const file = folder.write(
      'space/calls.py',
      `${DOUBLE_KERNEL}\na = np.ones((4, 3), dtype=np.float32)\nfor name in "first", "second":\n    double(a)\n    print(name)\n`,
    );
    const told: string[] = [];
    const returned: Uint8Array[] = [];
    const { runs } = await client!.capture(
      { file, root: folder.path('space') },
      {
        onOutput: text => told.push(text.trim()),
        onReturn: ({ id, profile }) => {
          told.push(`${id.kernel} ${id.call}`);
          returned.push(profile);
        },
      },
    );
    assert.deepEqual(told.filter(Boolean), ['double 0', 'first', 'double 1', 'second']);
    assert.equal(returned.length, runs.length);
    for (const [k, { profile }] of runs.entries()) assert.equal(profile, returned[k], 'the same bytes: they were not sent twice');
  });

  it('gives a profile with the checks that values have added since its call returned', async () => {
    const returned: Uint8Array[] = [];
    const { runs } = await client!.capture(
      {
        file: folder.write('space/nan.py', `${DOUBLE_KERNEL}\nprint(double(np.full((4, 3), 3e38, dtype=np.float32)))\n`),
        root: folder.path('space'),
      },
      { onReturn: ({ profile }) => returned.push(profile) },
    );
    const hasFirst = (profile: Uint8Array) => decodeProfile(profile).checks.some(({ message }) => message.startsWith('First infinity'));
    assert.deepEqual([returned.map(hasFirst), runs.map(({ profile }) => hasFirst(profile))], [[false], [true]]);
  });

  it('gives the same bytes twice', async () => {
    const [a, b] = [await capture(SCRIPT), await capture(SCRIPT)];
    assert.ok(Buffer.from(a.runs[0].profile).equals(Buffer.from(b.runs[0].profile)));
    assert.deepEqual(a.runs[0].outputs, b.runs[0].outputs);
  });

  it('calls one kernel with shapes', async () => {
    const { runs, error } = await capture(DOUBLE_KERNEL, {
      kernel: 'double',
      args: { a: 'bf16[128,512]' },
      fill: 'random',
      target: 'trn1',
    });
    assert.equal(error, null);
    assert.deepEqual([runs[0].outputs[0].shape, runs[0].outputs[0].dtype], [[128, 512], 'bfloat16']);
    assert.equal(decodeProfile(runs[0].profile).target, 'trn1');
  });

  it('calls one kernel with a .npy file', async () => {
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }".padEnd(117);
    const npy = Buffer.concat([
      Buffer.from('\x93NUMPY\x01\x00v\x00', 'latin1'),
      Buffer.from(`${header}\n`),
      Buffer.from(Float32Array.of(1, 2, 3, 4).buffer),
    ]);
    const doubled = Buffer.concat([npy.subarray(0, -16), Buffer.from(Float32Array.of(2, 4, 6, 8).buffer)]);
    const run = async (a: string, source: string) =>
      (await capture(source, { kernel: 'double', inputs: { a } })).runs[0].outputs[0].checksum;
    const once = await run(folder.write('a.npy', doubled), DOUBLE_KERNEL.replace('op=nl.add', 'op=nl.maximum'));
    assert.equal(await run(folder.write('b.npy', npy), DOUBLE_KERNEL), once);
  });

  it('reads unsaved text instead of the disk', async () => {
    const file = folder.path('space/kernel.py');
    const { printed } = await capture('print("disk")', {
      overlay: { [file]: 'import helper\nprint("editor", helper.x)', [folder.path('space/helper.py')]: 'x = 5' },
    });
    assert.match(printed, /editor 5/);
  });

  it('gives the script its arguments and environment, and imports beside it', async () => {
    folder.write('space/beside.py', 'y = 7');
    const source = 'import sys, os, beside\nprint(sys.argv[1:], os.environ["NKI_PRECISE_FP"], beside.y, os.getcwd())';
    const { printed } = await capture(source, { argv: ['--x', '1'], env: { NKI_PRECISE_FP: '1' } });
    assert.equal(printed.trim(), `['--x', '1'] 1 7 ${folder.path('space')}`);
  });

  it('takes the target from the environment when the request names none', async () => {
    const { runs } = await capture(SCRIPT, { env: { NEURON_PLATFORM_TARGET_OVERRIDE: 'trn1' } });
    assert.equal(decodeProfile(runs[0].profile).target, 'trn1');
  });

  describe('errors of the user’s', () => {
    const at = (line: number | null) => [folder.path('space/kernel.py'), line];

    it('a syntax error, with its line', async () => assert.deepEqual(place(await capture('x = 1\ndef f(:\n')), ['SyntaxError', ...at(2)]));
    it('an exception, with its line and a traceback without us', async () => {
      const result = await capture('def f():\n    raise ValueError("no")\n\nf()\n');
      assert.deepEqual(place(result), ['ValueError', ...at(2)]);
      assert.match(result.error!.traceback!, /line 4.*line 2/s);
      assert.doesNotMatch(result.error!.traceback!, /_pyodide|nki-scope|_record/);
    });
    it('a missing import', async () => {
      const result = await capture('x = 1\nimport pandas\n');
      assert.deepEqual(place(result), ['ModuleNotFoundError', ...at(2)]);
      assert.match(result.error!.message, /pandas.*--python/s);
    });
    it('an unknown NKI call', async () => {
      const result = await capture(SCRIPT.replace('nisa.tensor_tensor', 'nisa.tensor_tensr'));
      assert.deepEqual(place(result).slice(1), at(12));
      assert.match(result.error!.message, /tensor_tensor/);
    });
    it('memory that is too small, at the line that asks for it', async () => {
      const result = await capture(DOUBLE_KERNEL, { kernel: 'double', args: { a: 'f32[128,200000]' } });
      assert.deepEqual(place(result).slice(1), at(10));
      assert.match(result.error!.message, /SBUF|sbuf/);
    });
    it('endless recursion', async () =>
      assert.deepEqual(place(await capture('def f(n):\n    return f(n + 1)\n\nf(0)\n')), ['RecursionError', ...at(2)]));
    it('sys.exit with a code', async () => assert.equal((await capture('import sys\nsys.exit(3)\n')).error?.kind, 'SystemExit'));
    it('a file without kernels', async () => assert.equal((await capture('x = 1\n')).error?.kind, 'NoKernel'));
    it('kernels that nobody calls, and which they are', async () => {
      const result = await capture(DOUBLE_KERNEL);
      assert.equal(result.error?.kind, 'NoInputs');
      assert.deepEqual(
        result.kernels.map(k => [k.name, k.params.map(p => p.name)]),
        [['double', ['a']]],
      );
    });
    it('kernels that a script leaves out', async () => {
      const result = await capture(`${SCRIPT}\n\n@nki.jit\ndef uncalled(b, n=2):\n    return b\n`);
      assert.equal(result.error, null);
      assert.deepEqual(
        result.kernels.map(k => k.name),
        [...new Set([...result.runs.map(run => run.kernel), 'uncalled'])],
      );
      assert.deepEqual(
        result.kernels.at(-1)?.params.map(p => [p.name, p.default]),
        [
          ['b', null],
          ['n', '2'],
        ],
      );
    });
    it('binary data', async () => assert.equal((await capture(Uint8Array.of(0, 1, 2, 255))).error?.kind, 'NotPython'));
    it('a missing file', async () =>
      assert.equal((await capture('', { file: folder.path('space/none.py') })).error?.kind, 'FileNotFoundError'));
    it('a folder', async () => assert.equal((await capture('', { file: folder.path('space') })).error?.kind, 'IsADirectoryError'));
    it('values with numerics off', async () => {
      const result = await capture(SCRIPT, { numerics: 'off' });
      assert.match(result.error!.message, /numerics are off/);
      assert.equal(result.runs[0].outputs[0].checksum, null);
    });
    it('a folder that holds the interpreter itself', async () =>
      assert.match((await capture('', { root: '/' })).error!.message, /open a folder below/));
  });

  describe('stopping', () => {
    it('at the limit of memory, and the next run works', async () => {
      const hoard = 'kept = []\nwhile True:\n    kept.append(b"x" * (64 << 20))\n';
      const { error } = await capture(hoard, { limits: { memoryMb: 900 } });
      assert.equal(error?.kind, 'Limit');
      assert.match(error.message, /more than 900 MB of memory/);
      assert.equal((await capture('print("well")')).printed.trim(), 'well');
    });

    const LOOP = 'print(1)\nwhile True:\n    pass\n';

    it('an endless loop is cancelled, with its line', async () => {
      const result = await cancel(LOOP);
      assert.equal(result.error?.kind, 'Cancelled');
      assert.ok([1, 2, 3].includes(result.error?.line ?? 0));
    });
    it('an endless loop inside a kernel too', async () => {
      const source = SCRIPT.replace('    return out', '    print(1)\n    while True:\n        pass\n    return out');
      const result = await cancel(source);
      assert.equal(result.error?.kind, 'Cancelled');
      assert.ok([14, 15, 16].includes(result.error?.line ?? 0));
    });
    it('a loop that will not hear is ended', async () => {
      const deaf =
        'while True:\n    try:\n        print(1)\n        while True:\n            pass\n    except BaseException:\n        pass\n';
      assert.equal((await cancel(deaf)).error?.kind, 'Cancelled');
    });
    it('the time limit gives the line', async () => {
      const result = await capture(LOOP, { limits: { seconds: 3 } });
      assert.equal(result.error?.kind, 'Limit');
      assert.ok([1, 2, 3].includes(result.error?.line ?? 0));
      assert.match(result.error!.message, /3 s/);
    });
    it('the instruction limit gives the line', async () => {
      const source = SCRIPT.replace('    nisa.tensor_tensor', '    for i in range(100000):\n      nisa.tensor_tensor');
      const result = await capture(source, { limits: { instructions: 5000 } });
      assert.deepEqual([result.error?.kind, result.error?.line], ['Limit', 13]);
    });
    it('a capture that was cancelled before it began does not begin', async () => {
      assert.equal((await capture(SCRIPT, {}, AbortSignal.abort())).error?.kind, 'Cancelled');
    });
    it('the next capture works', async () => assert.equal((await capture(SCRIPT)).error, null));
  });

  describe('the user’s own interpreter', () => {
    const test = itWithPython();

    test('gives the same profile as the bundled one', async () => {
      const request = { kernel: 'double', args: { a: 'f32[64,64]' } };
      const [own, bundled] = [
        await capture(DOUBLE_KERNEL.replace('import numpy as np\n', ''), { ...request, python: 'python3' }),
        await capture(DOUBLE_KERNEL.replace('import numpy as np\n', ''), request),
      ];
      assert.equal(own.error, null);
      assert.ok(Buffer.from(own.runs[0].profile).equals(Buffer.from(bundled.runs[0].profile)));
      assert.deepEqual(own.runs[0].outputs, bundled.runs[0].outputs);
    });
    test('prints and fails like Python', async () => {
      const result = await capture('print("ä")\nraise KeyError(1)\n', { python: 'python3' });
      assert.match(result.printed, /ä/);
      assert.deepEqual([result.error?.kind, result.error?.line], ['KeyError', 2]);
    });
    test('is cancelled, with the line', async () => {
      const result = await cancel('print(1)\nwhile True:\n    pass\n', { python: 'python3' });
      assert.equal(result.error?.kind, 'Cancelled');
      assert.ok([1, 2, 3].includes(result.error?.line ?? 0));
    });
    test('does not outlive a cancel that it does not hear', async () => {
      const source =
        'import os, signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint(os.getpid(), flush=True)\nwhile True:\n    time.sleep(0.1)\n';
      const result = await cancel(source, { python: 'python3' });
      assert.equal(result.error?.kind, 'Cancelled');
      const pid = Number(result.printed);
      for (let tries = 0; tries < 100 && isAlive(pid); tries++) await new Promise(resolve => setTimeout(resolve, 50));
      assert.equal(isAlive(pid), false);
    });
    test('that ends early is an error of the user’s', async () => {
      const result = await capture('import os\nos._exit(9)\n', { python: 'python3' });
      assert.match(result.error!.message, /ended early \(9\)/);
    });
    it('that does not exist is an error of the user’s', async () => {
      const result = await capture('', { python: folder.path('no-python') });
      assert.match(result.error!.message, /cannot start the Python interpreter/);
    });
  });

  it('saves the profile of nki.benchmark beside the script, and nowhere else', async () => {
    const source = (name: string) =>
      SCRIPT.replace('@nki.jit', `@nki.benchmark(save_trace_name=${JSON.stringify(name)})`).replace(/ {4}print.*\n/, '    double(a)\n');
    const saved = await capture(source('trace.ntff'));
    assert.equal(saved.error, null);
    assert.ok(fs.existsSync(folder.path('space/trace.nkiprof')));
    folder.write('space/precious.nkiprof', 'not ours');
    assert.match((await capture(source('precious.ntff'))).error!.message, /exists and is not a profile/);
    assert.equal(fs.readFileSync(folder.path('space/precious.nkiprof'), 'utf8'), 'not ours');
  });

  it('saves the profile of nki.profile in its working directory where the user has named that, and beside the script otherwise', async () => {
    const wanted = folder.path('profiles', 'double');
    const decorator = `@nki.profile(working_directory=${JSON.stringify(wanted)}, profile_nth=2)`;
    const source = SCRIPT.replace('@nki.jit', decorator).replace(/ {4}print.*\n/, '    double(a)\n');
    const elsewhere = await capture(source);
    assert.equal(elsewhere.error, null);
    assert.match(
      elsewhere.printed,
      /nki\.profile: saved as .*profile_exec_2\.nkiprof\. This run may not write to .*double; capture --save-profiles/,
    );
    assert.ok(fs.existsSync(folder.path('space/profile_exec_2.nkiprof')));
    assert.ok(!fs.existsSync(wanted));
    const named = await capture(source, { profileFolders: [folder.path('profiles')] });
    assert.doesNotMatch(named.printed, /nki\.profile/);
    assert.deepEqual(fs.readdirSync(wanted), ['profile_exec_2.nkiprof']);
    assert.match((await capture(source, { profileFolders: [wanted] })).printed, /left as it is: overwrite=True/);
  });

  it('lets a script copy file descriptors of its own', async () => {
    const source = 'import os\nown = os.dup(os.open(__file__, os.O_RDONLY))\nprint(os.read(own, 9))\nos.write(os.dup(1), b"copied\\n")\n';
    assert.equal((await capture(source)).printed, "b'import os'\ncopied\n");
  });

  it('gives a report when the fault is ours', async () => {
    const broken = new SimulatorClient({ dist: folder.path() });
    await assert.rejects(broken.capture({ file: folder.write('space/kernel.py', ''), root: folder.path('space') }), SimulatorFault);
    broken.dispose();
  });

  it('ends running captures when it is disposed', async () => {
    const other = new SimulatorClient({ dist: await testDist() });
    const running = other.capture({ file: folder.write('space/kernel.py', 'while True: pass'), root: folder.path('space') });
    setTimeout(() => other.dispose(), 500);
    assert.equal((await running).error?.kind, 'Cancelled');
    await assert.rejects(other.capture({ file: folder.path('space/kernel.py'), root: folder.path('space') }), /disposed/);
  });

  it('gives many captures of one interpreter the profiles of one each', async () => {
    const many = new SimulatorClient({ dist: await testDist(), keepSpare: false, again: true });
    try {
      const file = folder.write('space/kernel.py', SCRIPT);
      const one = async (by: SimulatorClient) => by.capture({ file, root: folder.path('space') });
      const alone = await one(client!);
      for (let k = 0; k < 3; k++) {
        const { runs, error } = await one(many);
        assert.equal(error, null);
        assert.deepEqual(runs, alone.runs);
      }
      const stopped = await many.capture({
        file: folder.write('space/endless.py', 'while True: pass\n'),
        root: folder.path('space'),
        limits: { seconds: 1 },
      });
      assert.equal(stopped.error?.kind, 'Limit');
      assert.deepEqual((await one(many)).runs, alone.runs);
    } finally {
      many.dispose();
    }
  });
});
