/**
 * Reading and writing whole files after `disarm.ts` has emptied `node:fs` in this thread: for the host's own needs, with the
 * system calls taken before. (The convenient functions of `node:fs` call the module's others, which are gone by then.)
 */
import fs from 'node:fs';

const { openSync, closeSync, fstatSync, readSync, writeSync } = fs;

export function readKeptFile(file: string): Uint8Array {
  return withFile(file, 'r', fd => {
    const bytes = new Uint8Array(fstatSync(fd).size);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(fd, bytes, at, bytes.length - at, at);
      if (read === 0) return bytes.slice(0, at);
      at += read;
    }
    return bytes;
  });
}

/** Replaces the file's content. */
export function writeKeptFile(file: string, bytes: Uint8Array) {
  withFile(file, 'w', fd => {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
  });
}

function withFile<T>(file: string, flags: string, use: (fd: number) => T): T {
  const fd = openSync(file, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
