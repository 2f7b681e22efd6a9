/** Kernels run again in the real worker to be looked into: the values around an instruction, and what stands in the way. */
import assert from 'node:assert/strict';
import { decodeProfile } from '../../../src/simulator/profile/codec';
import { decodeValues } from '../../../src/simulator/profile/instructionValues';
import { coresOf, ofCore } from '../../../src/simulator/profile/ofCore';
import type { Profile } from '../../../src/simulator/profile/profile';
import { SimulatorClient } from '../../../src/simulator/service/client';
import { type Inspection, NoValues } from '../../../src/simulator/service/inspection';
import { Inspector } from '../../../src/simulator/service/inspector';
import { Recent } from '../../../src/simulator/service/recent';
import { isSameProgram, rerunRequest } from '../../../src/simulator/service/rerun';
import { testDist } from '../../support/dist';
import { temporaryFolder } from '../../support/temporary';

const SCRIPT = `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def scale(a, by):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    for i in range(3):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=by)
    nisa.dma_copy(dst=out, src=tile)
    return out


a = np.arange(12, dtype=np.float32).reshape(4, 3)
b = scale(a, 2.0)
print(scale(b, 3.0))
`;
const CORES = `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def shifted(a):
    shared = nl.ndarray((4, 3), dtype=a.dtype, buffer=nl.shared_hbm)
    out = nl.ndarray((4, 3), dtype=a.dtype, buffer=nl.shared_hbm)
    core = nl.program_id(0)
    tile = nl.ndarray((2, 3), dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a[2 * core:2 * core + 2, :])
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=100.0)
    nisa.dma_copy(dst=shared[2 * core:2 * core + 2, :], src=tile)
    nisa.core_barrier(shared, (0, 1))
    other = 1 - core
    nisa.dma_copy(dst=out[2 * core:2 * core + 2, :], src=shared[2 * other:2 * other + 2, :])
    return out


shifted[2](np.arange(12, dtype=np.float32).reshape(4, 3))
`;
const A = Array.from({ length: 12 }, (_, i) => i);
const times = (by: number) => A.map(value => value * by);

