/** `capture --ranks` as scripts see it: a profile for each rank, inputs of each, who waited for whom, and errors at the lines of both. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { decodeNkiprof } from '../../src/simulator/index';
import { CLI } from '../support/built';
import { temporaryFolder } from '../support/temporary';

const KERNELS = `import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl


@nki.jit
def total(x, ranks=3, late=0):
    src = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    dst = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=src, src=x)
    ncc.all_reduce([src], [dst], ncc.ReplicaGroup([list(range(ranks))]), nl.add)
    nisa.dma_copy(dst=out, src=dst)
    return out


@nki.jit
def alone(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=x)
    return out
`;

const SCRIPT = `import numpy as np
from nki_scope import on_ranks
from kernels import total

parts = [np.full((4, 8), rank + 1, np.float32) for rank in range(3)]
for result in on_ranks(total, [{"x": part} for part in parts]):
    assert (result == 6).all()
print("all have 6")
`;

describe('capture --ranks @long', () => {
  const folder = temporaryFolder();
  const place = (name: string) => folder.path(name);

  function run(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'capture', ...args], { cwd: folder.path(), encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  before(() => {
    fs.writeFileSync(place('kernels.py'), KERNELS);
    fs.writeFileSync(place('script.py'), SCRIPT);
    for (let rank = 0; rank < 3; rank++) fs.writeFileSync(place(`x${rank}.npy`), npy(Float32Array.from({ length: 32 }, () => 10 ** rank)));
    fs.writeFileSync(place('inputs.txt'), 'x x0.npy\nx x1.npy\nx x2.npy\n');
  });

  it('lets nki.profile save the profile of each rank, under the names of AWS’s captures, and opens them as one run', () => {
    const source = KERNELS.replace('@nki.jit', '@nki.profile(working_directory="WORK", save_trace_name="trace.ntff", profile_nth=2)');
    const kept = place('kept');
    fs.writeFileSync(place('profiled.py'), `${source.replace('WORK', kept)}\n\n${SCRIPT.replace('from kernels import total\n', '')}`);
    const { status, stderr } = run('profiled.py', '--save-profiles', kept);
    assert.equal(status, 0, stderr);
    const files = [0, 1, 2].map(rank => `trace_rank_${rank}_exec_2.nkiprof`);
    assert.deepEqual(fs.readdirSync(kept).sort(), files);
    const ranks = files.map(file => decodeNkiprof(fs.readFileSync(path.join(kept, file))).rank?.rank);
    assert.deepEqual(ranks, [0, 1, 2]);
    const listed = spawnSync(process.execPath, [CLI, 'view', '-s', path.join(kept, files[1]), '--output-format', 'ranks'], {
      encoding: 'utf8',
    });
    assert.match(listed.stdout, /^.*3 ranks/m);
  });

  it('writes a profile for each rank, all alike where they do the same, and says so in JSON', () => {
    const { status, stdout, stderr } = run(
      'kernels.py',
      '--kernel',
      'total',
      '--ranks',
      '3',
      '--multi-input',
      'inputs.txt',
      '--numerics',
      'on',
      '--json',
    );
    assert.equal(status, 0, stderr);
    const answer = JSON.parse(stdout);
    assert.deepEqual(
      answer.ranks.map(({ rank }: { rank: number }) => rank),
      [0, 1, 2],
    );
    // 1 + 10 + 100, at every rank
    const [checksum] = new Set(answer.ranks.map((each: { outputs: { checksum: string }[] }) => each.outputs[0].checksum)) as Set<string>;
    fs.writeFileSync(place('sum.npy'), npy(new Float32Array(32).fill(111)));
    const expected = JSON.parse(run('kernels.py', '--kernel', 'alone', '--input', 'x=sum.npy', '--numerics', 'on', '--json').stdout);
    assert.equal(checksum, expected.outputs[0].checksum);
    for (const { rank, profile, collectives } of answer.ranks) {
      assert.equal(path.relative(folder.path(), profile), path.join('total-ranks', `profile_rank_${rank}.nkiprof`));
      const { rank: of } = decodeNkiprof(fs.readFileSync(profile));
      assert.deepEqual([of?.rank, of?.ranks, of?.topology, of?.collectives.length], [rank, 3, 'trn2.48xlarge', 1]);
      assert.equal(collectives.count, 1);
      assert.ok(collectives.active_ns > 3000);
    }
  });

  it('writes the same files and values for any number of threads', () => {
    const written = ['0', '2'].map(jobs => {
      const call = ['kernels.py', '--kernel', 'total', '--arg', 'x=bf16[128,512]', '--arg', 'ranks=4', '--ranks', '4', '--fill', 'random'];
      const { status, stdout, stderr } = run(...call, '--numerics', 'on', '--jobs', jobs, '-s', `jobs${jobs}.nkiprof`, '--json');
      assert.equal(status, 0, stderr);
      const ranks: { outputs: { checksum: string | null }[] }[] = JSON.parse(stdout).ranks;
      assert.ok(ranks.every(({ outputs: [{ checksum }] }) => checksum !== null));
      const files = ranks.map((_, rank) => fs.readFileSync(place(`jobs${jobs}_rank_${rank}.nkiprof`)).toString('base64'));
      return { outputs: ranks.map(({ outputs }) => outputs), files };
    });
    assert.equal(written[0].files.length, 4);
    assert.deepEqual(written[1], written[0]);
  });

  it('runs a script whose ranks have their own inputs', () => {
    const { status, stdout, stderr } = run('script.py', '-s', 'out.nkiprof');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^all have 6\ntotal on 3 ranks of trn2.48xlarge: rank \d ends last\n/);
    assert.deepEqual(
      [0, 1, 2].map(rank => fs.existsSync(place(`out_rank_${rank}.nkiprof`))),
      [true, true, true],
    );
  });

  it('runs on the ranks that the kernel itself names, in a script and by name', () => {
    fs.writeFileSync(
      place('plain.py'),
      'import numpy as np\nfrom kernels import total\n\nassert (total(np.full((4, 8), 2, np.float32)) == 6).all()\n',
    );
    for (const args of [['plain.py'], ['kernels.py', '--kernel', 'total', '--arg', 'x=fp32[4,8]']]) {
      const { status, stdout, stderr } = run(...args, '-s', 'named.nkiprof');
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^total on 3 ranks of trn2.48xlarge: /);
      const alone = run(...args, '--ranks', '1');
      assert.equal(alone.status, 1);
      assert.match(alone.stderr, /kernels.py:13: .*the kernel runs on one rank, 0, and the replica group \[\[0, 1, 2\]\] names others/);
    }
    const huge = place('huge.py');
    fs.writeFileSync(huge, KERNELS.replace('list(range(ranks))', '[0, 10 ** 9]'));
    const { stderr } = run(huge, '--kernel', 'total', '--arg', 'x=fp32[4,8]');
    assert.match(
      stderr,
      /huge.py:13: .*runs on one rank, 0, and the replica group \[\[0, 1000000000\]\] names others: run it on several with capture --ranks N/,
    );
  });

  it('is told as one run from the profile of any rank', () => {
    const { status, stdout } = spawnSync(process.execPath, [CLI, 'view', '-s', 'out_rank_1.nkiprof', '--output-format', 'ranks'], {
      cwd: folder.path(),
      encoding: 'utf8',
    });
    assert.equal(status, 0);
    assert.match(stdout, /^total on 3 ranks of trn2.48xlarge: rank \d ends last\n/);
    assert.match(stdout, /\n {2}all_reduce +13 +128 B +mesh/);
  });

  it('has errors of ranks at their lines', () => {
    const mismatch = run('kernels.py', '--kernel', 'total', '--arg', 'x=fp32[4,8]', '--ranks', '2');
    assert.equal(mismatch.status, 1);
    assert.match(mismatch.stderr, /kernels.py:13: .*the kernel runs on ranks 0 to 1, and the replica group \[\[0, 1, 2\]\] names others/);
    const apart = run('kernels.py', '--kernel', 'total', '--arg', 'x=fp32[4,8]', '--ranks', '3', '--topology', 'trn1.32xlarge');
    assert.match(apart.stderr, /trn1.32xlarge is not one of trn2: trn2.48xlarge/);
  });

  it('says what is wrong with --ranks and --multi-input', () => {
    const call = ['kernels.py', '--kernel', 'total', '--ranks'];
    for (const [args, message] of [
      [[...call, '0'], /--ranks 0: a whole number from 1 to \d+/],
      [[...call, '2', '--multi-input', 'inputs.txt'], /inputs.txt: 3 lines for 2 ranks/],
      [[...call, '3', '--multi-input', 'none.txt'], /none.txt is not a file/],
      [[...call, '3', '--topology', 'moon'], /--topology moon: one of trn1.32xlarge/],
    ] as const) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2, stderr);
      assert.match(stderr, message);
    }
  });
});

/** Version 1.0, 4 x 8 of float32. */
function npy(values: Float32Array): Uint8Array {
  const header = `${"{'descr': '<f4', 'fortran_order': False, 'shape': (4, 8), }".padEnd(117)}\n`;
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00v\x00', 'latin1'), Buffer.from(header, 'latin1'), Buffer.from(values.buffer)]);
}
