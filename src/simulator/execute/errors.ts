/** What execution answers when an instruction cannot be carried out: the caller finds file and line by the instruction. */
export class ExecutionError extends Error {
  override name = 'ExecutionError';

  constructor(
    message: string,
    /** Index in `Program.instructions`; -1 while it is not known. */
    public instruction = -1,
  ) {
    super(message);
  }
}