describe('a kernel that is looked into', () => {
  const folder = temporaryFolder();
  let client: SimulatorClient | undefined;
  let profiles: Profile[];
  let inspection: Inspection;
  const own = { own: true, rootOf: () => folder.path('space') };

  before(async () => {
    client = new SimulatorClient({ dist: await testDist() });
    const file = folder.write('space/kernel.py', SCRIPT);
    const { runs, error } = await client.capture({ file, root: folder.path('space'), numerics: 'on' });
    assert.equal(error, null);
    profiles = runs.map(run => decodeProfile(run.profile));
    // what is looked into is what was timed, whatever has become of the file
    folder.write('space/kernel.py', 'raise SystemExit');
    const again = await rerunRequest(profiles[1], own);
    assert.ok('request' in again);
    inspection = await client.inspect(again.request, again.call);
  });
  after(() => client?.dispose());

  const at = async (instruction: number) => decodeValues(await inspection.values(instruction));

  it('is the same program, of the same call of the script', () => {
    assert.deepEqual(
      profiles.map(p => p.rerun?.call),
      [0, 1],
    );
    assert.ok(isSameProgram(profiles[1], inspection.profile));
    const shorter = { ...profiles[1], instructions: { ...profiles[1].instructions, origin: profiles[1].instructions.origin.slice(1) } };
    assert.ok(!isSameProgram(shorter, inspection.profile));
  });

  it('gives the values around any of its instructions, forwards and backwards', async () => {
    const third = await at(3);
    assert.equal(third.operation, 'nki.isa.tensor_scalar');
    assert.deepEqual(
      third.operands.map(o => [o.name, o.moment, [...o.values]]),
      [
        ['data', 'before', times(8 * 9)],
        ['dst', 'after', times(8 * 27)],
      ],
    );
    const first = await at(0);
    assert.deepEqual(
      first.operands.map(o => [o.name, o.space, [...o.values]]),
      [
        ['src', 'hbm', times(8)],
        ['dst', 'sbuf', times(8)],
      ],
    );
    const [source, out] = (await at(4)).operands;
    assert.deepEqual([...out.values], times(8 * 27));
    assert.deepEqual(source.shape, [4, 3]);
  });

  it('answers questions that are asked at once one after the other', async () => {
    const [a, b] = await Promise.all([at(2), at(1)]);
    assert.deepEqual([a.instruction, b.instruction], [2, 1]);
    assert.equal(b.operands[0].values[1], 8);
  });

  it('stops when asked to, and answers again', async () => {
    await assert.rejects(
      inspection.values(1, () => {}, AbortSignal.abort()),
      NoValues,
    );
    assert.equal((await at(1)).operands.length, 2);
  });

  it('has the values of both cores of a kernel over two, under their numbers in the whole program', async () => {
    const file = folder.write('space/cores.py', CORES);
    const { runs, error } = await client!.capture({ file, root: folder.path('space'), target: 'trn2' });
    assert.equal(error, null);
    assert.equal(runs.length, 1);
    const run = decodeProfile(runs[0].profile);
    assert.deepEqual([run.kernel, run.machine.cores, run.rerun?.call], ['shifted', 2, 0]);
    const again = await rerunRequest(run, own);
    assert.ok('request' in again);
    const looked = await client!.inspect(again.request, again.call);
    assert.ok(isSameProgram(looked.profile, run));
    for (const core of coresOf(run)) {
      const mine = Array.from({ length: 6 }, (_, i) => core * 6 + i);
      const instructions = [...new Set(ofCore(run, core).instructions.origin)].sort((a, b) => a - b);
      const steps = [];
      for (const i of instructions) steps.push(decodeValues(await looked.values(i)));
      const operations = ['dma_copy', 'tensor_scalar', 'dma_copy', 'core_barrier', 'dma_copy'];
      assert.deepEqual(
        steps.map(step => step.operation),
        operations.map(name => `nki.isa.${name}`),
      );
      // loads its own half, waits, and loads what the other stored
      assert.deepEqual([...steps[0].operands[0].values], mine);
      assert.deepEqual(
        [...steps.at(-1)!.operands[0].values],
        mine.map(value => ((value + 6) % 12) + 100),
      );
    }
    looked.dispose();
  });

  it('does not run a profile that is of one core, as older files have them', async () => {
    const rerun = profiles[0].rerun!;
    assert.ok('request' in (await rerunRequest({ ...profiles[0], rerun }, own)));
    const { reason } = await rerunRequest({ ...profiles[0], rerun: { ...rerun, core: 1 } }, own);
    assert.match(reason ?? '', /of one core of a kernel over two/);
  });

  it('is not there once it was given up', async () => {
    const again = await rerunRequest(profiles[0], own);
    assert.ok('request' in again);
    const other = await client!.inspect(again.request, again.call);
    other.dispose();
    await assert.rejects(other.values(0), /no longer at hand/);
  });

  it('says what is wrong with a kernel that cannot be run again', async () => {
    const file = folder.write('space/broken.py', 'import nki\nraise ValueError("no inputs")\n');
    await assert.rejects(client!.inspect({ file, root: folder.path('space') }, { call: 0 }), /no inputs/);
    await assert.rejects(client!.inspect({ file: `${file}.gone`, root: folder.path('space') }, { call: 0 }), /does not exist/);
  });
});

