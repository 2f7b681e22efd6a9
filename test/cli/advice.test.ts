/** `whatif` and `advise` as scripts see them: keys of their JSON, exit codes, messages. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { decodeNkiprof, encodeProfile, packNkiprof } from '../../src/simulator/index';
import { CLI } from '../support/built';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const EXAMPLE = path.join(NKI_SCOPE_ROOT, 'examples/nki/matmul_tiled.py');

/** Eight products of fp32 that add up. */
const PRODUCT = `
import nki
import nki.isa as nisa
import nki.language as nl

@nki.jit
def product(x, w):
    y = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.shared_hbm)
    sums = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.psum)
    for k in range(8):
        xt = nl.ndarray((128, 128), dtype=nl.float32, buffer=nl.sbuf)
        wt = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.sbuf)
        nisa.dma_copy(dst=xt, src=x[k * 128 : (k + 1) * 128, :])
        nisa.dma_copy(dst=wt, src=w[k * 128 : (k + 1) * 128, :])
        nisa.nc_matmul(dst=sums, stationary=xt, moving=wt)
    out = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=out, src=sums)
    nisa.dma_copy(dst=y, src=out)
    return y
`;
/** An exponential of a row, a tile at a time. */
const TILED = `
import nki
import nki.isa as nisa
import nki.language as nl

TILE = 128

@nki.jit
def tiled(x):
    y = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for k in range(x.shape[1] // TILE):
        tile = nl.ndarray((128, TILE), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x[:, k * TILE : (k + 1) * TILE])
        nisa.activation(dst=tile, op=nl.exp, data=tile)
        nisa.dma_copy(dst=y[:, k * TILE : (k + 1) * TILE], src=tile)
    return y
`;
const isBf16 = ({ rule }: { rule: string }) => rule === 'bf16-matmul';

