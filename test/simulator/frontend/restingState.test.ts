/** Several runs in one interpreter: each finds it as the first one did, or the interpreter is given up. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import esbuild from 'esbuild';
import { testDist } from '../../support/dist';
import type { Printed } from '../../support/restingProbe';
import { temporaryFolder } from '../../support/temporary';

declare const NKI_SCOPE_ROOT: string;

/** Says everything that a script before it could have changed, then changes it. */
const TRACES = `
import builtins, gc, json, math, os, random, sys
import numpy as np
import nki.language as nl

print(json.dumps([
    math.pi, hasattr(builtins, "left"), os.getcwd(), os.environ.get("LEFT"), sorted(sys.modules), list(sys.path), random.random(),
    len(os.listdir("/tmp")), os.stat("/tmp").st_ino, id(object()), len(gc.get_objects()), sys.getrecursionlimit(), os.umask(0o22),
    hasattr(nl, "left"), hasattr(np, "left"),
]))
math.pi = 3
builtins.left = nl.left = np.left = [1]
os.environ["LEFT"] = "1"
os.chdir("/tmp")
sys.path.append("/left")
sys.setrecursionlimit(500)
import decimal, left_module
sys.stdout = None
kept = open(left_module.__file__)
hog = bytearray(64 * 2**20)
`;

describe('resting state of the interpreter', () => {
  const folder = temporaryFolder();
  let probe: string;

  before(async () => {
    folder.write('space/left_module.py', 'x = 1\n');
    probe = path.join(await testDist(), 'restingProbe.mjs');
    await esbuild.build({
      absWorkingDir: NKI_SCOPE_ROOT,
      entryPoints: ['test/support/restingProbe.ts'],
      outfile: probe,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
  });
  after(() => fs.rmSync(probe, { force: true }));

  async function runs(...scripts: string[]): Promise<Printed[]> {
    const workerData = { dist: await testDist(), root: folder.path('space'), scripts };
    const worker = new Worker(pathToFileURL(probe), { workerData, env: {}, execArgv: [] });
    try {
      return await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    } finally {
      await worker.terminate();
    }
  }

  it('shows a script nothing of those before it', async () => {
    const [first, ...others] = await runs(TRACES, TRACES, TRACES);
    assert.match(first.printed, /^\[3\.14159/);
    assert.equal(others.length, 2);
    for (const other of others) assert.deepEqual(other, first);
    assert.equal(first.isReady, true);
  });

  it('survives errors of scripts', async () => {
    const failing = ['1 / 0', 'def f(): f()\nf()', 'import sys\nsys.exit(3)', 'syntax error'];
    const told = await runs(...failing, TRACES);
    assert.deepEqual(
      told.map(({ isReady }) => isReady),
      [true, true, true, true, true],
    );
  });

  for (const [what, script] of Object.entries({
    'a file of its own was made': 'open("/tmp/left", "w").write("x")',
    'a file was made and removed': 'import os\nopen("/tmp/left", "w").close()\nos.remove("/tmp/left")\nos.mkdir("/tmp/other")',
    'a file of the interpreter was changed': 'import os, sys\nzip = [p for p in sys.path if p.endswith(".zip")][0]\nos.chmod(zip, 0o600)',
    'a file was written in place, with its time': `
import os, sys
zip = [p for p in sys.path if p.endswith(".zip")][0]
was = os.stat(zip)
with open(zip, "r+b") as file:
    file.write(b"P")
os.utime(zip, ns=(was.st_atime_ns, was.st_mtime_ns))`,
    'its memory is too large to keep': 'hog = bytearray(700 * 2**20)',
  }))
    it(`is given up where ${what}`, async () => {
      const [run] = await runs(`${script}\nprint("done")`);
      assert.deepEqual(run, { printed: 'done\n', isReady: false });
    });
});
