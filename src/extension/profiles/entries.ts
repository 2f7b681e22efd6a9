/** The index entry of a kept profile, and the rule which profiles are kept. Pure. */

export interface Entry {
  /** Id of its file in the store. */
  id: string;
  /** `Run.key`: the same for every run of the same thing. */
  key: string;
  /** Base name of the file that was run; absent in indexes of before. */
  file?: string;
  kernel: string;
  /** The kernel's inputs, as text; absent in older indexes. */
  inputs?: string;
  target: string;
  totalNs: number;
  /** Milliseconds since 1970. */
  madeAtMs: number;
  starred: boolean;
}

/** Number of profiles without a star that are kept. */
export const KEPT = 20;

/** Adds an entry, newest first. An equal result replaces the one before. */
export function withEntry(entries: readonly Entry[], added: Entry): { kept: Entry[]; dropped: Entry[] } {
  const [latest] = entries.filter(entry => entry.key === added.key);
  const isRepeat = latest && !latest.starred && latest.totalNs === added.totalNs && latest.target === added.target;
  const all = [added, ...entries.filter(entry => entry !== latest || !isRepeat)].sort((a, b) => b.madeAtMs - a.madeAtMs);
  const surplus = new Set(all.filter(entry => !entry.starred).slice(KEPT));
  if (isRepeat) surplus.add(latest);
  return { kept: all.filter(entry => !surplus.has(entry)), dropped: [...surplus].filter(entry => entry.id !== added.id) };
}

/** @returns the valid entries of a store's index */
export function parseEntries(text: string): Entry[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter(isEntry) : [];
}

function isEntry(value: Partial<Entry> | null): value is Entry {
  return (
    typeof value === 'object' &&
    value !== null &&
    [value.id, value.key, value.kernel, value.target].every(text => typeof text === 'string') &&
    /^[\w-]+$/.test(value.id!) &&
    [value.totalNs, value.madeAtMs].every(number => typeof number === 'number') &&
    [value.file, value.inputs].every(text => text === undefined || typeof text === 'string') &&
    typeof value.starred === 'boolean'
  );
}
