/** A position in the user's files. */

export interface SourcePosition {
  file: string;
  /** 1-based. */
  line: number;
}