describe('whatif and advise @long', () => {
  const temporary = temporaryFolder();
  let folder: string;
  let profile: string;

  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd: folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const json = (...args: string[]) => {
    const { status, stdout, stderr } = run(...args, '--json');
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };

  before(() => {
    folder = temporary.path();
    profile = path.join(folder, 'matmul.nkiprof');
    const { status, stderr } = run('capture', EXAMPLE, '-s', profile);
    assert.equal(status, 0, stderr);
  });

  it('path folds what repeats, sums to the body, and says what is left without the hottest line', () => {
    const found = json('path', '-s', profile);
    assert.deepEqual(Object.keys(found), ['body_ns', 'path', 'resources', 'waits', 'lines', 'slack', 'next']);
    const sum = (pieces: { time_ns: number }[]) => pieces.reduce((ns, piece) => ns + piece.time_ns, 0);
    assert.ok(Math.abs(sum(found.path) - found.body_ns) < 0.01);
    assert.ok(Math.abs([...found.resources, ...found.waits].reduce((share, part) => share + part.share, 0) - 1) < 1e-6);
    assert.ok(found.path.some((piece: { times?: number }) => piece.times! > 1));
    assert.ok(found.slack.without > 0 && found.slack.without < found.slack.events);
    assert.equal(found.next.mended.line, found.lines[0].line);
    assert.equal(
      found.next.time_ns,
      json('whatif', '-s', profile, '--line', `matmul_tiled.py:${found.lines[0].line}`, '--speed', 'inf').time_ns,
    );
    const { stdout } = run('path', '-s', profile);
    assert.match(stdout, /8 × MATMUL +matmul_tiled\.py:33/);
    assert.match(stdout, /Slack: \d+ of \d+ events have none/);
    assert.match(stdout, /When matmul_tiled\.py:33 is free: /);
  });

  it('whatif answers one question', () => {
    const answer = json('whatif', '-s', profile, '--line', 'matmul_tiled.py:33', '--speed', 'inf');
    assert.deepEqual(Object.keys(answer), ['base_ns', 'time_ns', 'delta_percent']);
    assert.ok(answer.time_ns < answer.base_ns);
    assert.ok(Math.abs(answer.delta_percent - 100 * (answer.time_ns / answer.base_ns - 1)) < 1e-4);
    const half = json('whatif', '-s', profile, '--resource', 'GpSimd', '--speed', '0.5');
    assert.ok(half.time_ns > half.base_ns, 'a slower engine takes longer');
  });

  it('whatif asks the usual questions when there is none', () => {
    const { status, stdout } = run('whatif', '-s', profile);
    assert.equal(status, 0);
    for (const what of ['GpSimd 2 times as fast', 'HBM 2 times as fast', 'nothing waits for a buffer'])
      assert.ok(stdout.includes(what), stdout);
  });

  it('whatif --on compiles for other targets: each takes what a capture for it takes', () => {
    const answers = json('whatif', EXAMPLE, '--on', 'trn1,trn3');
    assert.deepEqual(
      answers.map(({ what }: { what: string }) => what),
      ['compiled for trn1', 'compiled for trn3'],
    );
    const captured = json('capture', EXAMPLE, '--target', 'trn1', '-s', path.join(folder, 'trn1.nkiprof'));
    assert.equal(answers[0].time_ns, captured.total_time_ns);
    assert.equal(answers[0].base_ns, json('whatif', '-s', profile, '--resource', 'HBM').base_ns);
  });

  it('whatif --causal gives a curve for each line, most effective first', () => {
    const found = json('whatif', '-s', profile, '--causal');
    assert.ok(found.length >= 4);
    for (const { file, line, text, curve } of found) {
      assert.ok(file.endsWith('matmul_tiled.py') && line > 0 && text.length > 0);
      assert.deepEqual(
        curve.map((point: { speed: number | string }) => point.speed),
        [1, 1.33333333, 2, 4, 'inf'],
      );
      assert.equal(curve[0].delta_percent, 0);
    }
    const free = found.map(({ curve }: { curve: { time_ns: number }[] }) => curve.at(-1)!.time_ns);
    assert.deepEqual(
      free,
      [...free].sort((a: number, b: number) => a - b),
    );
  });

  it('advise has the keys of the contract, and the same numbers for a file and for its profile', () => {
    const report = json('advise', '-s', profile);
    assert.deepEqual(Object.keys(report), ['headline', 'bound', 'reached_percent', 'ladder', 'advice', 'rejected', 'no_advice']);
    assert.match(report.headline, /% of what this algorithm can reach on Trn2/);
    assert.ok(report.advice.length > 0);
    for (const key of ['rule', 'title', 'file', 'line', 'gain_ns', 'gain_percent', 'tried', 'edit', 'refused'])
      assert.ok(key in report.advice[0], key);
    assert.deepEqual(json('advise', EXAMPLE, '--numerics', 'off').advice, report.advice);
  });

  it('advise says what bf16 does to the values of this run, and nothing of values that are not computed', () => {
    const file = path.join(folder, 'product.py');
    fs.writeFileSync(file, PRODUCT);
    const named = ['--kernel', 'product', '--arg', 'x=f32[1024,128]', '--arg', 'w=f32[1024,512]'];
    const bf16 = (...args: string[]) => json('advise', file, ...named, ...args).advice.find(isBf16);
    const { values } = bf16();
    assert.equal(values.output, 'y');
    assert.ok(values.allow && values.not_finite === 0);
    // half a unit in the last of 8 bits, of two operands
    assert.ok(values.largest_error_percent > 0.01 && values.largest_error_percent < 2 * 100 * 2 ** -8, `${values.largest_error_percent}`);
    assert.equal(bf16('--numerics', 'off').values, null);
    assert.match(
      run('advise', file, ...named).stdout,
      /values {2}with this run's inputs, y changes by up to 0\.\d+ % of its largest value/,
    );
    assert.match(run('advise', file, ...named, '--numerics', 'off').stdout, /values {2}not tried: /);
  });

  it('advise --constants runs the kernel with other tile sizes, and says what a run with them takes', () => {
    const file = path.join(folder, 'tiled.py');
    fs.writeFileSync(file, TILED);
    const named = ['--kernel', 'tiled', '--arg', 'x=f32[128,4096]'];
    const advised = json('advise', file, ...named, '--constants').advice.find(({ rule }: { rule: string }) => rule === 'constant-tile');
    assert.equal(advised.title, 'Set TILE to 256');
    assert.match(advised.reason, /Its outputs are the same bit by bit/);
    const before = json('capture', file, ...named, '-s', path.join(folder, 'tiled.nkiprof')).total_time_ns;
    fs.writeFileSync(file, TILED.replace('TILE = 128', 'TILE = 256'));
    const after = json('capture', file, ...named, '-s', path.join(folder, 'tiled.nkiprof')).total_time_ns;
    assert.equal(advised.gain_ns.toFixed(2), (before - after).toFixed(2));
  });

  it('advise lists what was tried and brought less than 1 %, with its gain', () => {
    const { rejected } = json('advise', '-s', profile);
    assert.ok(rejected.length > 0 && rejected.every((one: { gain_percent: number }) => one.gain_percent < 1));
    const { stdout } = run('advise', '-s', profile);
    const last = stdout.trimEnd().split('\n').at(-1)!;
    assert.match(last, /^Tried, and of no use: /);
    for (const { title } of rejected) assert.match(last, new RegExp(`${title} \\([\\d.]+ %\\)`));
  });

  it('advise --try shows an edit, runs before and after it, and leaves the file', () => {
    const { status, stdout, stderr } = run('advise', EXAMPLE, '--try', 'hardware-descriptors');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^- nisa\.dma_copy\(dst=stationary, .*\)$/m);
    assert.match(stdout, /^\+ nisa\.dma_copy\(dst=stationary, .*, dge_mode=nisa\.dge_mode\.hwdge\)$/m);
    assert.match(stdout, /µs → .* µs \((≈ )?−[\d.]+ %; the advice says −[\d.]+ %\)\. The values are the same\.\n$/);
    assert.ok(!fs.readFileSync(EXAMPLE, 'utf8').includes('hwdge'));
  });

  it('advise --try --write writes it, and the gain is what a run of the written file has', () => {
    const copy = path.join(folder, 'matmul_tiled.py');
    fs.copyFileSync(EXAMPLE, copy);
    const { before_ns, after_ns, differing, told_percent, gain_percent } = json('advise', copy, '--try', 'hardware-descriptors', '--write');
    assert.deepEqual(differing, []);
    assert.ok(after_ns < before_ns && Math.abs(told_percent - gain_percent) < 10);
    assert.equal(json('capture', copy, '-s', path.join(folder, 'written.nkiprof')).total_time_ns, after_ns);
  });

  it('say what is wrong with a question or a profile', () => {
    const says = (status: number, message: RegExp, ...args: string[]) => {
      const ended = run(...args);
      assert.equal(ended.status, status, ended.stderr);
      assert.match(ended.stderr, message);
    };
    says(2, /--speed of what/, 'whatif', '-s', profile, '--speed', '2');
    says(2, /--speed fast: a number above 0, or inf/, 'whatif', '-s', profile, '--resource', 'HBM', '--speed', 'fast');
    says(2, /write it as --line kernel.py:12/, 'whatif', '-s', profile, '--line', '12');
    says(2, /name a profile with -s or a Python file, not both/, 'advise', EXAMPLE, '-s', profile);
    says(2, /name a Python file, or a profile with -s FILE/, 'advise');
    says(2, /--engine goes with --line FILE:N/, 'whatif', '-s', profile, '--engine', 'Scalar');
    const product = ['-s', profile, '--line', 'matmul_tiled.py:33'];
    says(1, /line 33 on Scalar is not possible: .* runs on Tensor only/, 'whatif', ...product, '--engine', 'Scalar');
    says(2, /--on trn9: there are trn1/, 'whatif', EXAMPLE, '--on', 'trn9');
    says(2, /--on needs FILE.py/, 'whatif', '-s', profile, '--on', 'trn1');
    says(2, /--try needs FILE.py/, 'advise', '-s', profile, '--try', 'hardware-descriptors');
    says(2, /--constants needs FILE.py/, 'advise', '-s', profile, '--constants');
    says(2, /--write goes with --try/, 'advise', EXAMPLE, '--write');
    says(2, /there is no edit for merge-dmas here; there are edits for: /, 'advise', EXAMPLE, '--try', 'merge-dmas');
    says(1, /there is no resource Abacus in this profile; there are Tensor, /, 'whatif', '-s', profile, '--resource', 'Abacus');
    says(1, /no instruction comes from matmul_tiled.py:1\b/, 'whatif', '-s', profile, '--line', 'matmul_tiled.py:1');
    const old = path.join(folder, 'old.nkiprof');
    const { timing, ...rest } = decodeNkiprof(fs.readFileSync(profile));
    fs.writeFileSync(old, packNkiprof(encodeProfile(rest)));
    says(1, /made by an older version.*Capture the kernel again/, 'advise', '-s', old);
  });
});
