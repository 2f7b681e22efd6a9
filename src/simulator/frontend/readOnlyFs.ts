/**
 * A read-only Emscripten file system over one folder of the host: what a kernel may read. Every change gives EROFS.
 * Symbolic links are followed by the host and refused when they lead outside the folder, so the interpreter sees plain
 * files and folders only. Texts of unsaved files stand in front of the disk.
 *
 * Not derived from Emscripten's NODEFS: that one is taken away from the interpreter altogether (`disarm.ts`), together with
 * the functions of `node:fs`; the ones used here are kept from before.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type EmscriptenFs, ERRNO, type FsAttributes, type FsNode, type FsStream, type StreamOps } from './emscripten';

const { statSync, readdirSync, openSync, closeSync, readSync } = fs;
const realpath = fs.realpathSync.native;

/** With write bits, so that a change is refused as EROFS (a read-only file system) and not as EACCES (some permission). */
const FOLDER_MODE = 0o040777;
const FILE_MODE = 0o100666;
/** Files that are read in pieces keep their descriptor here. */
type OpenStream = FsStream & { hostFd?: number; bytes?: Uint8Array };

export interface MountedFolder {
  /** Host path of the folder. */
  folder: string;
  /** Host path -> text, of files inside the folder. */
  overlay: ReadonlyMap<string, string>;
}

/** Mounts the folder at `mountPoint` (created when missing). */
export function mountReadOnly(emscripten: EmscriptenFs, { folder, overlay }: MountedFolder, mountPoint: string) {
  emscripten.mkdirTree(mountPoint);
  emscripten.mount(new ReadOnlyFolder(emscripten, folder, overlay), {}, mountPoint);
}

class ReadOnlyFolder {
  private readonly root: string;
  private readonly overlay = new Map<string, Uint8Array>();
  private readonly nodeOps: FsNode['node_ops'];
  private readonly streamOps: StreamOps;

  constructor(
    private readonly emscripten: EmscriptenFs,
    folder: string,
    overlay: ReadonlyMap<string, string>,
  ) {
    this.root = realpath(folder);
    for (const [file, text] of overlay) {
      const inside = path.relative(folder, file);
      if (!leavesFolder(inside)) this.overlay.set(path.join(this.root, inside), new TextEncoder().encode(text));
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
    return this.node(parent, name, this.overlay.has(file) ? FILE_MODE : this.stat(file).mode);
  }

  private attributes(node: FsNode): FsAttributes {
    const file = this.hostPath(node);
    const text = this.overlay.get(file);
    const { mode, size, mtime } = text ? { mode: FILE_MODE, size: text.length, mtime: new Date(0) } : this.stat(file);
    const times = { atime: mtime, mtime, ctime: mtime };
    const blksize = 4096;
    return { dev: 1, ino: node.id, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, ...times, blksize, blocks: Math.ceil(size / blksize) };
  }

  private list(node: FsNode): string[] {
    const folder = this.inside(this.hostPath(node));
    const unsaved = [...this.overlay.keys()].filter(file => path.dirname(file) === folder).map(file => path.basename(file));
    const entries = this.attempt(() => readdirSync(folder, { withFileTypes: true }));
    const visible = entries.filter(entry => entry.isFile() || entry.isDirectory() || this.canBeSeen(path.join(folder, entry.name)));
    return ['.', '..', ...new Set([...visible.map(entry => entry.name), ...unsaved])];
  }

  /** What cannot be opened is not listed either: Emscripten looks at every name that is. */
  private canBeSeen(file: string): boolean {
    try {
      this.stat(file);
      return true;
    } catch {
      return false;
    }
  }

  private open(stream: OpenStream) {
    const writes = (stream.flags & 3) !== 0 || (stream.flags & 0o1000) !== 0;
    if (writes) throw this.error(ERRNO.EROFS);
    const file = this.hostPath(stream.node);
    if (this.emscripten.isDir(stream.node.mode)) return;
    stream.bytes = this.overlay.get(file);
    if (stream.bytes) return;
    this.stat(file);
    stream.hostFd = this.attempt(() => openSync(this.inside(file), 'r'));
  }

  private close(stream: OpenStream) {
    if (stream.hostFd !== undefined) closeSync(stream.hostFd);
    stream.hostFd = undefined;
  }

  private read(stream: OpenStream, buffer: Int8Array, offset: number, length: number, position: number): number {
    const into = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
    if (stream.bytes) {
      const piece = stream.bytes.subarray(position, position + length);
      into.set(piece);
      return piece.length;
    }
    const fd = stream.hostFd;
    if (fd === undefined) throw this.error(ERRNO.EINVAL);
    return this.attempt(() => readSync(fd, into, 0, length, position));
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
    return path.join(this.root, ...names.reverse());
  }

  /** Plain files and folders only: a pipe or device would block or do something. */
  private stat(file: string): { mode: number; size: number; mtime: Date } {
    const stat = this.attempt(() => statSync(this.inside(file)));
    if (stat.isDirectory()) return { mode: FOLDER_MODE, size: stat.size, mtime: stat.mtime };
    if (stat.isFile()) return { mode: FILE_MODE, size: stat.size, mtime: stat.mtime };
    throw this.error(ERRNO.EACCES);
  }

  /** Where the path really leads. @throws EACCES outside the folder. */
  private inside(file: string): string {
    const real = this.attempt(() => realpath(file));
    if (leavesFolder(path.relative(this.root, real))) throw this.error(ERRNO.EACCES);
    return real;
  }

  private attempt<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof this.emscripten.ErrnoError) throw error;
      const code = (error as NodeJS.ErrnoException).code;
      throw this.error(code === 'ENOENT' || code === 'ENOTDIR' ? ERRNO.ENOENT : ERRNO.EACCES);
    }
  }

  private error(errno: number): Error {
    return new this.emscripten.ErrnoError(errno);
  }
}

function leavesFolder(relative: string): boolean {
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
}
