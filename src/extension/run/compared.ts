/** A run among others that it is compared with. */
import type { Run } from './run';

export interface Compared {
  run: Run;
  /** What tells it from another of the same kernel. */
  title: string;
}
