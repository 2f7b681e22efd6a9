/** Which rank of a run a captured file is, by its name and by those beside it. Looks at names alone. */
import fs from 'node:fs';
import path from 'node:path';
import type { RankPlace } from '../../formats/capture/ranks';
import { CAPTURE_DEPTH, isProcessFolder, type NamedRank, ranksBeside } from '../../formats/rankNames';

/** Folders with more are not searched further. */
const MOST_NAMES = 20_000;

/** Absolute paths of the ranks of the run that a file is one of, in their order; none where it has no others. */
export function ranksOfFile(file: string): NamedRank<string>[] {
  const place = path.resolve(file);
  const root = rootOf(place);
  const own = path.relative(root, place).split(path.sep).join('/');
  return ranksBeside(namesBelow(root), own, name => name).map(rank => ({ ...rank, of: path.join(root, rank.of) }));
}

/** Undefined where there is one rank. */
export function rankPlaceOf(file: string): RankPlace | undefined {
  const ranks = ranksOfFile(file);
  const own = path.resolve(file);
  const found = ranks.find(({ of }) => of === own);
  if (!found) return undefined;
  const { rank, process, title } = found;
  return { rank, ranks: Math.max(...ranks.map(each => each.rank)) + 1, process, run: title };
}

/** The folder with the folders of all processes; for other files their own folder. */
function rootOf(file: string): string {
  let folder = path.dirname(file);
  for (let depth = 0; depth < CAPTURE_DEPTH; depth++, folder = path.dirname(folder))
    if (isProcessFolder(path.basename(folder))) return path.dirname(folder);
  return path.dirname(file);
}

/** With the folders of processes, and those in them. */
function namesBelow(root: string, before = '', budget = { names: MOST_NAMES }): string[] {
  const entries = orNone(() => fs.readdirSync(path.join(root, before), { withFileTypes: true }));
  budget.names -= entries.length;
  if (budget.names < 0) return [];
  return entries.flatMap(entry => {
    const name = before + entry.name;
    const isDeeper = entry.isDirectory() && (before === '' ? isProcessFolder(entry.name) : before.split('/').length <= CAPTURE_DEPTH);
    return [name, ...(isDeeper ? namesBelow(root, `${name}/`, budget) : [])];
  });
}

function orNone<T>(list: () => T[]): T[] {
  try {
    return list();
  } catch {
    return [];
  }
}
