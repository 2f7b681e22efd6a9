// Ranks per second from a kernel call to their profiles, with none, one, two and more threads that record them: RANKS=32 ranks that record
// some INSTRUCTIONS=10000 instructions each, no two alike. Without the start of the first interpreter; with the start of the threads.
import os from 'node:os';
import path from 'node:path';
import { dist, simulator } from './support/build.mjs';
import { kernelFile } from './support/kernels.mjs';
import { median, printTable } from './support/table.mjs';

const RANKS = Number(process.env.RANKS ?? 32);
const INSTRUCTIONS = Number(process.env.INSTRUCTIONS ?? 10_000);
const RUNS = Number(process.env.RUNS ?? 3);

const SOURCE = `import nki
import nki.collectives as ncc
import nki.isa as nisa
import nki.language as nl
from nki.typing import tensor
from nki_scope import on_ranks

RANKS = ${RANKS}


@nki.jit
def steps(x, rank):
    src = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    dst = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    a = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    b = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=a, src=x)
    for _ in range(${Math.floor(INSTRUCTIONS / 2)} + rank):
        nisa.tensor_tensor(dst=b, data1=a, data2=a, op=nl.add)
        nisa.activation(dst=a, data=b, op=nl.copy)
    nisa.dma_copy(dst=src, src=a)
    ncc.all_reduce([src], [dst], ncc.ReplicaGroup([list(range(RANKS))]), nl.add)
    nisa.dma_copy(dst=out, src=dst)
    return out


on_ranks(steps, [{"x": tensor[[128, 64], nl.bfloat16], "rank": rank} for rank in range(RANKS)])
`;

const { CaptureThreads } = await simulator();
const file = kernelFile('steps.py', SOURCE);

/** In threads of this process, whose processor time it knows then. */
async function capture(recorders) {
  const threads = new CaptureThreads({ dist, keepSpare: false, saveProfile: () => Promise.reject(new Error('nothing is saved')) });
  const request = { file, root: path.dirname(file), numerics: 'off', recorders };
  const before = process.cpuUsage();
  try {
    const { error, runs, timingsMs } = await threads.capture({ request, inputs: new Map(), env: {}, askedAt: Date.now() });
    if (error || runs.length !== RANKS) throw new Error(error?.message ?? `${runs.length} ranks`);
    const { user, system } = process.cpuUsage(before);
    return { seconds: (timingsMs.total - timingsMs.start) / 1000, cpuSeconds: (user + system) / 1e6 };
  } finally {
    threads.dispose();
  }
}

const cores = os.availableParallelism();
const counts = [...new Set([0, 1, 2, cores])];
const samples = new Map(counts.map(count => [count, []]));
// in turns, so that what else runs on the machine disturbs all alike
for (let run = 0; run < RUNS; run++) for (const count of counts) samples.get(count).push(await capture(count));

console.log(`${RANKS} ranks of ${INSTRUCTIONS.toLocaleString('en')} instructions, ${cores} cores, medians of ${RUNS} runs`);
printTable([
  ['threads', 'ranks/s', 'seconds', 'processor seconds'],
  ...counts.map(count => {
    const seconds = median(samples.get(count).map(each => each.seconds));
    const cpuSeconds = median(samples.get(count).map(each => each.cpuSeconds));
    return [String(count), (RANKS / seconds).toFixed(2), seconds.toFixed(1), cpuSeconds.toFixed(1)];
  }),
]);
