/** Checks a request before a worker gets it. Mistakes that the user can correct are reported in one line. */
import fs from 'node:fs';
import path from 'node:path';
import type { UserError } from '../frontend/protocol';
import type { CaptureRequest } from '../session/capture';

/** A kernel file above this is data: the largest in AWS's samples has some 100 KB. */
const MAX_SOURCE_BYTES = 16 * 1024 * 1024;

export function checkRequest(request: CaptureRequest): UserError | null {
  const { file, root, overlay, inputs, references } = request;
  if (!path.isAbsolute(file) || !path.isAbsolute(root)) throw new TypeError('file and root are absolute paths');
  const text = overlay?.[file];
  try {
    return (
      (text === undefined ? checkDisk(file) : null) ??
      checkRoot(root) ??
      checkInputs({ ...inputs, ...Object.fromEntries((references ?? []).map(path => [path, path])) })
    );
  } catch (error) {
    // Circular links, and files and folders without permission.
    if (error instanceof Error && 'syscall' in error) return userError('OSError', error.message, null);
    throw error;
  }
}

const userError = (kind: string, message: string, file: string | null): UserError => ({ kind, message, file, line: null, traceback: null });

function checkDisk(file: string): UserError | null {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat) return userError('FileNotFoundError', `${file} does not exist`, file);
  if (stat.isDirectory()) return userError('IsADirectoryError', `${file} is a folder: name a Python file in it`, file);
  if (!stat.isFile()) return userError('NotPython', `${file} is not a file`, file);
  if (stat.size > MAX_SOURCE_BYTES) return userError('NotPython', `${file} is not a Python file: it has ${stat.size} bytes`, file);
  return checkText(file, fs.readFileSync(file));
}

/** Python reads UTF-8, and other encodings when the file declares one in its first two lines. */
function checkText(file: string, data: Buffer): UserError | null {
  if (data.includes(0)) return userError('NotPython', `${file} is not a Python file: it holds binary data`, file);
  if (/^[^\n]*(\n[^\n]*)?coding[:=]/.test(data.toString('latin1'))) return null;
  const line = firstLineBeyondUtf8(data);
  if (line === null) return null;
  const advice = "save it as UTF-8, or declare its encoding on the first line, for example '# -*- coding: latin-1 -*-'";
  return { ...userError('NotPython', `the file is not UTF-8 and names no other encoding: ${advice}`, file), line };
}

function firstLineBeyondUtf8(data: Buffer): number | null {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const fits = (part: Uint8Array) => {
    try {
      decoder.decode(part);
      return true;
    } catch {
      return false;
    }
  };
  if (fits(data)) return null;
  for (let start = 0, line = 1; start < data.length; line++) {
    const end = data.indexOf(10, start);
    const stop = end < 0 ? data.length : end;
    if (!fits(data.subarray(start, stop))) return line;
    start = stop + 1;
  }
  return 1;
}

function checkRoot(root: string): UserError | null {
  if (fs.statSync(root, { throwIfNoEntry: false })?.isDirectory()) return null;
  return userError('FileNotFoundError', `the folder ${root} does not exist`, null);
}

function checkInputs(inputs: Record<string, string>): UserError | null {
  const missing = Object.entries(inputs).find(([, file]) => !fs.statSync(file, { throwIfNoEntry: false })?.isFile());
  return missing ? userError('FileNotFoundError', `the input ${missing[0]} is not a file: ${missing[1]}`, null) : null;
}
