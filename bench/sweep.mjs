// Points of a sweep per second and core, without the start of the interpreters: exp 250x512, and a matmul of some ten thousand instructions.
import path from 'node:path';
import { dist, simulator } from './support/build.mjs';
import { EXP, kernelFile } from './support/kernels.mjs';
import { printTable } from './support/table.mjs';

const MATMUL = `import nki
import nki.isa as nisa
import nki.language as nl
POINT = 0


@nki.jit
def matmul(lhs_t, rhs):
    out = nl.ndarray((lhs_t.shape[1], rhs.shape[1]), dtype=lhs_t.dtype, buffer=nl.shared_hbm)
    for m in range(lhs_t.shape[1] // 128):
        stationary = [nl.ndarray((128, 128), dtype=lhs_t.dtype, buffer=nl.sbuf) for _ in range(lhs_t.shape[0] // 128)]
        for k, tile in enumerate(stationary):
            nisa.dma_copy(dst=tile, src=lhs_t[k * 128:k * 128 + 128, m * 128:m * 128 + 128])
        for n in range(rhs.shape[1] // 512):
            acc = nl.ndarray((128, 512), dtype=nl.float32, buffer=nl.psum)
            for k, tile in enumerate(stationary):
                moving = nl.ndarray((128, 512), dtype=rhs.dtype, buffer=nl.sbuf)
                nisa.dma_copy(dst=moving, src=rhs[k * 128:k * 128 + 128, n * 512:n * 512 + 512])
                nisa.nc_matmul(dst=acc, stationary=tile, moving=moving)
            result = nl.ndarray((128, 512), dtype=out.dtype, buffer=nl.sbuf)
            nisa.tensor_copy(dst=result, src=acc)
            nisa.dma_copy(dst=out[m * 128:m * 128 + 128, n * 512:n * 512 + 512], src=result)
    return out
`;

const { plannedPoints, runPoints, sweepPlan } = await simulator();

/** Points before the clock starts: interpreters start, and the code is compiled and optimised. */
const WARM_POINTS = { exp: 60, matmul: 8 };

/** @returns a row of the table */
async function measured(name, source, description, points, warm, jobs) {
  const file = kernelFile(`${name}.py`, source);
  const set = { POINT: `0:${points + warm - 1}` };
  const plan = sweepPlan({ ...description, set }, { file, root: path.dirname(file), target: 'trn2', numerics: 'off' }, source);
  let done = 0;
  let began = 0;
  let instructions = 0;
  const cpu = process.cpuUsage();
  await runPoints(plan, plannedPoints(plan), {
    dist,
    jobs,
    onRow(row) {
      if (row.error) throw new Error(row.error);
      instructions = row.instructions;
      if (++done === warm) began = performance.now();
    },
  });
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return [
    name,
    String(instructions),
    String(jobs),
    (points / seconds).toFixed(1),
    (points / seconds / jobs).toFixed(1),
    `${((user + system) / 1e6).toFixed(1)} s`,
  ];
}

const exp = EXP.replace('\nexp(np', '\nPOINT = 0\nexp(np');
const product = { kernel: 'matmul', args: { lhs_t: 'bf16[2048,2048]', rhs: 'bf16[2048,6144]' } };
const rows = [];
for (const jobs of [1, 2]) {
  rows.push(await measured('exp 250x512', exp, {}, 300, WARM_POINTS.exp, jobs));
  rows.push(await measured('matmul', MATMUL, product, 24, WARM_POINTS.matmul, jobs));
}
printTable([['kernel', 'instructions', 'processes', 'points/s', 'points/s each', 'this process'], ...rows]);
