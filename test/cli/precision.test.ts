/** `capture --precision-report` and `--reference` as scripts see them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { CLI } from '../support/built';
import { temporaryFolder } from '../support/temporary';

const KERNEL = `import numpy as np
import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def doubled(x):
    out = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    narrow = nl.ndarray(x.shape, dtype=nl.bfloat16, buffer=nl.sbuf)
    nisa.tensor_scalar(dst=narrow, data=tile, op0=nl.multiply, operand0=2.0)
    wide = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=wide, src=narrow)
    nisa.dma_copy(dst=out, src=wide)
    return out


def reference(x):
    return x * 2


def two(x):
    return x, x


if __name__ == "__main__":
    doubled(np.linspace(0, 1, 128 * 16).reshape(128, 16).astype(np.float32))
`;

/** 128 x 16 floats from 0 to 2. */
function npy(): Buffer {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (128, 16), }".padEnd(117, ' ');
  const values = Float32Array.from({ length: 2048 }, (_, i) => Math.fround(2 * Math.fround(i / 2047)));
  const head = Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([118, 0]), Buffer.from(`${header}\n`)]);
  return Buffer.concat([head, Buffer.from(values.buffer)]);
}

describe('precision and references', () => {
  const folder = temporaryFolder();
  let file: string;

  const capture = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'capture', file, ...args], {
      cwd: folder.path(),
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const json = (...args: string[]) => {
    const { status, stdout, stderr } = capture(...args, '--json');
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };
  const call = ['--kernel', 'doubled', '--arg', 'x=fp32[128,16]'];

  before(() => {
    file = folder.write('doubled.py', KERNEL);
  });

  it('say by line what is lost, and mark the line that loses most', () => {
    const { precision } = json('--precision-report');
    assert.deepEqual(
      precision.lines.map((line: { line: number }) => line.line),
      [11, 13, 15, 16],
    );
    const [load, narrow, wide] = precision.lines;
    assert.deepEqual([load.written_error, narrow.read_error], [0, 0]);
    assert.ok(narrow.written_error > 1e-4 && narrow.written_error < 2 ** -8);
    assert.equal(wide.read_error, narrow.written_error);
    assert.equal(precision.outputs[0].relative_error, wide.written_error);
    const { stdout } = capture('--precision-report');
    assert.match(stdout, /doubled\.py:13 .* loses most/);
    assert.match(stdout, /^Output out against double precision: relative error \d/m);
  });

  it('compare with a function of the file, called with the same arguments', () => {
    const [found] = json(...call, '--reference', 'reference').references;
    assert.equal(found.against, 'reference');
    assert.ok(found.relative_error > 1e-4 && found.relative_error < 2 ** -8, 'the arguments are random, not zeros');
    assert.ok(found.cosine > 0.9999 && found.mse > 0);
  });

  it('compare with an array of a file', () => {
    const reference = folder.write('expected.npy', npy());
    const { references } = json('--reference', reference);
    assert.equal(path.basename(references[0].against), 'expected.npy');
    assert.ok(references[0].relative_error < 2 ** -8 && references[0].relative_error > 0);
    assert.ok(references[0].largest_error <= 2 ** -8);
  });

  it('say what is wrong with a reference', () => {
    const wrong = (...args: string[]) => {
      const { status, stderr } = capture(...args);
      assert.notEqual(status, 0);
      return stderr;
    };
    assert.match(wrong('--reference', 'reference'), /a function needs --kernel/);
    assert.match(wrong('--reference', 'gone.npy'), /gone\.npy: not a file/);
    assert.match(wrong(...call, '--reference', 'absent'), /doubled\.py has no function absent/);
    assert.match(wrong(...call, '--reference', 'two'), /two returns 2 arrays, and the kernel has 1 outputs?/);
    const other = folder.write('other.npy', KERNEL);
    assert.match(wrong('--reference', other), /it is not a \.npy file/);
  });
});
