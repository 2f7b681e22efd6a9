/** The host process that our Python package starts for the user's own runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { encodeMessage, MessageReader } from '../../../src/simulator/frontend/wire';
import { itWithPython } from '../../support/built';
import { testDist } from '../../support/dist';
import { temporaryFolder } from '../../support/temporary';

const SCRIPT = `
import nki, nki.isa as nisa, nki.language as nl
from nki._record.wire import host

@nki.benchmark(save_trace_name="mine.ntff")
def copy(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    nisa.dma_copy(dst=out, src=tile)
    return out

import struct
a = host.put("float32", (2, 2), struct.pack("<4f", 1, 2, 3, 4))
print(copy(a).tobytes() == a.tobytes())
`;

describe('host process', () => {
  const folder = temporaryFolder();

  it('answers on standard output, prints nothing else and ends with its input', async () => {
    const dist = await testDist();
    const requests = [
      encodeMessage({ call: 'array.put', dtype: 'int8', shape: [3] }, Uint8Array.of(1, 2, 3)),
      encodeMessage({ call: 'array.get', array: 1 }),
    ];
    const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(dist, 'host.mjs')], {
      input: Buffer.concat(requests.flat()),
    });
    assert.deepEqual([status, stderr.toString()], [0, '']);
    const reader = new MessageReader();
    const replies = reader.push(stdout);
    assert.equal(reader.pending, false);
    assert.deepEqual(
      replies.map(r => [r.header, [...r.payload]]),
      [
        [{ ok: { array: 1 } }, []],
        [{ ok: {} }, [1, 2, 3]],
      ],
    );
  });

  itWithPython()(`serves PYTHONPATH=dist/python python file.py`, async () => {
    const dist = await testDist();
    const file = folder.write('file.py', SCRIPT);
    const env = { ...process.env, PYTHONPATH: path.join(dist, 'python'), NKI_SCOPE_NODE: process.execPath };
    const { stdout, stderr, status } = spawnSync('python3', [file], { env, cwd: folder.path(), encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /True/);
    assert.ok(fs.existsSync(folder.path('mine.nkiprof')));
  });
});
