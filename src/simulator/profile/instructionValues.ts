/**
 * The values of an instruction's operands <-> column container (kind `values`): sent to the page for one instruction at a time.
 * `execute/operandValues.ts` computes them.
 */
import { type Column, decodeContainer, encodeContainer, FormatError } from '../columns/container';
import type { OperandValues } from '../execute/operandValues';

export type { OperandValues, ValueStatistics } from '../execute/operandValues';

export interface InstructionValues {
  /** Index in the program: `instructions.origin` of the profile. */
  instruction: number;
  /** The NKI function, as the instruction table names it. */
  operation: string;
  /** First the operands that it reads, before it ran, then those that it writes, after it ran. */
  operands: OperandValues[];
}

const VERSION = 1;

export function encodeValues({ instruction, operation, operands }: InstructionValues): Uint8Array {
  const meta = { instruction, operation, operands: operands.map(({ values, ...rest }) => rest) };
  const columns = Object.fromEntries(operands.map(({ values }, k): [string, Column] => [String(k), values]));
  return encodeContainer({ kind: 'values', version: VERSION, meta, columns });
}

/** Views over `bytes`. @throws FormatError */
export function decodeValues(bytes: Uint8Array): InstructionValues {
  const { version, meta, columns } = decodeContainer(bytes, 'values');
  const { instruction, operation, operands } = (meta ?? {}) as InstructionValues;
  if (version !== VERSION || !Array.isArray(operands)) throw new FormatError('these values are of another version of NKI Scope');
  const filled = operands.map((operand, k) => ({ ...operand, values: columns[k] as OperandValues['values'] }));
  if (filled.some(({ values }) => !values)) throw new FormatError('the values of an operand are missing');
  return { instruction, operation, operands: filled };
}
