// Medians and aligned tables.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** First row is the heading; the first column is aligned left, the others right. */
export function printTable(rows) {
  const texts = rows.map(row => row.map(String));
  const widths = texts[0].map((_, k) => Math.max(...texts.map(row => row[k].length)));
  for (const row of texts) console.log(row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('  '));
}

export const count = n => Math.round(n).toLocaleString('en-US');
export const ms = n => `${n < 10 ? n.toFixed(1) : Math.round(n)} ms`;
export const mib = bytes => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
/** Of this process with its workers, bytes. */
export const peakRss = () => process.resourceUsage().maxRSS * 1024;
