/** Something found about a kernel that does not stop it, or did. */
export interface Check {
  severity: 'error' | 'warning' | 'info';
  message: string;
  file: string;
  line: number;
  /** Of the program, where it is one that is at fault. */
  instruction?: number;
}
