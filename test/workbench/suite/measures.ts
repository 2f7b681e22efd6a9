/** What tests measured on the way; the runner prints it. */
export const measures: { name: string; value: string }[] = [];

export function measure(name: string, ms: number[]): void {
  const sorted = [...ms].sort((a, b) => a - b);
  const rounded = sorted.map(value => Math.round(value * 10) / 10);
  const median = rounded[Math.floor(rounded.length / 2)];
  measures.push({ name, value: rounded.length === 1 ? `${median} ms` : `median ${median} ms (${rounded.join(', ')})` });
}
