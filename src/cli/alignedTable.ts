/** Rows of text as aligned columns: the first `left` to the left, the others to the right. */
export function alignedTable(rows: readonly (readonly string[])[], left: number): string {
  const widths = rows[0].map((_, k) => Math.max(...rows.map(row => row[k].length)));
  const line = (row: readonly string[]) => row.map((cell, k) => (k < left ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('  ');
  return `${rows.map(row => line(row).trimEnd()).join('\n')}\n`;
}

export const signedPercent = (value: number) => `${value >= 0 ? '+' : ''}${value.toFixed(1)} %`;
