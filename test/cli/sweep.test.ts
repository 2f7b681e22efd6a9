/** `sweep` as scripts see it: the examples of docs/sweeps.md, JSON, files, places of points, wrong usage. Needs a built dist/. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { CLI } from '../support/built';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const PAGE = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'docs/sweeps.md'), 'utf8');
const KERNEL = path.join(NKI_SCOPE_ROOT, 'examples/nki/matmul_tiled.py');
const KEYS = ['parameters', 'total_time_ns', 'interval_ns', 'bound', 'instructions', 'sbuf_peak_bytes', 'psum_peak_bytes', 'error'];

/** The rows of a tile are a constant. */
const TUNED = `import nki
import nki.isa as nisa
import nki.language as nl
TILE = 32


@nki.jit
def tiles(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for row in range(0, a.shape[0], TILE):
        tile = nl.ndarray((TILE, a.shape[1]), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=a[row:row + TILE, :])
        nisa.activation(dst=tile, op=nl.exp, data=tile)
        nisa.dma_copy(dst=out[row:row + TILE, :], src=tile)
    return out
`;

describe('sweep', () => {
  const folder = temporaryFolder();
  const kept = () => ['--points-folder', folder.path('points')];
  const run = (...args: string[]) => spawnSync(process.execPath, [CLI, ...args], { cwd: folder.path(), encoding: 'utf8' });
  const space = () => ['--sweep', 'sizes', '--root', folder.path(), ...kept()];

  before(() => {
    folder.write('matmul.py', fs.readFileSync(KERNEL));
    folder.write('.vscode/nki-scope.json', /```json\n(.*?)```/s.exec(PAGE)![1]);
  });

  it('runs the example of its page', () => {
    const [, line] = /^ {4}node dist\/cli\.js (sweep examples.*)$/m.exec(PAGE)!;
    const args = line.split(' ').map(word => word.replaceAll('"', ''));
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args, ...kept()], { cwd: NKI_SCOPE_ROOT, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const [head, best] = stdout.split('\n');
    assert.match(head, /^rhs\[1\] +K +target +time +likely +bound +SBUF MiB +PSUM MiB/);
    assert.match(best, /µs +fastest/);
    assert.match(stdout, /^12 points\.$/m);
  });

  it('prints and writes the table of a space that is kept in the file of cases, the same each time', async () => {
    const { status, stdout, stderr } = run('sweep', 'matmul.py', ...space(), '--json', '--csv', 'a.csv', '--parquet', 'a.parquet');
    assert.equal(status, 0, stderr);
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    assert.equal(rows.length, 8);
    for (const row of rows) assert.deepEqual(Object.keys(row), KEYS);
    assert.deepEqual(rows[1].parameters, { 'rhs[1]': 512, K: 256, target: 'trn3' });
    assert.ok(rows.every(row => Number(row.total_time_ns) > 0 && row.error === null));
    const [low, high] = rows[0].interval_ns as number[];
    assert.ok(low < high);

    const csv = fs.readFileSync(folder.path('a.csv'), 'utf8');
    assert.match(
      csv,
      /^rhs\[1\],K,target,total_time_ns,interval_low_ns,interval_high_ns,bound,instructions,sbuf_peak_bytes,psum_peak_bytes,error\r\n512,256,trn2,/,
    );
    const bytes = fs.readFileSync(folder.path('a.parquet'));
    const table = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer });
    assert.deepEqual(
      table.map(row => [row['rhs[1]'], row.target]),
      rows.map(({ parameters }) => [(parameters as Record<string, unknown>)['rhs[1]'], (parameters as Record<string, unknown>).target]),
    );

    const anew = run('sweep', 'matmul.py', ...space(), '--no-resume', '--json', '--csv', 'b.csv', '--parquet', 'b.parquet');
    assert.equal(anew.stdout, stdout);
    assert.deepEqual(fs.readFileSync(folder.path('b.csv'), 'utf8'), csv);
    assert.deepEqual(fs.readFileSync(folder.path('b.parquet')), bytes);
  });

  it('lists its points, and runs some of them by their places', () => {
    const points = JSON.parse(run('sweep', 'matmul.py', ...space(), '--list').stdout);
    const { status, stdout } = run('sweep', 'matmul.py', ...space(), '--only', '5,2', '--json-lines');
    assert.equal(status, 0);
    const rows = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(rows.map(row => row.index).sort(), [2, 5]);
    for (const row of rows) {
      assert.deepEqual(Object.keys(row), ['index', ...KEYS]);
      assert.deepEqual(row.parameters, points[row.index as number]);
    }
  });

  it('ends in 1 where no point runs, and says why', () => {
    const { status, stdout } = run(
      'sweep',
      'matmul.py',
      '--kernel',
      'matmul_tiled',
      '--arg',
      'lhs_t=bf16[{256,384},128]',
      '--arg',
      'rhs=bf16[128,512]',
      ...kept(),
    );
    assert.equal(status, 1);
    assert.match(stdout, /2 points, 2 of them do not run/);
    assert.match(stdout, /matmul\.py:\d+: /);
  });

  it('tunes one problem, and says how sure it is', () => {
    const problem = ['--kernel', 'tiles', '--arg', 'a=fp32[256,512]', '--set', 'TILE=128,64', '--root', folder.path(), ...kept()];
    folder.write('tuned.py', TUNED);
    const { status, stdout, stderr } = run('tune', 'tuned.py', ...problem, '--json');
    assert.equal(status, 0, stderr);
    const tuned = JSON.parse(stdout);
    assert.deepEqual(Object.keys(tuned), [
      'best',
      'reason',
      'tried',
      'floor_ns',
      'above_floor_percent',
      'next',
      'rivals',
      'values',
      'rejected',
    ]);
    assert.deepEqual([tuned.best.parameters.TILE, tuned.reason, tuned.tried, tuned.values.verdict], [128, 'all tried', 2, 'same']);
    assert.match(run('tune', 'tuned.py', ...problem).stdout, /^TILE=128: [\d.]+ µs\n2 points were tried\. All points were tried\.\n/);
    const wrong = run('tune', 'matmul.py', ...space());
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /has several values: tune searches settings of one problem/);
  });

  it('says what is wrong with a space, and ends in 2', () => {
    const says = (message: RegExp, ...args: string[]) => {
      const { status, stderr } = run('sweep', 'matmul.py', ...args);
      assert.match(stderr, message);
      assert.equal(status, 2);
    };
    says(/assigns no TILE at its top level/, '--set', 'TILE=1');
    says(/the argument a needs a kernel/, '--arg', 'a=bf16[1]');
    says(/--sweep other: not in .*which has sizes/, '--sweep', 'other');
    says(/--only 8: the last point is 7/, ...space(), '--only', '8');
    says(/--jobs 0: a whole number from 1 up/, ...space(), '--jobs', '0');
    says(/target gpu: one of trn1/, '--target', 'gpu');
    says(/no parameter size; there are/, ...space(), '--where', 'size > 1');
  });
});
