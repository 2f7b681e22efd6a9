/**
 * A read-only Emscripten file system over one folder of the host: the files that a kernel can read. Every change gives EROFS. The
 * interpreter sees regular files and folders only. Texts of unsaved files replace those of the disk.
 *
 * `sandbox/hostFolder.ts` decides which files can be read. Not derived from Emscripten's NODEFS, which is removed from the interpreter
 * (`sandbox/disarm.ts`), together with the functions of `node:fs`.
 */
import path from 'node:path';
import { type EmscriptenFs, ERRNO, type FsAttributes, type FsNode, type FsStream, type StreamOps } from './emscripten';
import { type HostEntry, type HostFolder, hostFolder } from './sandbox/hostFolder';

/** With write bits, so that a change is refused as EROFS (a read-only file system) and not as EACCES (some permission). */
const FOLDER_MODE = 0o040777;
const FILE_MODE = 0o100666;
/** `handle`: of files that are read in pieces. */
type OpenStream = FsStream & { handle?: number; bytes?: Uint8Array };

export interface MountedFolder {
  /** Host path of the folder. */
  folder: string;
  /** Host path -> text, of files inside the folder. */
  overlay: ReadonlyMap<string, string>;
  /** Told of each regular file of the disk that is looked at or read; maybe several times. */
  onFile?(file: string): void;
}

/** Mounts the folder at `mountPoint` (created when missing). */
export function mountReadOnly(emscripten: EmscriptenFs, { folder, overlay, onFile }: MountedFolder, mountPoint: string) {
  emscripten.mkdirTree(mountPoint);
  emscripten.mount(new ReadOnlyFolder(emscripten, folder, overlay, onFile), {}, mountPoint);
}

class ReadOnlyFolder {
  readonly #host: HostFolder;
  private readonly overlay = new Map<string, Uint8Array>();
  private readonly nodeOps: FsNode['node_ops'];
  private readonly streamOps: StreamOps;

  constructor(
    private readonly emscripten: EmscriptenFs,
    folder: string,
    overlay: ReadonlyMap<string, string>,
    private readonly onFile: (file: string) => void = () => {},
  ) {
    this.#host = hostFolder(folder);
    for (const [file, text] of overlay) {
      const relative = path.relative(folder, file);
      const isInside = relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
      if (isInside) this.overlay.set(path.join(this.#host.root, relative), new TextEncoder().encode(text));
    }
    const refuse = () => {
      throw this.error(ERRNO.EROFS);
    };
    this.nodeOps = {
      getattr: (node: FsNode) => this.attributes(node),
      lookup: (parent: FsNode, name: string) => this.lookup(parent, name),
      readdir: (node: FsNode) => this.list(node),
      setattr: refuse,
      mknod: refuse,
      rename: refuse,
      unlink: refuse,
      rmdir: refuse,
      symlink: refuse,
      readlink: () => {
        throw this.error(ERRNO.EINVAL);
      },
    };
    this.streamOps = {
      open: stream => this.open(stream),
      close: stream => this.close(stream),
      read: (stream, buffer, offset, length, position) => this.read(stream, buffer, offset, length, position),
      write: refuse,
      llseek: (stream, offset, whence) => this.seek(stream, offset, whence),
    };
  }

  mount(): FsNode {
    return this.node(null, '/', FOLDER_MODE);
  }

  private node(parent: FsNode | null, name: string, mode: number): FsNode {
    const node = this.emscripten.createNode(parent, name, mode, 0);
    node.node_ops = this.nodeOps;
    node.stream_ops = this.streamOps;
    return node;
  }

  private lookup(parent: FsNode, name: string): FsNode {
    const file = path.join(this.hostPath(parent), name);
    return this.node(parent, name, this.overlay.has(file) ? FILE_MODE : modeOf(this.look(file)));
  }

  private attributes(node: FsNode): FsAttributes {
    const file = this.hostPath(node);
    const text = this.overlay.get(file);
    const { isFolder, sizeBytes: size, modified } = text ? unsaved(text) : this.look(file);
    const times = { atime: modified, mtime: modified, ctime: modified };
    const [mode, blksize] = [isFolder ? FOLDER_MODE : FILE_MODE, 4096];
    return { dev: 1, ino: node.id, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, ...times, blksize, blocks: Math.ceil(size / blksize) };
  }

  private list(node: FsNode): string[] {
    const folder = this.hostPath(node);
    const names = this.attempt(() => this.#host.names(folder));
    const unsavedNames = [...this.overlay.keys()].filter(file => path.dirname(file) === folder).map(file => path.basename(file));
    return ['.', '..', ...new Set([...names, ...unsavedNames])];
  }

  private open(stream: OpenStream) {
    const writes = (stream.flags & 3) !== 0 || (stream.flags & 0o1000) !== 0;
    if (writes) throw this.error(ERRNO.EROFS);
    if (this.emscripten.isDir(stream.node.mode)) return;
    const file = this.hostPath(stream.node);
    stream.bytes = this.overlay.get(file);
    if (!stream.bytes) stream.handle = this.attempt(() => this.#host.open(file));
  }

  private close(stream: OpenStream) {
    if (stream.handle !== undefined) this.#host.close(stream.handle);
    stream.handle = undefined;
  }

  private read(stream: OpenStream, buffer: Int8Array, offset: number, length: number, position: number): number {
    const into = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
    if (stream.bytes) {
      const piece = stream.bytes.subarray(position, position + length);
      into.set(piece);
      return piece.length;
    }
    const { handle } = stream;
    if (handle === undefined) throw this.error(ERRNO.EINVAL);
    return this.attempt(() => this.#host.read(handle, into, position));
  }

  private seek(stream: OpenStream, offset: number, whence: number): number {
    const [SET, CURRENT, END] = [0, 1, 2];
    const base = { [SET]: 0, [CURRENT]: stream.position, [END]: whence === END ? this.attributes(stream.node).size : 0 }[whence];
    const position = (base ?? Number.NaN) + offset;
    if (!(position >= 0)) throw this.error(ERRNO.EINVAL);
    return position;
  }

  private hostPath(node: FsNode): string {
    const names: string[] = [];
    for (let at = node; at.parent !== at; at = at.parent) names.push(at.name);
    return path.join(this.#host.root, ...names.reverse());
  }

  private look(file: string): HostEntry {
    const entry = this.attempt(() => this.#host.look(file));
    if (!entry.isFolder) this.onFile(file);
    return entry;
  }

  private attempt<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      throw this.error(code === 'ENOENT' || code === 'ENOTDIR' ? ERRNO.ENOENT : ERRNO.EACCES);
    }
  }

  private error(errno: number): Error {
    return new this.emscripten.ErrnoError(errno);
  }
}

const modeOf = ({ isFolder }: HostEntry) => (isFolder ? FOLDER_MODE : FILE_MODE);
const unsaved = (text: Uint8Array): HostEntry => ({ isFolder: false, sizeBytes: text.length, modified: new Date(0) });
