/** A problem that was found in a kernel: an error that ended the run, or a warning or note that did not. */
export interface Check {
  severity: 'error' | 'warning' | 'info';
  message: string;
  file: string;
  line: number;
  /** Of the program, where it is one that is at fault. */
  instruction?: number;
}
