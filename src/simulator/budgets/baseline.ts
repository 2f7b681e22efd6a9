/** Stored times of kernels, against which later ones are held: a small file of JSON that belongs into the repository. */
import { baseName } from '../analyze/runNames';
import { warnings } from '../analyze/warnings';
import type { Profile } from '../profile/profile';

export const BASELINE_FILE = 'nki-scope-baseline.json';

export interface BaselineEntry {
  totalNs: number;
  /** As `warningKeys` has them. */
  warnings: string[];
}

/** By the name of the budget. */
export type Baseline = Readonly<Record<string, BaselineEntry>>;

export const baselineEntry = (p: Profile): BaselineEntry => ({ totalNs: p.totalTimeNs, warnings: warningKeys(p).map(({ key }) => key) });

/** What tells warnings apart when lines have moved: the title, the file and the text of the line. Sorted, each once. */
export function warningKeys(p: Profile): { key: string; message: string; file: string; line: number }[] {
  const keys = warnings(p).map(({ title, message, position }) => {
    const text = position && textOf(p, position.file, position.line);
    const place = position ? ` at ${baseName(position.file)}: ${text}` : '';
    return { key: `${title}${place}`, message: `${title}: ${message}`, file: position?.file ?? '', line: position?.line ?? 0 };
  });
  return [...new Map(keys.map(found => [found.key, found])).values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function textOf({ files }: Profile, path: string, line: number): string {
  const file = files.find(known => known.path === path);
  return file?.text.split('\n')[line - 1]?.trim() ?? '';
}

export const entryJson = ({ totalNs, warnings: known }: BaselineEntry) => ({ total_time_ns: totalNs, warnings: known });

/** In the order of the names, one value per line: a change of one kernel is a small difference. */
export function formatBaseline(baseline: Baseline): string {
  const names = Object.keys(baseline).sort();
  return `${JSON.stringify(Object.fromEntries(names.map(name => [name, entryJson(baseline[name])])), null, 2)}\n`;
}

/** @throws Error that names the wrong part */
export function parseBaseline(text: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not an object');
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, parseEntry(name, entry)]));
}

/** @throws Error that names the wrong part */
export function parseEntry(name: string, entry: unknown): BaselineEntry {
  const { total_time_ns: totalNs, warnings: known } = (entry ?? {}) as Record<string, unknown>;
  if (typeof totalNs !== 'number' || !(totalNs > 0)) throw new Error(`${name}: "total_time_ns" must be a number above 0`);
  if (!Array.isArray(known) || !known.every(key => typeof key === 'string')) throw new Error(`${name}: "warnings" must be a list of texts`);
  return { totalNs, warnings: known as string[] };
}
