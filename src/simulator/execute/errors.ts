/** What execution answers when an instruction cannot be carried out: the caller finds file and line by the instruction. */
export class ExecutionError extends Error {
  override name: 'ExecutionError' | 'IndexError' | 'OtherCoreError' = 'ExecutionError';

  constructor(
    message: string,
    /** Index in `Program.instructions`; -1 while it is not known. */
    public instruction = -1,
  ) {
    super(message);
  }
}

/** Values that another core may have a part in, asked for while this core's program is recorded. */
export class OtherCoreError extends ExecutionError {
  override name = 'OtherCoreError' as const;

  constructor() {
    super('values that may come from the other core are not known while a kernel over two cores is recorded');
  }
}

/** An index that the kernel computed lies outside what it indexes: Python's IndexError. */
export class OutOfBoundsError extends ExecutionError {
  override name = 'IndexError' as const;

  /** @param summary what `str` of Python's error gives; the rest goes where kernels' errors are shown. */
  constructor(summary: string, detail: string) {
    super(`${summary}; ${detail}`);
  }
}
