/**
 * On-chip traffic of an instruction by its operands, counted as Neuron Profiler counts it: bytes of one partition. Checked against
 * `sbuf_read_bytes` and its like in real Trn2 captures.
 */
import { machineFor } from '../hardware/targets';
import {
  elementBytesOf,
  freeElements,
  isDestination,
  isSource,
  NO_DTYPE,
  type OperandTable,
  operandName,
  operandsOf,
} from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';

/** Bytes per partition. */
export interface OperandBytes {
  sbufRead: number;
  sbufWrite: number;
  psumRead: number;
  psumWrite: number;
}

const [SBUF, PSUM] = [SPACES.indexOf('sbuf'), SPACES.indexOf('psum')];

/** Of a list. Pointers to scalars are no operands in memory and do not count. */
export function operandBytes(t: OperandTable, list: number): OperandBytes {
  const sums: OperandBytes = { sbufRead: 0, sbufWrite: 0, psumRead: 0, psumWrite: 0 };
  const elementBytes = elementBytesOf(t, list);
  for (const [k, operand] of operandsOf(t, list).entries()) {
    const bytes = freeElements(t, operand) * elementBytes[k];
    const space = t.operands.space[operand];
    if (isSource(t, operand)) {
      if (space === SBUF) sums.sbufRead += bytes;
      else if (space === PSUM) sums.psumRead += bytes;
    } else if (isDestination(t, operand)) {
      if (space === SBUF) sums.sbufWrite += bytes;
      else if (space === PSUM) sums.psumWrite += bytes;
    }
  }
  return sums;
}

/** `value` of every list. */
export const ofLists = <T>(t: OperandTable, value: (list: number) => T): T[] => Array.from(t.operandLists.end, (_, list) => value(list));

/** What a FLOP on these operands counts in FLOPs of bf16, by the width of the moving data. Source: as `opcodes.ts`, adjusted_hardware_flops. */
export function bf16Equivalent(t: OperandTable, list: number, target: string): number {
  const moving = operandsOf(t, list).find(operand => operandName(t, operand) === 'src');
  const dtype = moving === undefined || t.operands.dtype[moving] === NO_DTYPE ? '' : t.operandWords[t.operands.dtype[moving]];
  if (dtype === 'fp32' || dtype === 'float32') return 4;
  if (/^(float8|fp8)/.test(dtype)) return machineFor(target).tensor.passes.fp8.value;
  return dtype === 'uint8' ? 0.5 : 1;
}
