// The accuracy of modelled times as a page: kernels against published times, and recorded profiles replayed. Writes
// docs/ACCURACY.md and the figures that profiles quote about themselves. Usage: node scripts/accuracy.mjs [TRACE.json]...
// Without traces the table of replays stays as it is.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { root } from './install.mjs';

const dist = path.join(root, 'dist');
const page = path.join(root, 'docs', 'ACCURACY.md');
const figures = path.join(root, 'src', 'simulator', 'hardware', 'measured-accuracy.ts');
const traces = process.argv.slice(2).filter(argument => argument.endsWith('.json'));

function cli(...args) {
  const run = spawnSync(process.execPath, [path.join(dist, 'cli.js'), ...args, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

const signed = (value, digits = 1) => `${value >= 0 ? '+' : ''}${value.toFixed(digits)} %`;
const time = ns => (ns >= 1e6 ? `${(ns / 1e6).toPrecision(3)} ms` : ns >= 1e3 ? `${(ns / 1e3).toPrecision(3)} µs` : `${ns.toFixed(0)} ns`);
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');

/** Rows of single instructions and transfers, from the sources. */
async function instructionRows() {
  const outfile = path.join(root, 'out', `instructions-${process.pid}.mjs`);
  const entryPoints = [path.join(root, 'bench', 'fidelity', 'instructions.ts')];
  await esbuild.build({ absWorkingDir: root, entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  const module = await import(pathToFileURL(outfile).href);
  fs.rmSync(outfile);
  return module;
}

const { INSTRUCTION_ROWS, EXPLANATIONS, instructionError } = await instructionRows();
const explained = INSTRUCTION_ROWS.filter(row => row.id in EXPLANATIONS);
const instructions = table(
  ['row', 'measured', 'modelled', 'error', 'why'],
  explained.map(row => {
    const unit = row.unit ?? 'ns';
    const figure = value => `${unit === 'ns' ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
    return [`\`${row.id}\``, figure(row.measured), figure(row.modelled()), signed(instructionError(row)), EXPLANATIONS[row.id].why];
  }),
);

const { rows, tables } = cli('fidelity');
const summary = table(
  ['table', 'rows', 'mean error', 'bias', 'worst', 'busiest engine alone', 'sum of all costs'],
  tables.map(({ name, model, busiest, sum }) => [
    name,
    model.rows,
    `${model.mean_absolute_percent.toFixed(1)} %`,
    signed(model.bias_percent),
    signed(model.worst_percent),
    `${busiest.mean_absolute_percent.toFixed(0)} %`,
    `${sum.mean_absolute_percent.toFixed(0)} %`,
  ]),
);
const kernels = tables
  .map(({ name }) => {
    const own = rows.filter(row => row.table === name);
    const lines = own.map(r => [
      `\`${r.id}\``,
      r.metric.replaceAll('|', '/'),
      time(r.measured_ns),
      time(r.modelled_ns),
      signed(r.error_percent),
      time(r.busiest_ns),
      time(r.sum_ns),
    ]);
    return `### ${name}\n\n${table(['row', 'metric', 'measured', 'modelled', 'error', 'busiest', 'sum'], lines)}`;
  })
  .join('\n\n');

/** Constants of the rewriting pipeline, halved and doubled (scripts/sensitivity.mjs). */
function sensitivity() {
  const {
    rows: counted,
    movedPoints,
    now,
    results,
  } = JSON.parse(fs.readFileSync(path.join(root, 'bench', 'fidelity', 'sensitivity.json'), 'utf8'));
  const names = Object.keys(now);
  const of = errors => names.map(name => `${errors[name].toFixed(1)} %`).join(' / ');
  const list = ids => (ids ? ids.map(id => `\`${id}\``).join(', ') || 'none' : 'not listed');
  const lines = results.map(({ name, what, value, changed: [less, more] }) => [
    `\`${name}\``,
    what,
    value,
    `${less.value}: ${of(less.errors)}`,
    `${more.value}: ${of(more.errors)}`,
    `${list(less.moved)}; ${list(more.moved)}`,
  ]);
  const head = `Mean errors of ${counted} rewritten rows (${names.join(' / ')}) with each constant halved and doubled; as they are: ${of(now)}. \`node scripts/sensitivity.mjs\` measures it.`;
  return `${head}\n\n${table(['constant', 'what it is', 'value', 'halved', 'doubled', `rows that move by more than ${movedPoints} points (halved; doubled)`], lines)}`;
}

const replays = traces.map(file => [path.basename(file, '.json'), cli('replay', file)]);
const replayed =
  replays.length === 0
    ? fs.existsSync(page)
      ? (/## Replay\n[\s\S]*?\n(\| profile [\s\S]*?)\n\n## /.exec(fs.readFileSync(page, 'utf8'))?.[1] ?? '')
      : ''
    : table(
        ['profile', 'recorded body', 'modelled body', 'error'],
        replays.map(([name, r]) => [name, time(r.recorded_body_ns), time(r.modelled_body_ns), signed(r.error_percent)]),
      );

fs.writeFileSync(
  page,
  `# How far modelled times can be trusted

Written by \`node scripts/accuracy.mjs\`. Every row is a time that somebody measured on hardware and published; its kernel is
ours, written after the description. \`bench/fidelity/rows.json\` names the sources. Mechanisms: [timing-model.md](timing-model.md).

Constants were calibrated on some of these rows, and each names the row it rests on: \`cs-tiled1\`, \`cs-tiled128\`, \`nkib-t1-silu\` (v2's
reciprocal), the VectorE times of \`nkib-t1-rope\` and \`mamba1-4k\` (v2's overhead of an instruction), the start and end of \`exp-250x512\`,
and the profiles replayed below. What those rows show is fit, not prediction.

Others shaped a mechanism without a constant that names them: the other columns of the NKIBench profiles (fp32 products as two MATMULs,
who copies, copies that are left out, loads that are shared), the pictures of the Mamba tutorial (rows repeated over partitions, read from
PSUM; space for what runs ahead), \`ac-gemm-4\` and \`rmsnorm_matmul\` (v2's weights), \`ak-mlp\` (shared loads), \`dma1-load\`. They are no
prediction either.

## Tables

The model beside two simpler ones: that a kernel takes as long as its busiest engine, and that nothing overlaps. Errors are
means of absolute percentages; above zero the model is slow.

${summary}

*literal*: kernels that run as written. *rewritten*: legacy kernels that the compiler's middle end changes. *spilling*: legacy
kernels for which it also has to spill.

## Replay

Recorded instruction streams with our times (\`replay TRACE.json\`): errors of the timing model without those of lowering. The
profiles are those of allenkchau/trainium-kernel-fusion at d709ddf; give their files as arguments to refresh this table.

${replayed}

## Single instructions and transfers

Of ${INSTRUCTION_ROWS.length} measured ones, ${INSTRUCTION_ROWS.length - explained.length} are modelled within 5 %; \`bench/fidelity/instructions.ts\` has them all, and a test holds them. The others:

${instructions}

## Kernels

${kernels}

## Constants that nobody measured

The compiler's scheduler is not published; ours has constants that were chosen. ${sensitivity()}

## What is not modelled, and where not to believe a time

- **Trn3**: no public measurement of any instruction exists. Clocks and rates are documented, everything fixed is as on Trn2.
- **Trn1/Inf2**: few single instructions were measured; fixed latencies are mostly those of Trn2. \`exp-250x512\` comes out short: its second
  tile is masked and goes by software descriptors, which on Trn1 take microseconds; not modelled. VectorE idles a quarter of the time in
  the profiles of \`nkib-t1-silu\` and \`nkib-t1-rope\`, for a reason that they do not show; the model keeps it busy. In each pass of
  \`nkib-t1-rope\` it idles 2.4 us, about what a load and the copy after it take, as if the passes of its Python \`range\` did not overlap, and
  ScalarE works for three copies where the kernel has one: neither is documented, and one kernel is no reason for a rule.
- **Rewritten kernels**: where intermediate tiles lie is the kernel's word; the compiler of \`nkib-t1-adamw\` put three of nine into PSUM,
  where VectorE reads them faster. Merged copies of several tiles (four transposed tiles of fp32 leave PSUM by one copy in the profile of
  \`nkib-t1-matmul\`), merged reductions and stores, fused arithmetic and the choice between VectorE and GpSimd are not modelled. The profile of
  \`nkib-t1-matmul\` loads its right side 32 times and is bound by that; the model keeps it on chip and is bound by TensorE: near for another
  reason. \`ac-gemm-1\` makes half of the left side's loads of \`ac-gemm-0\`, is 37 % slower on hardware and faster here: with every load made, one
  moves 168 GB/s and the other 256, and nothing published says why.
- **Spills** follow a rule of our own (farthest next use); AWS's is not published. \`nkib-t1-bmm\` spills on hardware (13 MB saved, 34 MB loaded
  back) and fits in the model. Profiles of the Mamba tutorial spill with half of SBUF in use; here it is full first.
- **DMA**: every transfer meets the same latency; recorded ones vary by 10 % and more. Requests of two queues to HBM do not disturb
  each other beyond sharing the rate. Elements below 512 bytes cost what their packets cost. Transposes
  of shapes that are no multiples of 128 by 16 are slower by an amount that is not published.
- **Long strides**: half of the bandwidth is documented for v2 and assumed for v3 and v4; weights with such strides load as any others.
- **\`tensor_tensor\`, GpSimd, static DMA rings**: fixed parts are assumed.
- **The PE clock's windows** have an unknown phase: a short dense kernel may run at full or half rate by chance.
- **The scheduler's space** (\`NEAR\`, \`FAR\`): no document says how far AWS's scheduler runs ahead. A dozen rows hang on \`NEAR\`, two of them on
  its last 15 %; with all of the space these rows come out a little better, which was not measured on the longest ones. With \`FAR\` at 1, the four
  \`ak-mlp\` rows of 512x1024x2048 alone raise the mean of Trn2.
- **PSUM bank conflicts, the bus that VectorE's fast modes share with GpSimd on v3 and v4, collectives, a second core** are not modelled: the
  guides name the first two without a cost.
`,
);

/** Worst cases keep their sign. */
const quoted = tables.map(
  ({ name, model }) =>
    `  '${name.replace('rewritten', 'rewriting')}': { rows: ${model.rows}, meanPercent: ${Number(model.mean_absolute_percent.toFixed(1))}, worstPercent: ${Number(model.worst_percent.toFixed(0))} },\n`,
);
fs.writeFileSync(
  figures,
  `/** How far whole kernels were off their published times, by pipeline and target. Written by scripts/accuracy.mjs; do not edit. */
export const MEASURED_ACCURACY: Readonly<Record<string, { rows: number; meanPercent: number; worstPercent: number }>> = {
${quoted.join('')}};
`,
);
console.log(summary);
