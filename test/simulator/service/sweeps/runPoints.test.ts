/** Sweeps through real processes: rows in order, each point once, workers that die, cancelling and going on. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { FinishedPoints } from '../../../../src/simulator/service/sweeps/finishedPoints';
import { runPoints } from '../../../../src/simulator/service/sweeps/runPoints';
import { plannedPoints, type SweepDescription, sweepPlan } from '../../../../src/simulator/variants/description';
import { rowJson, type VariantRow } from '../../../../src/simulator/variants/table';
import { testDist } from '../../../support/dist';
import { temporaryFolder } from '../../../support/temporary';

const KERNEL = `import nki
import nki.isa as nisa
import nki.language as nl
from helper import STEP
TILE = 128


@nki.jit
def double(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for k in range(0, a.shape[1], TILE):
        tile = nl.ndarray((128, TILE), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=a[:, k:k + TILE])
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=float(STEP))
        nisa.dma_copy(dst=out[:, k:k + TILE], src=tile)
    return out
`;
const SPACE: SweepDescription = {
  kernel: 'double',
  args: { a: 'bf16[128,{512,1024}]' },
  set: { TILE: '64:256:*2,300' },
  target: 'trn2',
};

describe('running the points of a sweep @long', () => {
  const folder = temporaryFolder();
  let file: string;

  beforeEach(() => {
    file = folder.write('space/kernel.py', KERNEL);
    folder.write('space/helper.py', 'STEP = 1\n');
    fs.rmSync(folder.path('points'), { recursive: true, force: true });
  });

  async function ran(
    options: { kept?: string; onRow?: (row: VariantRow) => void; signal?: AbortSignal; jobs?: number; model?: string } = {},
  ) {
    const plan = sweepPlan(SPACE, { file, root: folder.path('space'), numerics: 'off' }, KERNEL);
    const { kept, onRow, signal, jobs = 2, model = 'model' } = options;
    const finished = kept === undefined ? undefined : new FinishedPoints(folder.path(kept), model, file);
    const known: boolean[] = [];
    const listener = (row: VariantRow, isKept: boolean) => {
      known.push(isKept);
      onRow?.(row);
    };
    try {
      const rows = await runPoints(plan, plannedPoints(plan), { dist: await testDist(), jobs, finished, onRow: listener }, signal);
      return { rows, table: JSON.stringify(rows.map(rowJson)), again: known.filter(isKept => isKept).length };
    } finally {
      finished?.close();
    }
  }

  it('gives a row for each point in the order of the grid, with errors of those that do not run', async () => {
    const { rows } = await ran();
    assert.deepEqual(
      rows.map(({ index, parameters }) => [index, parameters['a[1]'], parameters.TILE]),
      [512, 1024].flatMap((size, k) => [64, 128, 256, 300].map((tile, j) => [4 * k + j, size, tile])),
    );
    const failed = rows.filter(row => row.error !== null);
    assert.deepEqual(
      failed.map(row => row.parameters.TILE),
      [300, 300],
    );
    assert.match(failed[0].error!, /^kernel\.py:13: /);
    for (const row of rows.filter(each => each.error === null)) {
      assert.ok(row.totalTimeNs! > 0 && row.likelyNs![0] < row.likelyNs![1] && row.instructions! > 0);
      // in and out share one tile at a time, and 128 partitions of two bytes an element
      assert.equal(row.sbufPeakBytes! % (128 * 2 * Number(row.parameters.TILE)), 0);
      assert.equal(row.psumPeakBytes, 0);
    }
  });

  it('gives the same table in one process and in two', async () => {
    assert.equal((await ran({ jobs: 1 })).table, (await ran({ jobs: 2 })).table);
  });

  it('loses and repeats nothing when a process for kernels is killed', async () => {
    const calm = await ran();
    let seen = 0;
    let killed: number[] = [];
    const { rows, table } = await ran({
      onRow: () => {
        if (++seen !== 2) return;
        killed = sandboxes(folder.path('space'));
        for (const pid of killed) process.kill(pid, 'SIGKILL');
      },
    });
    assert.ok(killed.length > 0);
    assert.equal(table, calm.table);
    assert.equal(new Set(rows.map(({ index }) => index)).size, rows.length);
  });

  it('goes on where it was stopped', async () => {
    const whole = await ran();
    const controller = new AbortController();
    let seen = 0;
    const part = await ran({ kept: 'points', signal: controller.signal, onRow: () => ++seen === 3 && controller.abort() });
    assert.ok(part.rows.length >= 3 && part.rows.length < whole.rows.length);
    const rest = await ran({ kept: 'points' });
    assert.equal(rest.again, part.rows.length);
    assert.equal(rest.table, whole.table);
    assert.equal((await ran({ kept: 'points' })).again, whole.rows.length);
  });

  it('runs points again after a change of what they read, and of the model', async () => {
    const { rows } = await ran({ kept: 'points' });
    folder.write('space/helper.py', 'STEP = 2\n');
    assert.equal((await ran({ kept: 'points' })).again, 0);
    folder.write('space/helper.py', 'STEP = 1\n');
    assert.equal((await ran({ kept: 'points' })).again, rows.length);
    folder.write('space/unread.py', 'x = 1\n');
    assert.equal((await ran({ kept: 'points' })).again, rows.length);
    assert.equal((await ran({ kept: 'points', model: 'other' })).again, 0);
  });
});

/** Processes for kernels of this folder. */
function sandboxes(root: string): number[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  const rows = stdout.split('\n').filter(row => row.includes('sandbox.mjs') && row.includes(root));
  return rows.map(row => Number(row.trim().split(' ')[0]));
}
