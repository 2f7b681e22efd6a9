// How the accuracy pages write numbers, times and tables, and sums of rows.

export const signed = (value, digits = 1) => `${value >= 0 ? '+' : ''}${value.toFixed(digits)} %`;
export const percent = value => `${value.toFixed(1)} %`;
export const time = ns =>
  ns >= 1e6 ? `${(ns / 1e6).toPrecision(3)} ms` : ns >= 1e3 ? `${(ns / 1e3).toPrecision(3)} µs` : `${ns.toFixed(0)} ns`;
export const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');

export const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The error that is farthest from nothing, with its sign. */
export const worst = errors => errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
export const groupsOf = (rows, name) =>
  [...new Set(rows.map(row => row[name]).filter(Boolean))].map(key => [key, rows.filter(row => row[name] === key)]);
