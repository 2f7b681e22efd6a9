/** Why a file was not read, for messages to the user. */

/**
 * `format`: the file's content is wrong. `disk`: it cannot be read (`code` is the system's). `time`, `memory`: it exceeded a limit.
 * `cancelled`: the user stopped it.
 */
export type ReadingProblem = 'format' | 'disk' | 'time' | 'memory' | 'cancelled';

export class ReadingError extends Error {
  override name = 'ReadingError';
  /** The file with the error, if it has a path. */
  readonly path: string | undefined;
  readonly code: string | undefined;

  constructor(
    readonly problem: ReadingProblem,
    message: string,
    { path, code }: { path?: string; code?: string } = {},
  ) {
    super(message);
    this.path = path;
    this.code = code;
  }
}
