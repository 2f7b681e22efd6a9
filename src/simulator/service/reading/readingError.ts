/** Why a file was not read, for the host to say to the user. */

/**
 * `format`: the file is not what it should be. `disk`: it cannot be read (`code` is the system's). `time`, `memory`: it took more than
 * it may. `cancelled`: the user stopped it.
 */
export type ReadingProblem = 'format' | 'disk' | 'time' | 'memory' | 'cancelled';

export class ReadingError extends Error {
  override name = 'ReadingError';
  /** The file to blame, where it was given by its path. */
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
