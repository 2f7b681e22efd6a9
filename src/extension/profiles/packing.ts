/** Profiles packed off the extension host's own thread: for the timeline, and for the store. */
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { DEFLATE_LEVEL, packingNkiprof, toPlanes } from '../../simulator/index';

const deflate = promisify(deflateRaw) as (bytes: Uint8Array, options: { level: number }) => Promise<Uint8Array>;

/** For the page, which undoes the filter (`webview/hosts/vscode.ts`). */
export const packedForPage = (container: Uint8Array): Promise<Uint8Array> =>
  deflate(toPlanes(container, 'profile'), { level: DEFLATE_LEVEL });

/** The file of a profile. */
export const nkiprofOf = (container: Uint8Array): Promise<Uint8Array> => packingNkiprof(container, deflate);
