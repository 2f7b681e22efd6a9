/**
 * The identity of a run, and its key as text. The next run with the same identity replaces it. Names (names.ts) are for the user, and are
 * not used to find runs.
 */
import type { RunId } from '../../simulator/index';

export type Identity =
  /** A kernel call of a file that ran here. */
  | ({ of: 'call'; file: string } & RunId)
  /** All kernel calls of a file that ran here. */
  | { of: 'launches'; file: string }
  /** A kept profile that the user opened: it is shown beside the newest run of the same kernel. */
  | { of: 'kept'; id: string }
  /** A file of a profile. */
  | { of: 'file'; uri: string };

/** The same text for the same identity. */
export function keyOf(identity: Identity): string {
  switch (identity.of) {
    case 'call':
      return JSON.stringify([
        'call',
        identity.file,
        identity.kernel,
        identity.call,
        ...(identity.rank === undefined ? [] : [identity.rank]),
      ]);
    case 'launches':
      return JSON.stringify(['launches', identity.file]);
    case 'kept':
      return JSON.stringify(['kept', identity.id]);
    case 'file':
      return JSON.stringify(['file', identity.uri]);
  }
}

/** The identity of a key that `keyOf` made; undefined for any other text. */
export function identityOf(key: string): Identity | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(key);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [of, name, kernel, call, rank] = parts;
  if (typeof name !== 'string') return undefined;
  if (of === 'launches') return { of, file: name };
  if (of === 'kept') return { of, id: name };
  if (of === 'file') return { of, uri: name };
  if (of !== 'call' || typeof kernel !== 'string' || typeof call !== 'number') return undefined;
  return { of, file: name, kernel, call, ...(typeof rank === 'number' && { rank }) };
}
