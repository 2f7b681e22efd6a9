/** Between which memories a DMA moves data. */

/** Source and destination memory of a transfer; index of the direction column. */
export const DIRECTIONS = [
  'hbm->sbuf',
  'sbuf->hbm',
  'hbm->hbm',
  'sbuf->sbuf',
  'hbm->psum',
  'psum->hbm',
  'sbuf->psum',
  'psum->sbuf',
  'psum->psum',
  // captures of hardware do not always say
  'unknown->unknown',
] as const;

/** A load of a tile. */
export const LOAD = DIRECTIONS.indexOf('hbm->sbuf');

/** By direction: 1 where a transfer reads HBM. */
export const READS_HBM = DIRECTIONS.map(name => (name.startsWith('hbm') ? 1 : 0));

/** By direction: 1 where a transfer writes HBM. */
export const WRITES_HBM = DIRECTIONS.map(name => (name.endsWith('hbm') ? 1 : 0));

/** By direction: 1 where a transfer reads or writes HBM. */
export const USES_HBM = DIRECTIONS.map(name => (name.includes('hbm') ? 1 : 0));
