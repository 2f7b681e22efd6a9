/**
 * Makes names of files from other names, such as those of kernels: letters of every script stay, and the result is valid on Linux, macOS
 * and Windows. Pure: the caller handles folders, extensions and existing files.
 */
import { contentHashText } from './contentHash';

/** Everything but letters, marks, digits, and characters without a meaning in shells and file systems. */
const REPLACED = /[^\p{L}\p{M}\p{N}_.+=@,() -]/gu;
/** Devices of Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?=\.|$)/i;
/** Bytes of UTF-8. File systems allow 255 for the whole name, with numbers and extensions; some that encrypt names allow fewer. */
const MAX_STEM_BYTES = 120;

/** Whether `fileStem` replaces characters, so that different names may give the same result. */
export const losesCharacters = (name: string) => name.search(REPLACED) >= 0;

/**
 * A file name without extension: never empty, hidden or reserved. Different names give different results unless they differ only in
 * replaced characters.
 */
export function fileStem(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(REPLACED, '_')
    .replace(/^[. ]+/, '_')
    .replace(/[. ]+$/, '_')
    .replace(RESERVED, '$1_');
  return shortened(plain === '' ? '_' : plain);
}

/**
 * Stems for files in one folder, in the order of the names. Those that a file system could take for the same name, also if it ignores
 * case, are numbered: `add-1`, `mul`, `add-2`.
 */
export function fileStems(names: readonly string[]): string[] {
  const stems = names.map(fileStem);
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(keyOf(stem), (counts.get(keyOf(stem)) ?? 0) + 1);
  const taken = new Set([...counts].filter(([, count]) => count === 1).map(([key]) => key));
  const numbers = new Map<string, number>();
  return stems.map(stem => (counts.get(keyOf(stem)) === 1 ? stem : nextFree(stem, numbers, taken)));
}

function nextFree(stem: string, numbers: Map<string, number>, taken: Set<string>): string {
  for (;;) {
    const number = (numbers.get(keyOf(stem)) ?? 0) + 1;
    numbers.set(keyOf(stem), number);
    const name = `${stem}-${number}`;
    if (taken.has(keyOf(name))) continue;
    taken.add(keyOf(name));
    return name;
  }
}

/** A key that is equal for names that some file system takes for the same one. */
const keyOf = (name: string) => name.normalize('NFKC').toUpperCase().toLowerCase();

/** Cuts the name and adds a hash, so that different names stay different. */
function shortened(stem: string): string {
  const encoder = new TextEncoder();
  const bytes = encoder.encode(stem);
  if (bytes.length <= MAX_STEM_BYTES) return stem;
  const hash = `-${contentHashText(bytes).slice(0, 8)}`;
  let kept = '';
  let room = MAX_STEM_BYTES - hash.length;
  for (const character of stem) {
    room -= encoder.encode(character).length;
    if (room < 0) break;
    kept += character;
  }
  return kept + hash;
}
