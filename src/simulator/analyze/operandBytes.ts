/**
 * On-chip traffic of an instruction, read from its operand text (`src=fp32@0x4820[1,1,1][512,1,1]`), counted as Neuron
 * Profiler counts it: bytes of one partition. Checked against `sbuf_read_bytes` and its like in real Trn2 captures.
 */
import { machineFor } from '../hardware/targets';
import { dtypes } from '../vocabulary/dtypes';

/** Bytes per partition. */
export interface OperandBytes {
  sbufRead: number;
  sbufWrite: number;
  psumRead: number;
  psumWrite: number;
}

/** Name, dtype (absent: that of the operand before), address, strides, shape. Pointers to scalars have no shape and do not count. */
const PATTERN = /\b(src\d*|dst\d*)=(?:([a-z]\w*)@)?0x([0-9a-f]+)\[[^\]]*\]\[([\d,]*)\]/g;
const SHORT_NAMES: Readonly<Record<string, string>> = { fp32: 'float32', fp32r: 'tfloat32', fp16: 'float16', bf16: 'bfloat16' };
const SIZES = new Map(dtypes.map(({ name, sizeBytes }) => [name, sizeBytes]));

export function operandBytes(text: string, target: string): OperandBytes {
  const psumFrom = machineFor(target).addressPsumBytes.value;
  const sums: OperandBytes = { sbufRead: 0, sbufWrite: 0, psumRead: 0, psumWrite: 0 };
  let elementBytes = 0;
  for (const [, name, dtype, address, shape] of text.matchAll(PATTERN)) {
    if (dtype) elementBytes = dtypeBytes(dtype);
    const bytes = shape.split(',').reduce((n, size) => n * Number(size), elementBytes);
    const psum = Number.parseInt(address, 16) >= psumFrom;
    if (name.startsWith('src')) sums[psum ? 'psumRead' : 'sbufRead'] += bytes;
    else sums[psum ? 'psumWrite' : 'sbufWrite'] += bytes;
  }
  return sums;
}

const dtypeBytes = (name: string) => SIZES.get(SHORT_NAMES[name] ?? name) ?? 0;

/** What a FLOP on these operands counts in FLOPs of bf16, by the width of the moving data. Source: as `opcodes.ts`, adjusted_hardware_flops. */
export function bf16Equivalent(text: string, target: string): number {
  const dtype = /\bsrc=([a-z]\w*)@/.exec(text)?.[1] ?? '';
  if (dtype === 'fp32' || dtype === 'float32') return 4;
  if (/^(float8|fp8)/.test(dtype)) return machineFor(target).tensor.passes.fp8.value;
  return dtype === 'uint8' ? 0.5 : 1;
}
