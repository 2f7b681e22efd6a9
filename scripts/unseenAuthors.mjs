// Leave one author out, all in turn: what rests on an author's rows alone goes back to what documents and the rows of others say, and the
// author's own kernels are judged with that. Writes bench/fidelity/unseenAuthors.json, of which scripts/accuracy.mjs prints the tables.
// Usage: node scripts/unseenAuthors.mjs --sources FOLDER [--only WORD] [--missing]
// FOLDER: clones of what others published (scripts/accuracy.mjs says how). --only: rows whose id contains WORD; the others stay as they are in
// the file. --missing: rows that the file does not have yet, to go on with a run that was ended.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';
import { byAuthor, byFamily, byTable, overall } from './leftOutRows.mjs';
import { listed, measuredList, timeable } from './measuredRows.mjs';
import { sources, timeVariants } from './variants.mjs';

const resultFile = path.join(root, 'bench', 'fidelity', 'unseenAuthors.json');
/** Kernels that are timed with each of the constants that rest on one kernel, too. */
const SHORT_NS = 100_000;

const after = name => process.argv.flatMap((word, k) => (word === name ? [process.argv[k + 1]] : []));
const [clones] = after('--sources');
const [only = ''] = after('--only');
const missing = process.argv.includes('--missing');
if (!clones) throw new Error('--sources FOLDER: where the clones are');

const { withoutAuthor, onOneKernel, machineFor, MACHINES, measuredNs } = await sources(
  'leftOut',
  `export { withoutAuthor, onOneKernel } from './bench/fidelity/withoutAuthor';
   export { machineFor } from './src/simulator/hardware/targets';
   export { MACHINES } from './src/simulator/hardware/machines';
   export { measuredNs } from './src/cli/fidelityRows';`,
);

const isShort = row => measuredNs(row) <= SHORT_NS;
const all = measuredList();
const isPart = only !== '' || missing;
const known = new Map(isPart && fs.existsSync(resultFile) ? listed('unseenAuthors').map(row => [row.id, row]) : []);
// The short ones first: a run that is ended has most rows then.
const rows = timeable(
  all.filter(row => row.id.includes(only) && !(missing && known.has(row.id))),
  clones,
).sort((a, b) => measuredNs(a) - measuredNs(b));

const singles = onOneKernel(MACHINES).filter(({ without }) => without);
const tableOf = row => row.table.replace(/^judged /, '').replace(/^(rewritten|spilling) /, 'rewriting ');
const nothing = { machine: {}, policy: {} };

/** Of a row: the model as it is, without the row's author, and without each of what rests on one kernel of somebody else. */
function variantsOf(row) {
  const machine = machineFor(row.run.target);
  const others = isShort(row)
    ? singles.filter(({ author, generation = machine.generation }) => author !== row.author && generation === machine.generation)
    : [];
  const leftOut = withoutAuthor(row.author, machine);
  const isLess = [leftOut.machine, leftOut.policy].some(values => Object.keys(values).length > 0);
  return [
    { name: 'asIs', ...nothing },
    ...(isLess ? [{ name: 'leftOut', ...leftOut }] : []),
    ...others.map(({ name, generation, without }) => ({ name: `${generation ?? 'compiler'} ${name}`, ...without })),
  ];
}

const timed = [];
/** Writes what is known so far: a run takes long. @returns it, in the order of the lists */
function keep() {
  for (const row of timed) known.set(row.id, row);
  const inOrder = all.flatMap(({ id }) => known.get(id) ?? []);
  fs.writeFileSync(resultFile, `[\n${inOrder.map(row => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`);
  return inOrder;
}

/** The change of a time, as a fraction, from which on it counts. */
const CHANGED = 0.001;
const changed = (times, asIs) => Object.fromEntries(Object.entries(times).filter(([, ns]) => Math.abs(ns / asIs - 1) > CHANGED));
const whole = times => Object.fromEntries(Object.entries(times).map(([name, ns]) => [name, Math.round(ns)]));
await timeVariants(rows, variantsOf, (row, { asIs, leftOut = asIs, ...without }, kind) => {
  const { id, author, family, rests } = row;
  const place = { id, author, table: tableOf(row), kind, ...(family && { family }), ...(rests && { rests }) };
  timed.push({
    ...place,
    measuredNs: Math.round(measuredNs(row)),
    ...whole({ asIsNs: asIs, leftOutNs: leftOut }),
    without: changed(whole(without), asIs),
  });
  keep();
  console.error(`${timed.length} of ${rows.length} ${id}`);
});

const error = ({ mean, worst }) => `${mean.toFixed(1)} % (worst ${worst.toFixed(0)} %)`;
printLeftOut(keep());

function printLeftOut(rows) {
  for (const { table, rows: count, authors, asIs, leftOut } of byTable(rows))
    console.log(`${table}, ${count} rows, ${authors} authors: ${error(asIs)}, left out ${error(leftOut)}`);
  for (const { author, table, rows: count, asIs, leftOut } of byAuthor(rows))
    console.log(`  ${author} ${table}, ${count} rows: ${error(asIs)}, left out ${error(leftOut)}`);
  for (const name of ['asIs', 'leftOut']) console.log(name, overall(byFamily(rows), name));
}