describe('running a profile again', () => {
  const folder = temporaryFolder();
  const profile = (more: Partial<Profile>) =>
    ({ simulated: true, files: [{ path: '/w/k.py', text: 'x', sha256: '' }], ...more }) as Profile;
  const rerun = { request: { file: '/w/k.py', root: '/', argv: ['-v'] }, call: 2 };
  /** A disk whose files all have this text. */
  const disk = (found: string | null) => ({
    own: false,
    rootOf: () => '/w',
    disk: { hasText: async (_: string, text: string) => text === found, hasFileInside: async () => true },
  });
  const reason = async (p: Profile, text: string | null) => (await rerunRequest(p, disk(text))).reason ?? 'it runs';
  const asking = (request: Record<string, unknown>, call: unknown = 2) =>
    profile({ rerun: { request: { ...rerun.request, ...request }, call: call as number } });

  it('runs the texts of the profile, and for a stranger only what lies on the disk, in the folder that the host names', async () => {
    const answer = await rerunRequest(profile({ rerun }), disk('x'));
    assert.ok('request' in answer);
    assert.deepEqual(answer.request, { file: '/w/k.py', root: '/w', argv: ['-v'], overlay: { '/w/k.py': 'x' }, numerics: 'auto' });
    assert.deepEqual(answer.call, { call: 2 });
    const hostile = asking({ python: '/bin/sh', limits: { seconds: 1e9 }, overlay: { '/w/k.py': 'evil' }, stdin: 'inherit' });
    assert.deepEqual(await rerunRequest(hostile, disk('x')), answer, 'no interpreter of its choice');
    assert.match(await reason(profile({ rerun }), 'y'), /k\.py is not what this profile was made of/);
    assert.match(await reason(profile({ rerun }), null), /not what this profile/);
  });

  it('says why there are no values', async () => {
    assert.match(await reason(profile({ simulated: false }), 'x'), /measured or imported/);
    assert.match(await reason(profile({}), 'x'), /does not say how/);
  });

  it('runs no file of a stranger that the profile does not have the text of', async () => {
    assert.match(await reason(profile({ rerun, files: [] }), 'x'), /k\.py is not what this profile was made of/);
    assert.match(await reason(asking({ file: '/w/other.py' }), 'x'), /other\.py is not what this profile was made of/);
    assert.match((await rerunRequest(profile({ rerun }), { ...disk('x'), rootOf: () => null })).reason ?? '', /none of the open folders/);
  });

  it('takes no field from a stranger that no run of ours would have', async () => {
    const unfit: [string, unknown][] = [
      ['kernel', 'k(); import os'],
      ['kernel', 7],
      ['args', { a: { toString: 'x' } }],
      ['args', ['bf16[1]']],
      ['inputs', { a: 7 }],
      ['inputs', { a: '/w/a\0.npy' }],
      ['fill', 'ones'],
      ['grid', [0]],
      ['grid', [1.5]],
      ['grid', Array(9).fill(1)],
      ['target', '../trn2'],
      ['pipeline', 'other'],
      ['dge', true],
      ['argv', 'x'],
      ['argv', ['a\0b']],
      ['env', { LD_PRELOAD: '/tmp/x.so' }],
      ['env', { PYTHONPATH: '/tmp' }],
      ['env', { NKI_PRECISE_FP: 1 }],
    ];
    for (const [name, value] of unfit)
      assert.match(await reason(asking({ [name]: value }), 'x'), new RegExp(`\\(${name}\\)`), JSON.stringify(value));
    for (const call of [-1, 0.5, '0', undefined])
      assert.match(await reason(profile({ rerun: { ...rerun, call: call as number } }), 'x'), /\(call\)/);
    const given = {
      kernel: 'kern',
      args: { a: 'bf16[128,512]', n: 4 },
      grid: [2],
      target: 'trn2',
      fill: 'random',
      env: { NKI_PRECISE_FP: '0' },
    };
    assert.equal(await reason(asking(given), 'x'), 'it runs');
  });

  it('reads inputs of a stranger only in the folder of the host', async () => {
    const file = folder.write('space/k.py', 'x');
    const [inside, outside] = [folder.write('space/a.npy', '1'), folder.write('b.npy', '2')];
    const ofInput = (input: string) =>
      rerunRequest(
        profile({
          files: [{ path: file, text: 'x', sha256: '' }],
          rerun: { request: { file, root: '/', kernel: 'k', inputs: { a: input } }, call: 0 },
        }),
        { own: false, rootOf: () => folder.path('space') },
      );
    const answer = await ofInput(inside);
    assert.ok('request' in answer);
    assert.deepEqual([answer.request.root, answer.request.inputs], [folder.path('space'), { a: inside }]);
    for (const place of [outside, folder.path('space/../b.npy'), 'a.npy', '/dev/zero'])
      assert.match((await ofInput(place)).reason ?? 'it runs', /The input a .* is no file in/, place);
  });
});

