// Seconds that the values of RANKS=4 ranks take, in one thread and in threads of their own (`executor.ts`): of instructions of the vector
// engines, and of matmuls, with collectives between them. Without recording; with the start of the threads. Large products are shared by
// two threads where one thread computes all other values.
import os from 'node:os';
import path from 'node:path';
import { dist, simulator } from './support/build.mjs';
import { kernelFile } from './support/kernels.mjs';
import { median, printTable } from './support/table.mjs';

const RANKS = Number(process.env.RANKS ?? 4);
const RUNS = Number(process.env.RUNS ?? 3);
/** Divides the work of each rank: to find where threads begin to pay. */
const SHARE = Number(process.env.SHARE ?? 1);
const MB = 2 ** 20;
const SAMPLE_MS = 20;

/** Rounds of instructions on `a` and `b`, the tile of the kernel's own, with a collective after each. */
const kernelText = ({ tile, rounds, times, round, after = [], reduce }) => `import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl


@nki.jit
def steps(x):
    src = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    dst = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    a = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    b = nl.ndarray(x.shape, dtype=${tile})
    nisa.dma_copy(dst=a, src=x)
    for _ in range(${rounds}):
        for _ in range(${Math.max(1, Math.round(times / SHARE))}):
${round.map(line => `            ${line}\n`).join('')}${after.map(line => `        ${line}\n`).join('')}        nisa.dma_copy(dst=src, src=a)
        ncc.all_reduce([src], [dst], ncc.ReplicaGroup([list(range(${RANKS}))]), ${reduce})
        nisa.dma_copy(dst=a, src=dst)
    nisa.dma_copy(dst=out, src=a)
    return out
`;

/** Between two collectives: activations and additions of [128, 512] float32. */
const VECTOR = {
  shape: 'fp32[128,512]',
  text: kernelText({
    tile: 'x.dtype, buffer=nl.sbuf',
    rounds: 8,
    times: 150,
    round: ['nisa.activation(dst=b, data=a, op=nl.tanh)', 'nisa.tensor_tensor(dst=a, data1=a, data2=b, op=nl.add)'],
    reduce: 'nl.add',
  }),
};

/** Between two collectives: products of 128 x 128 x 512, bfloat16. */
const MATMUL = {
  shape: 'bf16[128,512]',
  text: kernelText({
    tile: 'nl.float32, buffer=nl.psum',
    rounds: 4,
    times: 400,
    round: ['nisa.nc_matmul(dst=b, stationary=a[0:128, 0:128], moving=a)'],
    after: ['nisa.tensor_copy(dst=a, src=b)'],
    reduce: 'nl.maximum',
  }),
};

const { CaptureThreads } = await simulator();

/** In threads of this process, whose processor time and memory it knows then. */
async function capture(name, { shape, text }, recorders) {
  const threads = new CaptureThreads({ dist, keepSpare: false, saveProfile: () => Promise.reject(new Error('nothing is saved')) });
  const file = kernelFile(`${name}.py`, text);
  const kernel = { kernel: 'steps', args: { x: shape }, fill: 'random', ranks: RANKS };
  const request = { file, root: path.dirname(file), numerics: 'on', recorders, ...kernel };
  let peakBytes = 0;
  let before = null;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const onProgress = ({ phase }) => {
    if (phase === 'execute') before ??= process.cpuUsage();
  };
  try {
    const { error, runs, timingsMs } = await threads.capture({ request, inputs: new Map(), env: {}, askedAt: Date.now() }, { onProgress });
    if (error || runs.length !== RANKS) throw new Error(error?.message ?? `${runs.length} ranks`);
    const { user, system } = process.cpuUsage(before);
    const checksums = runs.map(({ outputs }) => outputs[0].checksum).join();
    return { seconds: timingsMs.execute / 1000, cpuSeconds: (user + system) / 1e6, peakBytes, checksums };
  } finally {
    clearInterval(sampler);
    threads.dispose();
  }
}

const cores = os.availableParallelism();
const counts = [...new Set([0, 2, cores])];
const rows = [];
for (const [name, kernel] of Object.entries({ vector: VECTOR, matmul: MATMUL })) {
  const samples = new Map(counts.map(count => [count, []]));
  // in turns, so that what else runs on the machine disturbs all alike
  for (let run = 0; run < RUNS; run++) for (const count of counts) samples.get(count).push(await capture(name, kernel, count));
  if (new Set([...samples.values()].flat().map(({ checksums }) => checksums)).size > 1) throw new Error('values depend on threads');
  const of = (count, value) => median(samples.get(count).map(value));
  const alone = of(0, ({ seconds }) => seconds);
  for (const count of counts) {
    const seconds = of(count, each => each.seconds);
    const columns = [seconds.toFixed(2), (alone / seconds).toFixed(2), of(count, each => each.cpuSeconds).toFixed(2)];
    rows.push([name, String(count), ...columns, Math.round(of(count, each => each.peakBytes) / MB)].map(String));
  }
}
console.log(`${RANKS} ranks, ${cores} cores, medians of ${RUNS} runs`);
printTable([['kernel', 'threads', 'seconds', 'times as fast', 'processor seconds', 'peak MB'], ...rows]);
