/** The state of the values of the selected instruction's operands. */
import type { InstructionValues } from '../../simulator/profile/instructionValues';

export type ValuesState =
  /** It is not known yet if values are available. */
  | { is: 'unknown' }
  | { is: 'impossible'; reason: string }
  | { is: 'offered' }
  | { is: 'computing'; instruction: number }
  | { is: 'shown'; instruction: number; values: InstructionValues }
  | { is: 'failed'; instruction: number; message: string };
