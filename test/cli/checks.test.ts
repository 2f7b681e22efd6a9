/** What a run finds wrong, as the command line says it: `file:line: severity: message`, `checks` in JSON, the exit code. Needs a built dist/. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CLI } from '../support/built';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

/** `second`: the address of the second tile. */
const kernel = (rows: number, second: number) => `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def both(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    x = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf, address=(0, 0))
    y = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf, address=(0, ${second}))
    nisa.dma_copy(dst=x[0:${rows}], src=a[0:${rows}])
    nisa.dma_copy(dst=y, src=a)
    nisa.tensor_tensor(dst=y, data1=x, data2=y, op=nl.add)
    nisa.dma_copy(dst=out, src=y)
    return out


both(np.ones((128, 64), dtype=np.float32))
`;

describe('checks on the command line', () => {
  const folder = temporaryFolder();

  function run(command: string, source: string, ...options: string[]) {
    folder.write('k.py', source);
    const args = command === 'run' ? ['run', 'k.py'] : ['capture', 'k.py', '-s', 'k.nkiprof', ...options];
    return spawnSync(process.execPath, [CLI, ...args], { cwd: folder.path(), encoding: 'utf8' });
  }

  it('nothing to say of a kernel that is right', () => {
    const { status, stdout } = run('capture', kernel(128, 256), '--json');
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout).checks, []);
  });

  it('a warning names file and line, and ends in 0', () => {
    const text =
      /k\.py:14: warning: nki\.isa\.tensor_tensor reads x\[64:128, 0:64\], which nothing has written before \(x is allocated on line 10\)/;
    const captured = run('capture', kernel(64, 256));
    assert.equal(captured.status, 0);
    assert.match(captured.stdout, text);
    const ran = run('run', kernel(64, 256));
    assert.equal(ran.status, 0);
    assert.match(ran.stderr, text);
    const [check] = JSON.parse(run('capture', kernel(64, 256), '--json').stdout).checks;
    assert.deepEqual([check.severity, check.line, path.basename(check.file)], ['warning', 14, 'k.py']);
  });

  it('two cores that write half of a result each write all of it, and what neither writes is said once', () => {
    const halves = (rows: number) => `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def halves(a):
    out = nl.ndarray((128, 64), dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((64, 64), dtype=a.dtype, buffer=nl.sbuf)
    start = nl.program_id(0) * 64
    nisa.dma_copy(dst=tile, src=a[start:start + 64])
    nisa.dma_copy(dst=out[start:start + ${rows}], src=tile[0:${rows}])
    return out


halves[2](np.ones((128, 64), dtype=np.float32))
`;
    const whole = run('run', halves(64));
    assert.deepEqual([whole.status, whole.stderr], [0, '']);
    const part = run('run', halves(60));
    assert.match(part.stderr, /^k\.py:9: warning: out is returned, but .* 512 of 8,192 elements are missing, in out\[60:128, 0:64\]\n$/);
  });

  it('a data race between two cores is a warning on both lines, and the run is one', () => {
    const swap = (wait: string) => `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def swap(a):
    shared = nl.ndarray((128, 64), dtype=a.dtype, buffer=nl.shared_hbm)
    out = nl.ndarray((128, 64), dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((64, 64), dtype=a.dtype, buffer=nl.sbuf)
    own, other = nl.program_id(0) * 64, 64 - nl.program_id(0) * 64
    nisa.dma_copy(dst=tile, src=a[own:own + 64])
    nisa.dma_copy(dst=shared[own:own + 64], src=tile)
    ${wait}
    nisa.dma_copy(dst=tile, src=shared[other:other + 64])
    nisa.dma_copy(dst=out[own:own + 64], src=tile)
    return out


swap[2](np.ones((128, 64), dtype=np.float32))
`;
    const ordered = run('run', swap('nisa.core_barrier(shared, (0, 1))'));
    assert.deepEqual([ordered.status, ordered.stderr], [0, '']);
    const raced = run('run', swap('pass'));
    assert.match(
      raced.stderr,
      /^k\.py:14: warning: core (0 writes shared here and core 1|1 writes shared here and core 0) reads the same elements on line 16, .*\(a data race\)/m,
    );
    assert.match(
      raced.stderr,
      /^k\.py:16: warning: core (1 reads shared here and core 0|0 reads shared here and core 1) writes the same elements on line 14/m,
    );
    const { cores, total_time_ns, checks, runs } = JSON.parse(run('capture', swap('pass'), '--json').stdout);
    assert.equal(runs, undefined);
    assert.deepEqual(
      cores.map(({ core }: { core: number }) => core),
      [0, 1],
    );
    assert.equal(total_time_ns, Math.max(...cores.map((core: { total_time_ns: number }) => core.total_time_ns)));
    assert.equal(checks.filter(({ message }: { message: string }) => /data race/.test(message)).length, 2);
  });

  it('an error ends in 1, with the profile written all the same', () => {
    const { status, stdout } = run('capture', kernel(128, 128));
    assert.equal(status, 1);
    assert.match(stdout, /k\.py:14: error: nki\.isa\.tensor_tensor reads x \(line 10, SBUF bytes 0 to 255\), where line 13 has written y/);
    assert.ok(fs.existsSync(folder.path('k.nkiprof')));
  });
});
