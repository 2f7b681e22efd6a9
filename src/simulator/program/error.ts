/** An error in the user's kernel, with its line. */
import type { Program } from './program';

export class KernelError extends Error {
  override name = 'KernelError';
  constructor(
    message: string,
    readonly file: string,
    /** 1-based; 0 when the program has no lines. */
    readonly line: number,
    /** Row of the program's frames: a recorder that is still running finds the line by it. */
    readonly frame?: number,
  ) {
    super(message);
  }
}

/** A memory of the machine is too small for the tensors that the kernel, or its compiled form, needs at once. */
export class CapacityError extends KernelError {
  /** @param missingBytes contiguous bytes of each partition that are missing for the tensor to be placed. */
  constructor(
    { file, line, frame }: KernelError,
    message: string,
    readonly missingBytes: number,
  ) {
    super(message, file, line, frame);
  }
}

/** Bytes of each partition as KiB. */
export const kibText = (bytes: number) => `${+(bytes / 1024).toFixed(2)} KiB`;

/** The error at a frame of the program. */
export function errorAt(program: Program, frame: number, message: string): KernelError {
  const file = program.files[program.frames.file[frame]]?.path ?? '';
  return new KernelError(message, file, program.frames.line[frame] ?? 0, frame);
}
