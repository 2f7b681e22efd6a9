/**
 * Entry of dist/host.mjs: the host for a Python process that the user started (`PYTHONPATH=$(nki-scope python-path) pytest`).
 * Our Python package starts it and exchanges messages over its standard input and output. Nothing else is written there. It ends when its
 * input ends, or when that process ends.
 */
import fs from 'node:fs';
import { Interrupt } from '../frontend/interrupt';
import { ownPaths } from '../frontend/paths';
import { encodeMessage, MessageReader } from '../frontend/wire';
import { DEFAULT_TARGET } from '../hardware/targets';
import { DEFAULT_LIMITS } from '../session/capture';
import { HostSession } from '../session/hostSession';
import { simulatorBackend } from '../session/simulatorBackend';
import { endWithParent } from './parentWatch';
import { allowRelaxedSimd } from './relaxedSimd';
import { saveProfileAt } from './savedProfiles';

const STDIN = 0;
const STDOUT = 1;
const PIECE_BYTES = 1 << 20;
/** A full or empty pipe is tried again after this time. */
const RETRY_MS = 1;
/** Used to sleep: nothing notifies it. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

// Ctrl-C in a terminal reaches both processes; Python decides
process.on('SIGINT', () => {});

allowRelaxedSimd();
endWithParent();
const folder = process.cwd();
const session = new HostSession({
  request: { file: '', root: folder },
  limits: DEFAULT_LIMITS,
  target: process.env.NEURON_PLATFORM_TARGET_OVERRIDE || DEFAULT_TARGET,
  paths: ownPaths,
  interrupt: new Interrupt(),
  backend: simulatorBackend,
  keepsRuns: false,
  readFile: file => fs.readFileSync(file),
  saveProfile: (place, bytes) => saveProfileAt(place, { beside: folder, folders: 'all' }, bytes),
  onProgress: () => {},
});

const reader = new MessageReader();
const piece = new Uint8Array(PIECE_BYTES);
for (let size = readPiece(); size > 0; size = readPiece())
  for (const message of reader.push(piece.subarray(0, size))) {
    const { header, payload } = session.handle(message);
    for (const part of encodeMessage(header, payload)) writeAll(part);
  }
if (session.fault) console.error(session.fault);

/** 0 at the end of input. */
function readPiece(): number {
  try {
    return waited(() => fs.readSync(STDIN, piece));
  } catch (error) {
    // Windows reports with it that the other end is closed
    if ((error as NodeJS.ErrnoException).code === 'EOF') return 0;
    throw error;
  }
}

/** Another process that shares our pipes may have made them non-blocking. Then this waits and tries again. */
function waited(transfer: () => number): number {
  for (;;)
    try {
      return transfer();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(NEVER, 0, 0, RETRY_MS);
    }
}

function writeAll(bytes: Uint8Array) {
  try {
    for (let at = 0; at < bytes.length; ) at += waited(() => fs.writeSync(STDOUT, bytes, at));
  } catch (error) {
    // the other process was killed while we computed its answer
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0);
    throw error;
  }
}
