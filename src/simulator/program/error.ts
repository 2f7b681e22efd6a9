/** An error in the user's kernel, with the line it stems from. */
import type { Program } from './program';

export class KernelError extends Error {
  override name = 'KernelError';
  constructor(
    message: string,
    readonly file: string,
    /** 1-based; 0 when the program has no lines. */
    readonly line: number,
    /** Row of the program's frames: what a recorder that is still running knows the place by. */
    readonly frame?: number,
  ) {
    super(message);
  }
}

/** A memory of the machine is too small for what the kernel, or what the compiler made of it, holds at once. */
export class CapacityError extends KernelError {
  /** @param missingBytes of each partition, in one piece, that would be enough for what was to be placed. */
  constructor(
    { file, line, frame }: KernelError,
    message: string,
    readonly missingBytes: number,
  ) {
    super(message, file, line, frame);
  }
}

/** Of each partition. */
export const kibText = (bytes: number) => `${+(bytes / 1024).toFixed(2)} KiB`;

/** The error at a frame of the program. */
export function errorAt(program: Program, frame: number, message: string): KernelError {
  const file = program.files[program.frames.file[frame]]?.path ?? '';
  return new KernelError(message, file, program.frames.line[frame] ?? 0, frame);
}
