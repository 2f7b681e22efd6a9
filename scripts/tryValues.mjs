// What other values of constants do to the times of measured kernels: by row, by author and in all. Writes nothing.
// Usage: node scripts/tryValues.mjs --sources FOLDER [--only WORD]... [--target trn1|trn2|trn3] [--short] VALUES...
// VALUES: PATH=VALUE[;PATH=VALUE]..., which are tried together: facts of the machine (dma.packetNs=6) and settings of the compiler
// (literalGroups=4, passes=[]). FOLDER: clones of what others published (scripts/accuracy.mjs says how); rows whose text is not there are
// left out, and the reason printed. --only: rows whose id contains one of these. --short: rows of up to 100 us.
import { parseArgs } from 'node:util';
import { errorsOf } from './leftOutRows.mjs';
import { measuredList, timeable } from './measuredRows.mjs';
import { sources, timeVariants } from './variants.mjs';

const SHORT_NS = 100_000;
const options = {
  sources: { type: 'string' },
  only: { type: 'string', multiple: true, default: [''] },
  target: { type: 'string' },
  short: { type: 'boolean', default: false },
};
const { values: asked, positionals } = parseArgs({ options, allowPositionals: true });
if (!asked.sources || positionals.length === 0)
  throw new Error('node scripts/tryValues.mjs --sources FOLDER PATH=VALUE: where the clones are, and what to try');

const { neuronPolicy, measuredNs } = await sources(
  'tryValues',
  `export { neuronPolicy } from './src/simulator/compile/neuronPolicy';
   export { measuredNs } from './src/cli/fidelityRows';`,
);

const variants = positionals.map(text => ({ name: text, ...valuesOf(text) }));
const missing = [];
const rows = timeable(measuredList().filter(isWanted), asked.sources, error => missing.push(error.message.split('\n')[0])).sort(
  (a, b) => measuredNs(a) - measuredNs(b),
);
if (missing.length > 0) console.log(`${missing.length} rows are left out, whose texts could not be taken:\n  ${missing.join('\n  ')}`);

const timed = [];
const asIs = { name: 'asIs', machine: {}, policy: {} };
await timeVariants(
  rows,
  () => [asIs, ...variants],
  ({ id, author, ...row }, times) => {
    timed.push({ author, measuredNs: measuredNs(row), ...times });
    const errors = Object.entries(times).map(([name, ns]) => `${name} ${signed(ns / measuredNs(row) - 1)}`);
    console.log(`${id} ${errors.join('  ')}`);
  },
);
for (const author of new Set(timed.map(row => row.author)))
  printErrors(
    author,
    timed.filter(row => row.author === author),
  );
printErrors('all', timed);

function isWanted(row) {
  if (asked.short && measuredNs(row) > SHORT_NS) return false;
  if (asked.target && row.run.target !== asked.target) return false;
  return asked.only.some(word => row.id.includes(word));
}

/** Facts of the machine and settings of the policy, by path. A value is JSON, or else a word. */
function valuesOf(text) {
  const [machine, policy] = [{}, {}];
  for (const [path, value] of text.split(';').map(one => one.split('='))) {
    if (value === undefined) throw new Error(`${text}: PATH=VALUE expected`);
    (path.split('.')[0] in neuronPolicy ? policy : machine)[path] = parsed(value);
  }
  return { machine, policy };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function printErrors(name, rows) {
  const errors = ['asIs', ...positionals].map(variant => {
    const { mean, worst } = errorsOf(rows, variant);
    return `${variant} ${mean.toFixed(1)} % (worst ${worst.toFixed(0)})`;
  });
  console.log(`${name}, ${rows.length} rows: ${errors.join('; ')}`);
}

function signed(fraction) {
  return `${fraction < 0 ? '' : '+'}${(100 * fraction).toFixed(1)} %`;
}
