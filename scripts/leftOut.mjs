// Leave one author out: which value of each constant the rows of the other authors prefer, and what the left-out rows make of it.
// From experiments that others run (scripts/sensitivity.mjs): errors of each row with each value. Authors count alike, however many rows they have.

const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean of the authors' mean absolute errors, percent. @param errors of rows, by id */
function errorOf(ids, errors, authorOf) {
  const authors = [...new Set(ids.map(authorOf))];
  return mean(authors.map(author => mean(ids.filter(id => authorOf(id) === author).map(id => Math.abs(errors[id])))));
}

/**
 * @param results of each constant {name, value, changed: [{value, ofRow}]}; @param now errors of rows, by id, as the constants are
 * @param authorOf author of a row's id
 * @returns of each constant and each author left out {name, value, author, rows, chosen, before, after}: the value that the other rows
 * prefer (the present one where none is better), and the mean absolute errors of the left-out rows with the present value and with that one, percent
 */
export function leftOut(results, now, authorOf) {
  const ids = Object.keys(now);
  const authors = [...new Set(ids.map(authorOf))];
  return results.flatMap(({ name, value, changed }) =>
    authors.map(author => {
      const [own, others] = [ids.filter(id => authorOf(id) === author), ids.filter(id => authorOf(id) !== author)];
      const tried = [{ value, ofRow: now }, ...changed];
      const best = tried.reduce((a, b) => (errorOf(others, b.ofRow, authorOf) < errorOf(others, a.ofRow, authorOf) ? b : a));
      const [before, after] = [now, best.ofRow].map(errors => errorOf(own, errors, authorOf));
      return { name, value, author, rows: own.length, chosen: best.value, before, after };
    }),
  );
}
