/**
 * An interpreter as it was before its first run, and the way back to it: the whole WebAssembly memory byte for byte, the files that were
 * open, the working folder. A run after it finds what a run in a new interpreter finds, and starts in some milliseconds.
 *
 * What a run can change beside that is compared: the interpreter's own files in memory, the stack. If something is not as it was, there
 * is no way back, and the caller starts a new interpreter. `sandbox/imports.ts` is why there is nothing else: of JavaScript, a run can
 * call functions for files, clocks and memory only.
 */
import type { EmscriptenFs, FsNode } from './emscripten';
import type { Interpreter } from './interpreter';

/** A run that needs more memory than this beside that of the start keeps it from the machine: then a new interpreter is cheaper. */
const MOST_GROWN_BYTES = 512 * 2 ** 20;

/** What changes when a file of the interpreter's own file system is made, written, renamed or removed. */
interface OwnFile {
  node: FsNode;
  mode: number;
  /** Of files; no call of Python sets the second time. */
  contents: unknown;
  mtime: unknown;
  ctime: unknown;
}

export class RestingState {
  private readonly memory: Uint8Array;
  private readonly stack: number;
  private readonly folder: string;
  private readonly nextNode: number;
  private readonly files: readonly OwnFile[];

  /** @param interpreter that has run nothing yet */
  constructor(private readonly interpreter: Interpreter) {
    const { _module, FS } = interpreter;
    this.memory = _module.HEAPU8.slice();
    this.stack = _module._emscripten_stack_get_current();
    this.folder = FS.cwd();
    this.nextNode = FS.nextInode;
    this.files = ownFiles(FS);
  }

  /**
   * Closes what a run left open, and takes away what it was given.
   * @param given paths that were mounted or made for the run
   * @returns whether `restore` can follow
   */
  clear({ mounts, devices }: { mounts: readonly string[]; devices: readonly string[] }): boolean {
    const { _module, FS } = this.interpreter;
    try {
      closeStreams(FS);
      FS.chdir(this.folder);
      for (const mount of mounts) FS.unmount(mount);
      for (const device of devices) FS.unlink(device);
    } catch {
      return false;
    }
    const hasGrown = _module.HEAPU8.length > this.memory.length + MOST_GROWN_BYTES;
    return !hasGrown && _module._emscripten_stack_get_current() === this.stack && isSame(this.files, ownFiles(FS));
  }

  /** To be called at once before the next run. */
  restore() {
    const { FS, _module } = this.interpreter;
    const { HEAPU8 } = _module;
    FS.nextInode = this.nextNode;
    HEAPU8.set(this.memory);
    HEAPU8.fill(0, this.memory.length);
  }
}

const LAST_STANDARD_STREAM = 2;

/** All but those that every program has. */
export function closeStreams(fs: EmscriptenFs) {
  for (const stream of fs.streams) if (stream && stream.fd > LAST_STANDARD_STREAM) fs.close(stream);
}

/** All but those of mounted folders, which are read-only. Devices have times of their last use. */
function ownFiles(fs: EmscriptenFs): OwnFile[] {
  const files: OwnFile[] = [];
  const visit = (node: FsNode) => {
    const { mode } = node;
    if (fs.isFile(mode)) files.push({ node, mode, contents: node.contents, mtime: node.mtime, ctime: node.ctime });
    else files.push({ node, mode, contents: null, mtime: null, ctime: null });
    if (fs.isDir(mode) && !node.mounted) for (const child of Object.values(node.contents ?? {})) visit(child as FsNode);
  };
  visit(fs.root);
  return files;
}

const FIELDS = ['node', 'mode', 'contents', 'mtime', 'ctime'] as const;

const isSame = (before: readonly OwnFile[], now: readonly OwnFile[]) =>
  before.length === now.length && before.every((file, k) => FIELDS.every(field => file[field] === now[k][field]));
