// Tables of docs/accuracy/constants.md: single instructions, and what the constants of the machines and of the compiler rest on.
import { leftOut } from '../leftOut.mjs';
import { errorsOf } from '../leftOutRows.mjs';
import { sources as bundled } from '../variants.mjs';
import { leftOutRows, listed } from './lists.mjs';
import { mean, percent, signed, table } from './text.mjs';

/** Measured instructions and transfers that are further off than the others, with the reason. */
export async function instructions() {
  const { INSTRUCTION_ROWS, EXPLANATIONS, instructionError } = await bundled(
    'instructions',
    `export * from './bench/fidelity/instructions';`,
  );
  const explained = INSTRUCTION_ROWS.filter(row => row.id in EXPLANATIONS);
  const lines = explained.map(row => {
    const unit = row.unit ?? 'ns';
    const figure = value => `${unit === 'ns' ? value.toFixed(0) : value.toPrecision(3)} ${unit}`;
    return [`\`${row.id}\``, figure(row.measured), figure(row.modelled()), signed(instructionError(row)), EXPLANATIONS[row.id].why];
  });
  const head = `Of ${INSTRUCTION_ROWS.length} measured ones, ${INSTRUCTION_ROWS.length - explained.length} are modelled within 5 %; \`bench/fidelity/instructions.ts\` has them all, and a test holds them. The others:`;
  return `${head}\n\n${table(['row', 'measured', 'modelled', 'error', 'why'], lines)}`;
}

/** Constants and passes that rest on one kernel, and what the short kernels of other authors make of it if they are taken away. */
export async function single() {
  const { onOneKernel, MACHINES } = await bundled(
    'facts',
    `export { onOneKernel } from './bench/fidelity/withoutAuthor';
     export { MACHINES } from './src/simulator/hardware/machines';`,
  );
  const rows = leftOutRows();
  const lines = onOneKernel(MACHINES).map(({ name, value, kernel, author, generation, without }) => {
    const key = `${generation ?? 'compiler'} ${name}`;
    const moved = rows.filter(({ without }) => Object.hasOwn(without, key)).map(row => ({ ...row, withoutNs: row.without[key] }));
    const errors = ['asIsNs', 'withoutNs'].map(time => (moved.length > 0 ? percent(errorsOf(moved, time).mean) : ''));
    return [`\`${key}\``, value, kernel, author, without ? moved.length : 'no other evidence', ...errors];
  });
  const heads = ['constant or pass', 'value', 'kernel', 'author', 'rows of others that change', 'their error with it', 'without it'];
  return table(heads, lines);
}

/** Constants of the rewriting pipeline, halved and doubled (scripts/sensitivity.mjs). */
export function sensitivity() {
  const { rows: counted, movedPoints, now, results } = listed('sensitivity');
  const names = Object.keys(now);
  const of = errors => names.map(name => percent(errors[name])).join(' / ');
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

/** Constants of the rewriting pipeline chosen anew without each author's rows (scripts/leftOut.mjs, from what sensitivity.mjs measured). */
export function refitted() {
  const { nowOfRow, results } = listed('sensitivity');
  const authors = new Map(listed('rows').map(({ id, author }) => [id, author]));
  const cases = leftOut(results, nowOfRow, id => authors.get(id));
  const other = cases.filter(({ value, chosen }) => chosen !== value);
  const head = `In ${cases.length - other.length} of ${cases.length} cases (a constant, an author left out) the rows of the other authors choose the value that the model has. Left-out rows: ${percent(mean(cases.map(({ before }) => before)))} as the constants are, ${percent(mean(cases.map(({ after }) => after)))} as the others choose them. The cases in which they choose another:`;
  const rows = other.map(({ name, author, rows, value, chosen, before, after }) => [
    `\`${name}\``,
    author,
    rows,
    value,
    chosen,
    percent(before),
    percent(after),
  ]);
  return `${head}\n\n${table(['constant', 'author left out', 'rows', 'value', 'the others choose', 'error of the left-out rows', 'with what the others choose'], rows)}`;
}

/** Constants of the machines at what other measurements say (scripts/sensitivity.mjs). */
export function evidence() {
  const { rows, now, constants } = listed('sensitivity').evidence;
  const of = errors =>
    Object.keys(errors)
      .map(name => `${name} ${percent(errors[name])}`)
      .join(', ');
  const lines = constants.map(({ name, what, value, other, from, errors }) => [
    `\`${name}\` ${what}`.trim(),
    value,
    other,
    from,
    of(errors),
  ]);
  const head = `Mean errors of ${rows.v3} rows of Trn2 and ${rows.v2} of Trn1 as the constants are: ${of({ ...now.v3, ...now.v2 })}. \`node scripts/sensitivity.mjs --evidence\` measures it.`;
  return `${head}\n\n${table(['constant', 'value', 'other value', 'whose', 'mean errors with it'], lines)}`;
}
