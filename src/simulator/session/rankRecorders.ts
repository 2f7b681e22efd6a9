/**
 * Ranks of a kernel call that other interpreters record and compile while one is recorded here: what a session asks for, and what it
 * gets. `service/recorderTeam.ts` has the threads; `recorderSession.ts` is the session in each of them.
 */

import { decodeProgram } from '../program/codec';
import type { Program } from '../program/program';
import type { RankProgram, SentRank } from '../simulateRanks';
import { RunError } from './backend';

/** A rank that another interpreter has recorded. */
export interface RankRecording {
  rank: number;
  /** Program containers. */
  programs: Uint8Array[];
  places?: RankProgram['places'];
  coreBarriers?: RankProgram['coreBarriers'];
  /** Arrays that the kernel has added behind the caller's. */
  constants: { dtype: string; shape: number[]; bytes: Uint8Array }[];
  /** What the kernel returns, for the interpreter that gets it. */
  returned: Uint8Array;
  instructions: number;
  /** Null: it could not be compiled there, and has to be here, where the error is told. */
  compiled: SentRank | null;
}

export interface RankRecorders {
  /** Asks for the ranks from `first` to `ranks` - 1. @returns how many record them; 0: none */
  begin(first: number, ranks: number): number;
  /** Waits for a rank. Null: it has to be recorded here. */
  take(rank: number): RankRecording | null;
  /** No further rank is wanted. */
  end(): void;
  /** Nothing will be recorded any more. */
  close(): void;
}

/** Containers that came one behind the other. @throws RunError */
export function containersOf(payload: Uint8Array, bytes: readonly number[]): Uint8Array[] {
  if (bytes.length === 0 || bytes.some(size => size < 0) || bytes.reduce((sum, size) => sum + size, 0) !== payload.length)
    throw new RunError('ProtocolError', `programs of ${bytes.join(', ')} bytes in a payload of ${payload.length}`);
  let at = 0;
  if (bytes.length === 1) return [payload];
  return bytes.map(size => {
    // a copy: columns are views, and must be aligned
    const container = payload.slice(at, at + size);
    at += size;
    return container;
  });
}

/** Sources of files by their paths on the host. */
export function decodedProgram(container: Uint8Array, toHost: (path: string) => string): Program {
  const program = decodeProgram(container);
  for (const file of program.files) file.path = toHost(file.path);
  return program;
}
