/** Ranks that threads record at the same time: the same profiles, values, messages and results as without them. */
import assert from 'node:assert/strict';
import { decodeProfile } from '../../../src/simulator/profile/codec';
import { SimulatorClient } from '../../../src/simulator/service/client';
import type { CaptureRequest } from '../../../src/simulator/session/capture';
import { testDist } from '../../support/dist';
import { temporaryFolder } from '../../support/temporary';

const RANKS = 4;

/** Ranks record different things: `more` copies, and what the kernel does in `extra`. */
const script = (extra: string, after = '', returned = 'out') => `import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
import numpy as np
from nki_scope import on_ranks

RANKS = ${RANKS}
found = []


@nki.jit
def total(x, more):
    src = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    dst = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    for _ in range(more):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    ${extra}
    nisa.dma_copy(dst=src, src=tile)
    ncc.all_reduce([src], [dst], ncc.ReplicaGroup([list(range(RANKS))]), nl.add)
    nisa.dma_copy(dst=out, src=dst)
    return ${returned}


inputs = [{"x": np.full((4, 8), rank + 1, np.float32), "more": rank % 3 + 1} for rank in range(RANKS)]
results = on_ranks(total, inputs)
${after}
`;
const TOTAL = 1 * 2 + 2 * 4 + 3 * 8 + 4 * 2;

