/**
 * Calls of kernels that a script imports: which of the names that it calls are kernels in the files they come from. Looks where Python does:
 * beside the script, and in the folders given. What a kernel really is, and where it is imported from (`_record/launch/importing.py`), decides
 * the front end, by running it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { findKernels, type ImportedCall } from './findKernels';

export interface ImportedKernelCall {
  /** The kernel's own name. */
  kernel: string;
  /** Of the call, 1-based. */
  line: number;
}

/** Larger files are not looked into while somebody types. */
const MOST_BYTES = 1 << 20;

interface Known {
  mtimeMs: number;
  kernels: ReadonlySet<string>;
}

export class ImportedKernels {
  private readonly known = new Map<string, Known>();

  /** @param file the script @param folders that are imported from, beside its own */
  of(calls: readonly ImportedCall[], file: string, folders: readonly string[]): ImportedKernelCall[] {
    return calls.flatMap(({ module, name, line }) => {
      const places = modulePlaces(module, file, folders);
      return places.some(place => this.kernelsIn(place).has(name)) ? [{ kernel: name, line }] : [];
    });
  }

  private kernelsIn(place: string): ReadonlySet<string> {
    const stat = fs.statSync(place, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > MOST_BYTES) return NONE;
    const known = this.known.get(place);
    if (known?.mtimeMs === stat.mtimeMs) return known.kernels;
    const kernels = new Set(kernelNames(place));
    this.known.set(place, { mtimeMs: stat.mtimeMs, kernels });
    return kernels;
  }
}

const NONE: ReadonlySet<string> = new Set();

function kernelNames(place: string): string[] {
  try {
    return findKernels(fs.readFileSync(place, 'utf8')).kernels.flatMap(({ name, topLevel }) => (topLevel ? [name] : []));
  } catch {
    // gone, or not ours to read: running the script will say
    return [];
  }
}

/** Files that a module may be, the first that Python would take first. @param module `a.b`, or `..a` from where the script is */
export function modulePlaces(module: string, file: string, folders: readonly string[]): string[] {
  const [, dots, rest] = /^(\.*)(.*)$/.exec(module)!;
  const own = path.dirname(file);
  const starts = dots === '' ? [own, ...folders] : [path.join(own, ...Array<string>(dots.length - 1).fill('..'))];
  const parts = rest.split('.').filter(Boolean);
  if (parts.length === 0) return [];
  return starts.flatMap(start => [`${path.join(start, ...parts)}.py`, path.join(start, ...parts, '__init__.py')]);
}

/** The folders around a file up to the workspace folder, each with its `src`: projects and packages may lie anywhere in a workspace. */
export function foldersAround(file: string, root: string): string[] {
  const found: string[] = [];
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    found.push(folder, path.join(folder, 'src'));
    if (folder === root || folder === path.dirname(folder)) return found;
  }
}
