/** Whose the rows are that constants and passes name: kernels, recordings, single instructions and transfers. */
import { INSTRUCTION_ROWS } from './instructions';
import judged from './judged.json';
import published from './published.json';
import recordings from './recordings.json';
import rows from './rows.json';

/** First letters of rows of `instructions.ts`, the longer ones first. */
const OF_INSTRUCTIONS: readonly (readonly [begins: string, author: string])[] = [
  ['rec-loads-chenhzhu', 'chenhzhu'],
  ['rec-packet-chenhzhu', 'chenhzhu'],
  ['rec-runs-chenhzhu', 'chenhzhu'],
  ['rec-loads-Ni2002ka', 'Ni2002ka'],
  ['rec-loads-baseline', 'allenkchau'],
  ['rec-packet-baseline', 'allenkchau'],
  ['rec-ii-dve-copy-psum', 'riya-ranjan'],
  ['rec-', 'chengli2003'],
  ['kiln-ii-', 'foxl-ai'],
  ['ins-', 'allenkchau'],
  ['dmabw-', 'allenkchau'],
  ['dma1-', 'aws'],
  ['dma2-', 'aws'],
  ['dma-curve', 'aws'],
  ['pg-', 'aws'],
  ['prof-', 'aws'],
  ['ko-', 'aws'],
];
const OF_INSTRUCTION = (id: string) => OF_INSTRUCTIONS.find(([begins]) => id.startsWith(begins))?.[1];

/** Compiled kernels without a recording: `part2/file_pool_*.neff` of Ericcsr/asst4-trainium at 8969170. */
const COMPILED = { 'Ericcsr file_pool': 'Ericcsr' };

const AUTHORS = new Map<string, string>([
  ...INSTRUCTION_ROWS.flatMap(({ id }) => (OF_INSTRUCTION(id) ? [[id, OF_INSTRUCTION(id)!] as const] : [])),
  ...recordings.map(({ name, repository }) => [name, repository.split('/')[0]] as const),
  ...[...rows, ...judged, ...published].map(({ id, author }) => [id, author] as const),
  ...Object.entries(COMPILED),
]);

/** Author of a row; undefined: there is no such row. */
export const authorOf = (row: string) => AUTHORS.get(row);

/** @throws Error for a name that is no row's. */
export function authorsOf(named: readonly string[]): Set<string> {
  return new Set(
    named.map(row => {
      const author = authorOf(row);
      if (author === undefined) throw new Error(`there is no row ${row}`);
      return author;
    }),
  );
}
