/** Profiles packed off the extension host's own thread, once each: the timeline is sent them packed, and the store keeps them so. */
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { DEFLATE_LEVEL, packNkiprof } from '../../simulator/index';

const deflate = promisify(deflateRaw) as (bytes: Uint8Array, options: { level: number }) => Promise<Uint8Array>;
const packed = new WeakMap<Uint8Array, Promise<Uint8Array>>();

/** Raw deflate. @param container that nobody changes */
export function deflated(container: Uint8Array): Promise<Uint8Array> {
  const known = packed.get(container);
  if (known) return known;
  const made = deflate(container, { level: DEFLATE_LEVEL });
  packed.set(container, made);
  return made;
}

/** The file of a profile. */
export async function nkiprofOf(container: Uint8Array): Promise<Uint8Array> {
  const bytes = await deflated(container);
  return packNkiprof(container, () => bytes);
}
