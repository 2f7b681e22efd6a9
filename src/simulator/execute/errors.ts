/** What execution answers when an instruction cannot be carried out: the caller finds file and line by the instruction. */
export class ExecutionError extends Error {
  override name: 'ExecutionError' | 'IndexError' = 'ExecutionError';

  constructor(
    message: string,
    /** Index in `Program.instructions`; -1 while it is not known. */
    public instruction = -1,
  ) {
    super(message);
  }
}

/** An index that the kernel computed lies outside what it indexes: Python's IndexError. */
export class OutOfBoundsError extends ExecutionError {
  override name = 'IndexError' as const;
}
