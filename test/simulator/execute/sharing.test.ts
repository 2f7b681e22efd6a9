/** Products that two threads carry out together: each piece once, the very numbers of one thread, and an end. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { matmulReference } from '../../../src/simulator/execute/kernels';
import { MatmulModule } from '../../../src/simulator/execute/wasm/matmul';
import { MOST_PIECES, offerShares, type SharedWork, Sharing } from '../../../src/simulator/execute/wasm/sharing';
import { WasmSpace } from '../../../src/simulator/execute/wasm/space';
import { testDist } from '../../support/dist';
import { random } from '../../support/values';

/** One small tile at the start of the memory for each piece, in the words of `matmul.ts`. */
const TINY = [0, 0, 1, 1, 0, 1, 1, 1, 4096, 64, 1];
const PIECES = 8;
const ATTEMPTS = 500;
const PIECE_MS = 5;

/** Whether somebody takes pieces from a thread that is slow. */
function isHelped({ words }: SharedWork): boolean {
  let own = 0;
  const slow = new Sharing(() => {
    own++;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIECE_MS);
  }, words);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    slow.run(PIECES, TINY);
    if (own < attempt * PIECES) return true;
  }
  return false;
}

describe('shared products', () => {
  it('gives each piece to one thread, the owner from the start and the other from the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MOST_PIECES }), fc.nat(), (pieces, seed) => {
        const taken: [owner: number[], other: number[]] = [[], []];
        const other = new Sharing(piece => taken[1].push(piece));
        const owner = new Sharing(piece => {
          taken[0].push(piece);
          if (taken[0].length === 1 + (seed % pieces)) other.take(false);
        }, other.shared);
        owner.run(pieces, []);
        const all = [...taken[0], ...[...taken[1]].reverse()];
        assert.deepEqual(
          all,
          Array.from({ length: pieces }, (_, k) => k),
        );
        assert.equal(taken[0].length, 1 + (seed % pieces));
        assert.equal(other.take(false), false);
      }),
      { seed: 91, numRuns: 200 },
    );
  });

  it('hands the job over with its pieces, one job after the other', () => {
    const seen: number[][] = [];
    const other = new Sharing((piece, job) => seen.push([piece, job[0]]));
    const owner = new Sharing(() => other.take(false), other.shared);
    for (let job = 0; job < 3; job++) owner.run(2, [job]);
    assert.deepEqual(seen, [
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
  });

  it('gives the numbers of the definition with a second thread over the same memory', async () => {
    const helper = pathToFileURL(path.join(await testDist(), 'helper.mjs'));
    const threads: Worker[] = [];
    const shares: SharedWork[] = [];
    offerShares(share => {
      shares.push(share);
      const { port1, port2 } = new MessageChannel();
      threads.push(new Worker(helper, { workerData: port2, transferList: [port2] }));
      port1.postMessage(share);
      port1.unref();
    });
    try {
      const module = new MatmulModule(new WasmSpace());
      const [k, m, n] = [64, 128, 256];
      const [a, b] = [1, 2].map((seed, side) => Float32Array.from(random(seed, k * [m, n][side], 'bfloat16', -8, 8)));
      const out = new Float32Array(m * n);
      const multiply = () => module.multiply({ values: a, stride: m }, { values: b, stride: n }, k, n, out, m, n);
      multiply();
      // the thread starts when this one comes to rest
      await new Promise(resolve => setTimeout(resolve, 200));
      for (let again = 1; again < 64; again++) multiply();
      const want = new Float32Array(m * n);
      for (let again = 0; again < 64; again++) matmulReference({ values: a, stride: m }, { values: b, stride: n }, k, m, n, want);
      assert.deepEqual(out, want);
      assert.ok(isHelped(shares[0]), 'the second thread took no piece');
    } finally {
      offerShares(() => {});
      await Promise.all(threads.map(thread => thread.terminate()));
    }
    assert.equal(threads.length, 1);
  });
});
