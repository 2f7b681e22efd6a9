/**
 * On-chip traffic of an instruction by its operands, counted as Neuron Profiler counts it: bytes of one partition. Checked against
 * `sbuf_read_bytes` and its like in real Trn2 captures.
 */
import type { Machine } from '../hardware/machine';
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
import { machineOf } from './machineOf';

/** Bytes per partition. */
export interface OperandBytes {
  sbufRead: number;
  sbufWrite: number;
  psumRead: number;
  psumWrite: number;
}

const [SBUF, PSUM] = [SPACES.indexOf('sbuf'), SPACES.indexOf('psum')];

/** Bytes of a list of operands. Pointers to scalars do not count. */
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

/** Width of the data that a matmul streams. Its rate depends on it. */
export type MovingWidth = 'fp32' | 'bf16' | 'fp8';

/** From the dtype of the moving data, as profiles and captures print it. */
export function movingWidth(t: OperandTable, list: number): MovingWidth {
  const moving = operandsOf(t, list).find(operand => operandName(t, operand) === 'src');
  const dtype = moving === undefined || t.operands.dtype[moving] === NO_DTYPE ? '' : t.operandWords[t.operands.dtype[moving]];
  if (dtype === 'fp32' || dtype === 'float32') return 'fp32';
  return /^(float8|fp8|uint8)/.test(dtype) ? 'fp8' : 'bf16';
}

/** FLOPs of bf16 that one FLOP on data of this width counts for. Source: see `opcodes.ts`, adjusted_hardware_flops. */
export function bf16Flops({ tensor }: Machine, width: MovingWidth): number {
  return width === 'fp32' ? 4 : width === 'fp8' ? tensor.passes.fp8.value : 1;
}

/** The same for a list of operands on a target. */
export const bf16Equivalent = (t: OperandTable, list: number, target: string) => bf16Flops(machineOf({ target }), movingWidth(t, list));