describe('recorders @long', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let client: SimulatorClient | undefined;

  before(async () => {
    client = new SimulatorClient({ dist: await testDist() });
  });
  after(() => client?.dispose());

  async function capture(source: string, request: Partial<CaptureRequest> = {}, signal?: AbortSignal) {
    const file = folder.write('space/kernel.py', source);
    const printed: string[] = [];
    const listener = { onOutput: (text: string) => void printed.push(text) };
    const result = await client!.capture({ file, root: folder.path('space'), numerics: 'on', ...request }, listener, signal);
    return { ...result, printed: printed.join('') };
  }

  /** What comes of a script with and without recorders. */
  async function both(source: string) {
    const [alone, together] = [await capture(source, { recorders: 0 }), await capture(source, { recorders: 2 })];
    const told = ({ runs, error, printed }: typeof alone) => ({
      error: error && { kind: error.kind, message: error.message, line: error.line },
      printed,
      runs: runs.map(({ profile, outputs, checks }) => ({ profile: Buffer.from(profile).toString('base64'), outputs, checks })),
    });
    assert.deepEqual(told(together), told(alone));
    return together;
  }

  it('record what one interpreter records', async () => {
    const { error, runs, printed } = await both(script('', `print([float(result[0, 0]) for result in results])`));
    assert.equal(error, null);
    assert.equal(printed.trim(), `[${Array(RANKS).fill(`${TOTAL}.0`).join(', ')}]`);
    const lengths = runs.map(({ profile }) => decodeProfile(profile).instructions.startNs.length);
    assert.deepEqual(
      lengths.map(length => length - lengths[0]),
      [0, 1, 2, 0],
    );
  });

  it('know what the script has made before, hand over results of any shape, arguments that are written, and constants', async () => {
    const extra = `given = nl.shared_identity_matrix(8, dtype=nl.float32)
    nisa.tensor_tensor(dst=tile, data1=tile, data2=given[0:4, 0:8], op=nl.add)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=found[0])
    nisa.dma_copy(dst=x, src=tile)
    found.append(more)`;
    const after = `print(len(found) > 1)
for result, given in zip(results, inputs):
    print(float(result["a"][0][0, 1]), result["b"], float(given["x"][0, 1]))`;
    const source = script(extra, after, '{"a": (out, None), "b": [more, "text", 1.5]}').replace('found = []', 'found = [5.0]');
    const { error, printed } = await both(source);
    assert.equal(error, null);
    const lines = [1, 2, 3, 1].map((more, rank) => `${TOTAL + 4 * 5}.0 [${more}, 'text', 1.5] ${(rank + 1) * 2 ** more + 5}.0`);
    assert.equal(printed.trim(), ['True', ...lines].join('\n'));
  });

  it('record each rank by itself, as processes do: what one leaves in variables of the script is not there for the next', async () => {
    const source = script('found.append(more)', 'print(found)');
    assert.equal((await capture(source, { recorders: 0 })).printed.trim(), '[1, 2, 3]');
    assert.equal((await capture(source, { recorders: 2 })).printed.trim(), '[1]');
    // short ranks are not worth an interpreter of their own
    assert.equal((await capture(source)).printed.trim(), '[1, 2, 3]');
  });

  it('leave ranks that print, ask for values, return objects or fail to the interpreter that asked', async () => {
    const printing = await both(script('print("rank with", more)'));
    // the last rank is like the first, and is not recorded
    assert.match(printing.printed, /^(.*rank with [123]\n){3}$/);
    const asking = await both(script('if more == 2:\n        print(tile)'));
    assert.match(asking.printed, /\[8, 8, /);
    const caught = `try:
        if more > 1:
            print(tile)
            nisa.tensor_copy(dst=tile, src=tile)
    except Exception:
        pass`;
    await both(script(caught));
    await both(script('', 'print([type(result[1]).__name__ for result in results])', '(out, print)'));
    const failing = await both(script('if more == 3:\n        raise ValueError("no third")'));
    assert.equal(failing.error?.message, 'no third');
    const unfit = await both(
      script('if more == 3:\n        nl.ndarray((128, 1 << 20), dtype=nl.float32, buffer=nl.sbuf)[0:4, 0:8] = tile'),
    );
    assert.notEqual(unfit.error, null);
  });

  it('have the walls of every kernel’s interpreter, also after its memory has become theirs', async () => {
    const outside = folder.write('outside.txt', 'secret');
    folder.write('space/inside.txt', 'known');
    const reach = `def reached():
    def opened(path):
        with open(path) as file:
            return file.read()

    def imported(name):
        return __import__(name)

    def written():
        with open(INSIDE, "w") as file:
            file.write("x")

    tries = [lambda: opened(INSIDE), lambda: opened(OUTSIDE), written, lambda: imported("js"), lambda: imported("_pyodide_core"),
             lambda: imported("pyodide_js"), lambda: imported("subprocess").run(["true"]), lambda: imported("socket").socket()]
    found = 0
    for k, act in enumerate(tries):
        try:
            act()
            found += 1 << k
        except BaseException:
            pass
    return found


RANKS = `;
    const places = `INSIDE = ${JSON.stringify(folder.path('space/inside.txt'))}\nOUTSIDE = ${JSON.stringify(outside)}\n`;
    const source = script('more = reached()\n    for _ in range(more):\n        nisa.tensor_copy(dst=tile, src=tile)').replace(
      'RANKS = ',
      `${places}\n\n${reach}`,
    );
    const { error, runs } = await both(source);
    assert.equal(error, null);
    const counts = runs.map(({ profile }) => decodeProfile(profile).instructions.startNs.length);
    const plain = await capture(script(''), { recorders: 2 });
    // 1: only the file of the workspace was read
    const without = plain.runs.map(({ profile }) => decodeProfile(profile).instructions.startNs.length);
    assert.deepEqual(
      counts.map((count, rank) => count - without[rank]),
      [1, 1, 1, 1],
    );
  });

  it('serve a script that calls kernels on ranks again', async () => {
    const again = 'more = on_ranks(total, [{**own, "more": 4 - own["more"]} for own in inputs])\nprint(float(more[3][0, 0]))';
    const { error, runs } = await both(script('', again));
    assert.equal(error, null);
    assert.equal(runs.length, 2 * RANKS);
  });

  it('keep to the limit of instructions', async () => {
    const source = script('for _ in range(6000 * (more - 1)):\n        nisa.tensor_copy(dst=tile, src=tile)');
    const { error } = await capture(source, { recorders: 2, numerics: 'off', limits: { instructions: 4000 } });
    assert.equal(error?.kind, 'Limit');
  });

  it('end when the run is cancelled', async () => {
    const source = script('while more > 1:\n        pass');
    const controller = new AbortController();
    const stop = setTimeout(() => controller.abort(), 3000);
    const { error } = await capture(source, { recorders: 2, numerics: 'off' }, controller.signal);
    clearTimeout(stop);
    assert.equal(error?.kind, 'Cancelled');
  });
});
