/** `nki_scope` in the user's own Python, from the built package: files, the viewer, clusters, and the code of docs/python.md. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { modelVersion } from '../../src/simulator/service/sweeps/modelVersion';
import { DIST, itWithPython, pythonWith } from '../support/built';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

/** A function of points, told when it begins and ends. */
const POINTS = `import os
import time

import nki
import nki.isa as nisa
import nki.language as nl
from nki.typing import tensor
from nki_scope import profile

HERE = os.path.dirname(os.path.abspath(__file__))
OVER = {"columns": [32, 64, 96, 128, 160, 192], "times": [1, 2]}


@nki.jit
def double(a, times):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    for _ in range(times):
        nisa.tensor_tensor(dst=tile, data1=tile, data2=tile, op=nl.add)
    nisa.dma_copy(dst=out, src=tile)
    return out


def tell(*words):
    with open(os.path.join(HERE, "log"), "a") as log:
        log.write(" ".join(map(str, words)) + "\\n")


def run(columns, times):
    tell("begin", columns, times)
    found = profile(double, tensor[[128, columns], nl.float32], times)
    tell("end", columns, times)
    return found


def deadly(columns, times):
    tell("begin", columns, times)
    if (columns, times) == (96, 1) and not os.path.exists(os.path.join(HERE, "killed")):
        open(os.path.join(HERE, "killed"), "w").close()
        os.kill(os.getpid(), 9)
    found = profile(double, tensor[[128, columns], nl.float32], times)
    tell("end", columns, times)
    return found
`;

const ON_CLUSTER = `from dask.distributed import Client, LocalCluster

import points
from nki_scope import sweep

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        there = sweep(points.deadly, points.OVER, client=client, keep="kept")
    here = sweep(points.run, points.OVER)
    assert there == here, (there, here)
    print(len(there))
`;

