/** A file of the user's as it was when it ran. */
export interface SourceFile {
  path: string;
  /** Text at the time of the run, so that a profile shows the code it measured. */
  text: string;
  /** SHA-256 of the text, hex. */
  sha256: string;
}
