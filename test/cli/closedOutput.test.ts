/** Standard streams that nobody reads, or that are full: the built `dist/cli.js` ends as it would otherwise, or says what is wrong. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { CLI } from '../support/built';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';

/** Prints before and after a kernel whose tile does not fit into SBUF: an error of the checks. */
const TOO_LARGE = `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def kernel(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 100000), dtype=nl.float32, buffer=nl.sbuf)
    nisa.memset(tile, 0.0)
    nisa.dma_copy(dst=out, src=tile[:, 0:4])
    return out


print("hello")
kernel(np.ones((128, 4), dtype=np.float32))
print("bye")
`;

/** Where a device that is always full exists. */
const itWithFullDevice = fs.existsSync('/dev/full') ? it : it.skip;

describe('standard streams', () => {
  const folder = temporaryFolder();

  interface Streams {
    out?: 'closed' | 'full';
    err?: 'closed' | 'full';
  }

  async function ended(args: string[], { out, err }: Streams) {
    const full = fs.existsSync('/dev/full') ? fs.openSync('/dev/full', 'w') : 'ignore';
    const stdio = (how: Streams['out']) => (how === 'full' ? full : 'pipe');
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder.path(), stdio: ['ignore', stdio(out), stdio(err)] });
    if (typeof full === 'number') fs.closeSync(full);
    const said = { out: '', err: '' };
    child.stdout?.on('data', data => (said.out += data));
    child.stderr?.on('data', data => (said.err += data));
    // Long before it writes: Node alone takes tens of milliseconds to start.
    if (out === 'closed') child.stdout?.destroy();
    if (err === 'closed') child.stderr?.destroy();
    const code = await new Promise(resolve => child.on('close', resolve));
    return { code, ...said };
  }

  before(() => {
    folder.write('a.nkiprof', encodeNkiprof(syntheticProfile(300)));
    folder.write('b.nkiprof', encodeNkiprof({ ...syntheticProfile(300), totalTimeNs: syntheticProfile(300).totalTimeNs * 1.05 }));
    folder.write('large.py', TOO_LARGE);
    folder.write('raises.py', 'for k in range(10000):\n    print(k)\nraise ValueError("no")\n');
    const run = { file: 'raises.py', target: 'trn2' };
    folder.write('rows.json', JSON.stringify([{ id: 'one', metric: 'NCL latency', value: 20, unit: 'us', source: 'x', run }]));
  });

  /** Command -> its exit code. */
  const GATES: [args: string[], code: number][] = [
    [['compare', 'a.nkiprof', 'b.nkiprof', '--fail-above', '2'], 1],
    [['compare', 'a.nkiprof', 'b.nkiprof', '--fail-above', '2', '--json'], 1],
    [['compare', 'a.nkiprof', 'b.nkiprof', '--fail-above', '6'], 0],
    [['capture', 'large.py'], 1],
    [['capture', 'raises.py'], 1],
    [['run', 'large.py'], 1],
    [['run', 'raises.py'], 1],
    [['fidelity', '--rows', 'rows.json'], 1],
  ];

  for (const [args, code] of GATES)
    it(`${args.join(' ')} ends with ${code} also when nobody reads what it writes`, async () => {
      assert.equal((await ended(args, {})).code, code);
      const closed = await ended(args, { out: 'closed' });
      assert.equal(closed.code, code, closed.err);
      assert.doesNotMatch(closed.err, /EPIPE|own fault|\n {4}at /);
      assert.equal((await ended(args, { out: 'closed', err: 'closed' })).code, code);
    });

  it('a reader that has seen enough is no failure', async () => {
    const { code, err } = await ended(['view', '-s', 'a.nkiprof', '--output-format', 'csv'], { out: 'closed' });
    assert.deepEqual([code, err], [0, '']);
  });

  itWithFullDevice('a full disk under standard output is a sentence and exit code 1', async () => {
    for (const args of [
      ['compare', 'a.nkiprof', 'a.nkiprof'],
      ['view', '-s', 'a.nkiprof', '--output-format', 'csv'],
      ['--help'],
      ['python-path'],
    ]) {
      const { code, err } = await ended(args, { out: 'full' });
      assert.deepEqual([code, err], [1, 'nki-scope: cannot write to standard output: the disk is full\n'], args.join(' '));
    }
  });

  itWithFullDevice('a full disk under standard error changes no exit code', async () => {
    assert.equal((await ended(['compare', 'a.nkiprof', 'b.nkiprof', '--fail-above', '2'], { err: 'full' })).code, 1);
    assert.equal((await ended(['compare', 'a.nkiprof'], { err: 'full' })).code, 2);
    const { code, out } = await ended(['view', '-s', 'a.nkiprof', '--db-endpoint', 'x', '--output-format', 'summary-json'], {
      err: 'full',
    });
    assert.equal(code, 0);
    assert.ok(JSON.parse(out));
  });
});
