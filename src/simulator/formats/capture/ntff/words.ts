/**
 * Decodes a 64-byte instruction of an engine. Opcodes were identified by comparing the sequence that the runtime runs around every kernel
 * with the same sequence in a JSON capture of neuron-profile (whose names are used), and compute opcodes by the kernels of public
 * captures: each is there as often as the kernel has its function. Those of registers and of affine_select the NEFFs of these captures name
 * (`reg-mul`, `register-move`, `IDAffineSelect`). An opcode that is in none of them is named by its number. `patterns.ts` decodes access
 * patterns, `dmaWord.ts` DMAs.
 */
import type { NtffVersion } from './container';
import { DYNAMIC_TRIGGER } from './dmaWord';

const OPCODES: Readonly<Record<number, string>> = {
  1: 'LDWEIGHTS',
  2: 'MATMUL',
  33: 'ACTIVATE',
  35: 'ACT_TABLE_LOAD',
  65: 'TENSOR_TENSOR',
  66: 'TENSOR_REDUCE',
  70: 'COPY',
  71: 'CAST',
  73: 'MEMSET',
  146: 'AFFINE_SELECT',
  160: 'EVENT_SEMAPHORE',
  162: 'DRAIN',
  164: 'NOP',
  165: 'WRITE',
  166: 'NOTIFY',
  167: 'MOVE',
  168: 'ALU_OP',
  169: 'COMPARE_BRANCH',
  170: 'TENSOR_LOAD',
  171: 'TENSOR_STORE',
  176: 'EVENT_SEMAPHORE_RANGE_CLEAR',
  177: 'SET_ORDERING_MODE',
  [DYNAMIC_TRIGGER.opcode]: DYNAMIC_TRIGGER.name,
};

/** The compiler's own, which the runtime replaces by `WRITE` when it loads the program. */
export const DMA_TRIGGER = { opcode: 0xc1, name: 'PSEUDO_DMA_TRIGGER' } as const;
/** Opcodes from here are the compiler's own. The engines have none of them. */
const FIRST_PSEUDO = 0xc0;
const WRITE = 0xa5;
const NOTIFY = 0xa6;
const MATMUL = 0x02;

/** Marks in a `NOTIFY`: begin and end of the runtime's time measurement. */
export const MARK = { begin: 2, end: 3 } as const;

/** Byte offsets in a word. */
const AT = { waitMode: 4, waitSemaphore: 5, signalMode: 6, signalSemaphore: 7, waitValue: 8, hint: 36, rows: 38, columns: 39, moved: 58 };
const WAIT_AT_LEAST = 5;
const SIGNAL_INCREMENT = 0x13;

export const opcodeName = (word: Uint8Array | null): string =>
  word === null ? 'UNKNOWN' : (OPCODES[word[0]] ?? `OPCODE_${word[0].toString(16).padStart(2, '0')}`);

/**
 * Number of words that the runtime loads for an instruction of the compiler. From version 6 on a trigger is two. The first is what the one of
 * version 5 was: it waits for the trigger's semaphore, and the first packet begins 0.73 us after its start on GpSimd in both (after that
 * of the second: 0.65 us).
 */
export const loadedWords = (written: number, version: NtffVersion): number => (written === DMA_TRIGGER.opcode && version === 6 ? 2 : 1);

/** Whether the runtime loads this opcode for one of the compiler. By what it replaces those of dynamic DMAs is not known in general. */
export function isLoadedAs(loaded: number, written: number, version: NtffVersion): boolean {
  if (written === DMA_TRIGGER.opcode) return loaded === WRITE;
  return loaded === written || (version === 6 && written >= FIRST_PSEUDO);
}

/** A mark's number; -1 for all other instructions. */
export const markOf = (word: Uint8Array | null): number => (word?.[0] === NOTIFY ? word[AT.hint] : -1);

export interface SemaphoreUse {
  /** null: it waits for none, or in an unknown way. */
  wait: { semaphore: number; value: number } | null;
  /** Raised by one at the end; null: none, or changed in another way. */
  signal: number | null;
}

export function semaphoresOf(word: Uint8Array): SemaphoreUse {
  const value = new DataView(word.buffer, word.byteOffset).getUint32(AT.waitValue, true);
  return {
    wait: word[AT.waitMode] === WAIT_AT_LEAST ? { semaphore: word[AT.waitSemaphore], value } : null,
    signal: word[AT.signalMode] === SIGNAL_INCREMENT ? word[AT.signalSemaphore] : null,
  };
}

/** Kinds of event records that say a new value: of a semaphore, of a flag. */
export const CHANGE: ReadonlySet<number> = new Set([0xf3, 0xf1]);
/** Semaphores have numbers from here in event records, flags below. */
export const FIRST_SEMAPHORE = 256;
const [WAIT_FLAG, SIGNAL_FLAG] = [7, 0x11];

/** Which semaphore or flag an instruction changes when it ends, by its number in event records; null: none. */
export function changedBy(word: Uint8Array): number | null {
  const { signal } = semaphoresOf(word);
  if (signal !== null) return FIRST_SEMAPHORE + signal;
  return word[AT.signalMode] === SIGNAL_FLAG ? word[AT.signalSemaphore] : null;
}

/** The value of a semaphore or flag that an instruction waits for. */
export function waitedFor(word: Uint8Array): { what: number; value: number } | null {
  const { wait } = semaphoresOf(word);
  if (wait) return { what: FIRST_SEMAPHORE + wait.semaphore, value: wait.value };
  return word[AT.waitMode] === WAIT_FLAG ? { what: word[AT.waitSemaphore], value: 1 } : null;
}

/** For a matmul: rows and columns of the array that it uses, and the number of moving columns. */
export function matmulShape(word: Uint8Array): { rows: number; columns: number; moved: number } | null {
  if (word[0] !== MATMUL) return null;
  const sizes = new DataView(word.buffer, word.byteOffset + AT.moved, 6);
  const moved = [0, 2, 4].reduce((product, at) => product * sizes.getUint16(at, true), 1);
  return { rows: word[AT.rows], columns: word[AT.columns], moved };
}
