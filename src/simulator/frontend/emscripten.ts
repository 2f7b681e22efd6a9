/**
 * The part of Emscripten's file system interface that the bundled interpreter's devices and mounts use. Types only:
 * `pyodide` ships none for it.
 */

export interface FsNode {
  id: number;
  name: string;
  mode: number;
  parent: FsNode;
  mount: { opts: unknown; mountpoint: string };
  node_ops: NodeOps;
  stream_ops: StreamOps;
  /** Of a folder on which another file system is mounted. */
  mounted?: unknown;
  /** Of nodes in memory: the bytes of a file, the nodes of a folder. */
  contents?: object;
  mtime?: number;
  ctime?: number;
}

export interface FsStream {
  fd: number;
  node: FsNode;
  flags: number;
  position: number;
}

export interface FsAttributes {
  dev: number;
  ino: number;
  mode: number;
  nlink: number;
  uid: number;
  gid: number;
  rdev: number;
  size: number;
  atime: Date;
  mtime: Date;
  ctime: Date;
  blksize: number;
  blocks: number;
}

export type NodeOps = { [operation: string]: (...args: never[]) => unknown };

export interface StreamOps {
  open?(stream: FsStream): void;
  close?(stream: FsStream): void;
  read?(stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number): number;
  write?(stream: FsStream, buffer: Int8Array, offset: number, length: number, position: number): number;
  llseek?(stream: FsStream, offset: number, whence: number): number;
}

export interface EmscriptenFs {
  ErrnoError: new (errno: number) => Error;
  filesystems: Record<string, unknown>;
  root: FsNode;
  nextInode: number;
  streams: readonly (FsStream | null)[];
  makedev(major: number, minor: number): number;
  registerDevice(device: number, ops: StreamOps): void;
  mkdev(path: string, mode: number, device: number): FsNode;
  mkdirTree(path: string): void;
  mount(type: object, options: object, path: string): FsNode;
  createNode(parent: FsNode | null, name: string, mode: number, device: number): FsNode;
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  close(stream: FsStream): void;
  unmount(path: string): void;
  cwd(): string;
  chdir(path: string): void;
  unlink(path: string): void;
}

/** WASI's numbers, which Emscripten uses on every host. */
export const ERRNO = { EACCES: 2, EINVAL: 28, EIO: 29, ENOENT: 44, EROFS: 69 } as const;
