/**
 * What a run is of, and the key that says it as text: the next run of the same thing has the same, and takes its place. Names are for
 * people (names.ts); nothing is found by them.
 */
import type { RunId } from '../../simulator/index';

export type Identity =
  /** A kernel call of a file that ran here. */
  | ({ of: 'call'; file: string } & RunId)
  /** A profile of the store that was opened by hand: it stands beside the newest run of the same thing. */
  | { of: 'kept'; id: string }
  /** A file of a profile. */
  | { of: 'file'; uri: string };

/** The same text for the same identity. */
export function keyOf(identity: Identity): string {
  switch (identity.of) {
    case 'call':
      return JSON.stringify(['call', identity.file, identity.kernel, identity.call]);
    case 'kept':
      return JSON.stringify(['kept', identity.id]);
    case 'file':
      return JSON.stringify(['file', identity.uri]);
  }
}

/** Of a key that `keyOf` made; undefined for any other text. */
export function identityOf(key: string): Identity | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(key);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [of, name, kernel, call] = parts;
  if (typeof name !== 'string') return undefined;
  if (of === 'kept') return { of, id: name };
  if (of === 'file') return { of, uri: name };
  if (of !== 'call' || typeof kernel !== 'string' || typeof call !== 'number') return undefined;
  return { of, file: name, kernel, call };
}
