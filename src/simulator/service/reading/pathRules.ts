/**
 * Which paths from a stranger's file may be read. The rules use only the text, for any platform, so that a refused path never reaches the
 * file system. `guardedRead.ts` checks the file itself.
 */
import path from 'node:path';

type Platform = NodeJS.Platform;

/** Windows opens these as devices, in every folder, whatever follows the first dot. */
const RESERVED = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³])$/i;
/** Not in names of Windows; a colon opens another stream of the file. */
const UNFIT = /[<>:"|?*]/;
/** Control characters are not allowed in names on any platform. */
const isControl = (character: string) => character.charCodeAt(0) < 0x20;

/** Why the path must not be given to the file system, as the rest of a sentence that starts with the path; null: it may be read. */
export function pathProblem(file: string, platform: Platform): string | null {
  if ([...file].some(isControl)) return 'is not a path';
  if (platform !== 'win32') return file.startsWith('/') ? null : 'is not an absolute path';
  const normal = file.replaceAll('/', '\\');
  if (/^\\\\[?.]\\|^\\\?\?\\/.test(normal)) return 'is a path of a device';
  if (normal.startsWith('\\\\')) return 'is a path of a network';
  if (!/^[A-Za-z]:\\/.test(normal)) return 'is not an absolute path';
  return normal.slice(3).split('\\').every(isFit) ? null : 'has a name in it that Windows keeps for a device';
}

/** Whether it may be the name of a file or folder: one part of a path. */
export function isPlainName(name: string, platform: Platform): boolean {
  if (name === '' || name === '.' || name === '..' || [...name].some(isControl) || name.includes('/')) return false;
  return platform !== 'win32' || (!name.includes('\\') && isFit(name));
}

/** Whether this may be a part of a Windows path. Windows removes dots and spaces at its end. */
function isFit(part: string): boolean {
  return !UNFIT.test(part) && !RESERVED.test(part.split('.', 1)[0].trimEnd());
}

/** Whether `file` is inside the folder. Both are absolute; the result is certain only if both have no links. */
export function isInside(folder: string, file: string, platform: Platform): boolean {
  const flavour = platform === 'win32' ? path.win32 : path.posix;
  const way = flavour.relative(folder, file);
  return way !== '' && way.split(flavour.sep)[0] !== '..' && !flavour.isAbsolute(way);
}
