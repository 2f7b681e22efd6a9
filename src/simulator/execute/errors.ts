/** The error of an instruction that cannot be executed. The caller finds file and line by the instruction. */
export class ExecutionError extends Error {
  override name: 'ExecutionError' | 'IndexError' | 'OtherCoreError' = 'ExecutionError';

  constructor(
    message: string,
    /** Index in `Program.instructions`; -1 if it is not known yet. */
    public instruction = -1,
  ) {
    super(message);
  }
}

/** A request, during recording, for values that may depend on another core. */
export class OtherCoreError extends ExecutionError {
  override name = 'OtherCoreError' as const;

  constructor() {
    super('values that may come from the other core are not known while a kernel over two cores is recorded');
  }
}

/** An index that the kernel computed is out of bounds: Python's IndexError. */
export class OutOfBoundsError extends ExecutionError {
  override name = 'IndexError' as const;

  /** @param summary the text of Python's error; `detail` is added where errors of kernels are shown. */
  constructor(summary: string, detail: string) {
    super(`${summary}; ${detail}`);
  }
}