describe('the inspector', () => {
  const of = (origin: number[]) => {
    const instructions = { origin: Int32Array.from(origin), opcode: new Uint16Array(0), frame: new Uint32Array(0) };
    return {
      kernel: 'k',
      instructions,
      transfers: { origin: new Int32Array(0) },
      frames: { line: new Uint32Array(0) },
    } as unknown as Profile;
  };
  const signal = new AbortController().signal;
  const request = { file: '/k.py', root: '/' };

  function inspector(again: Profile) {
    const told: string[] = [];
    const inspection = {
      profile: again,
      values: async (instruction: number, listener: (done: number) => void) => {
        listener(instruction / 2);
        return Uint8Array.of(instruction);
      },
      dispose: () => told.push('disposed'),
    } as unknown as Inspection;
    const inspect = async () => {
      told.push('inspect');
      return inspection;
    };
    return { told, made: new Inspector({ inspect }) };
  }

  it('runs a kernel once for many questions, tells how far it is, and gives up the last kernel for another', async () => {
    const profile = of([0, 1]);
    const { told, made } = inspector(of([0, 1]));
    const shares: (number | null)[] = [];
    const hear = (p: { share: number | null }) => p.share !== null && shares.push(p.share);
    for (const instruction of [8, 4])
      assert.deepEqual(await made.values({ profile, request, call: { call: 0 } }, instruction, hear, signal), Uint8Array.of(instruction));
    assert.deepEqual([told, shares], [['inspect'], [0.5, 0.5]]);
    await made.values({ profile, request, call: { call: 0 } }, 8, hear, signal);
    assert.equal(shares.length, 2, 'what was just looked at is still there');
    await made.values({ profile: of([0, 1]), request, call: { call: 0 } }, 1, () => {}, signal);
    assert.deepEqual(told, ['inspect', 'disposed', 'inspect']);
    made.forget();
  });

  it('goes on with the run that has begun when another instruction is asked for meanwhile, and ends it when nobody asks', async () => {
    const profile = of([0, 1]);
    const runs: AbortSignal[] = [];
    let finish: (made: Inspection) => void = () => {};
    const made = new Inspector({
      inspect: (_request, _call, _listener, ended) => {
        runs.push(ended);
        return new Promise((resolve, reject) => {
          finish = resolve;
          ended.addEventListener('abort', () => reject(new NoValues('stopped')));
        });
      },
    });
    const asked = { profile, request, call: { call: 0 } };
    const [first, second] = [new AbortController(), new AbortController()];
    const stopped = assert.rejects(
      made.values(asked, 1, () => {}, first.signal),
      NoValues,
    );
    await new Promise(resolve => setImmediate(resolve));
    first.abort();
    const answer = made.values(asked, 2, () => {}, second.signal);
    await stopped;
    finish({ profile, values: async (i: number) => Uint8Array.of(i), dispose: () => {} } as unknown as Inspection);
    assert.deepEqual(await answer, Uint8Array.of(2));
    assert.deepEqual(
      runs.map(run => run.aborted),
      [false],
    );
    made.forget();

    const third = new AbortController();
    const ended = assert.rejects(
      made.values(asked, 3, () => {}, third.signal),
      NoValues,
    );
    await new Promise(resolve => setImmediate(resolve));
    third.abort();
    await ended;
    await new Promise(resolve => runs[1].addEventListener('abort', resolve));
    made.forget();
  });

  it('shows no values of another program', async () => {
    const { told, made } = inspector(of([0, 2]));
    await assert.rejects(
      made.values({ profile: of([0, 1]), request, call: { call: 0 } }, 1, () => {}, signal),
      /something else this time/,
    );
    assert.deepEqual(told, ['inspect', 'disposed']);
    made.forget();
  });
});

describe('recent answers', () => {
  it('are the last ones, within their bytes', () => {
    const recent = new Recent(30);
    for (const key of [1, 2, 3]) recent.put(key, new Uint8Array(10));
    assert.equal(recent.get(1)?.length, 10);
    recent.put(4, new Uint8Array(10));
    assert.deepEqual(
      [1, 2, 3, 4].map(key => recent.get(key) !== undefined),
      [true, false, true, true],
    );
    recent.put(5, new Uint8Array(99));
    assert.deepEqual(
      [1, 3, 4, 5].map(key => recent.get(key) !== undefined),
      [false, false, false, false],
    );
  });
});