describe('nki_scope', () => {
  const folder = temporaryFolder();
  const test = itWithPython();
  const numpy = itWithPython('numpy');

  function python(program: string, command = 'python3', cwd = folder.path()) {
    const paths = [path.join(DIST, 'python'), folder.path(), path.join(NKI_SCOPE_ROOT, 'examples/nki')].join(path.delimiter);
    const env = { ...process.env, PYTHONPATH: paths, NKI_SCOPE_NODE: process.execPath, NEURON_PLATFORM_TARGET_OVERRIDE: '' };
    const { status, stdout, stderr } = spawnSync(command, ['-c', program], { encoding: 'utf8', cwd, env });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  }
  const log = () => fs.readFileSync(folder.path('log'), 'utf8').trim().split('\n').filter(Boolean);

  before(() => {
    folder.write('points.py', POINTS);
  });
  beforeEach(() => {
    for (const name of ['log', 'kept', 'killed']) fs.rmSync(folder.path(name), { recursive: true, force: true });
    folder.write('log', '');
  });

  test('saves what it loads, and serves it in the viewer until the script ends', () => {
    const said = python(`
import urllib.request as web
import points
from nki_scope import Profile
found = points.run(64, 3)
again = Profile.load(found.save("double.nkiprof"))
assert again.line_records == found.line_records and again.total_ns == found.total_ns
address = found.view(open_browser=False)
browser = web.build_opener(web.HTTPCookieProcessor())
assert b"<html" in browser.open(address).read()
print(address)
`);
    assert.match(said, /^http:\/\/127\.0\.0\.1:\d+\//);
    const gone = spawnSync(process.execPath, ['-e', `fetch('${said}').then(() => process.exit(1), () => process.exit(0))`]);
    assert.equal(gone.status, 0, 'the viewer has ended with the script');
  });

  test('starts one engine for all of a process', () => {
    const count = python(`
import os, subprocess
import points
points.run(32, 1), points.run(64, 1)
print(len(subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "host.mjs"], stdout=subprocess.PIPE).stdout.split()))
`);
    assert.equal(count, '1');
  });

  test('gives lines as a DataFrame where pandas is installed', () => {
    folder.write(
      'with_pandas/pandas.py',
      'class DataFrame:\n    @staticmethod\n    def from_records(records):\n        return ("frame", records)\n',
    );
    const lines = (more: string) =>
      python(`import sys\n${more}\nimport points\nlines = points.run(32, 1).lines\nprint(type(lines).__name__)`);
    assert.equal(lines('sys.path.insert(0, "with_pandas")'), 'tuple');
    assert.equal(lines('sys.modules["pandas"] = None'), 'list');
  });

  test('knows the build by the same name as the sweeps of the command line', () => {
    assert.equal(python('from nki_scope.sweeps import _engine; print(_engine())'), modelVersion(DIST));
  });

  test('keeps finished points until the function, its files or the engine change', () => {
    const sweep = 'import points; from nki_scope import sweep; print(sweep(points.run, points.OVER, keep="kept"))';
    const first = python(sweep);
    assert.equal(log().length, 24);
    assert.equal(python(sweep), first);
    assert.equal(log().length, 24);
    fs.rmSync(folder.path('kept', fs.readdirSync(folder.path('kept'))[0]));
    assert.equal(python(sweep), first);
    assert.equal(log().length, 26);
    folder.write('points.py', POINTS.replace('op=nl.add', 'op=nl.subtract'));
    python(sweep);
    assert.equal(log().length, 50);
    folder.write('points.py', POINTS);
  });

  test('does parts that share a folder, and collects them without a run', () => {
    const whole = python('import points; from nki_scope import sweep; print(sweep(points.run, points.OVER))');
    folder.write('log', '');
    for (const k of [0, 1, 2])
      python(`import points; from nki_scope import sweep; assert len(sweep(points.run, points.OVER, part=(${k}, 3), keep="kept")) == 4`);
    assert.equal(python('import points; from nki_scope import sweep; print(sweep(points.run, points.OVER, keep="kept"))'), whole);
    assert.equal(log().length, 24);
  });

  const withDask = pythonWith('distributed');
  (withDask ? it : it.skip)('sweeps on a Dask cluster: one of two workers is killed, nothing is lost, nothing is done twice', () => {
    folder.write('on_cluster.py', ON_CLUSTER);
    const { status, stdout, stderr } = spawnSync(withDask!, ['on_cluster.py'], {
      encoding: 'utf8',
      cwd: folder.path(),
      env: {
        ...process.env,
        PYTHONPATH: [path.join(DIST, 'python'), folder.path()].join(path.delimiter),
        NKI_SCOPE_NODE: process.execPath,
      },
    });
    assert.equal(status, 0, stderr);
    assert.equal(stdout.trim(), '12');
    // the sweep in this process comes after that of the cluster
    const there = log().slice(0, 25);
    const ends = there.filter(line => line.startsWith('end')).sort();
    assert.equal(ends.length, 12);
    assert.equal(new Set(ends).size, 12);
    const begun = there.filter(line => line.startsWith('begin'));
    assert.deepEqual([begun.length, begun.filter(line => line === 'begin 96 1').length], [13, 2]);
  });

  describe('docs/python.md', () => {
    const blocks = [...fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'docs/python.md'), 'utf8').matchAll(/```python\n([\s\S]*?)```/g)].map(
      ([, code]) => code,
    );

    numpy('has code that runs', () => {
      assert.equal(blocks.length, 3);
      const root = folder.path();
      fs.cpSync(path.join(NKI_SCOPE_ROOT, 'examples'), folder.path('examples'), { recursive: true });
      const [first, tested, swept] = blocks;
      assert.match(python(first, 'python3', root), /^\d+\.\d+ \(\d+\.\d+, \d+\.\d+\) \[/);
      assert.ok(fs.existsSync(folder.path('softmax.nkiprof')));
      python(`${tested}\ntest_softmax_is_fast()`);
      assert.match(python(swept), /^\{'rows': 128, 'columns': 512, 'dtype': 'bfloat16'\} \d/);
      assert.equal(fs.readdirSync(folder.path('points')).length, 8);
    });
  });
});
