/**
 * A program whose narrow floats are held as float32 (NKI_PRECISE_FP=0): nothing is rounded, so that errors of logic can be distinguished
 * from losses of precision. Tensors whose bits are read as another dtype keep their own dtype. Source: aws-neuron-sdk
 * nki/guides/nki_simulator.rst "Precise Floating-Point Mode".
 */

import type { Program } from '../program/program';
import { dtype, dtypes } from '../vocabulary/dtypes';

const FLOAT32 = dtype('float32');
const NARROW = dtypes.map(({ class: kind, sizeBytes }) => kind === 'float' && sizeBytes < FLOAT32.sizeBytes);

export function unrounded(program: Program): Program {
  const { tensors, operands } = program;
  const widened = tensors.dtype.map(code => (NARROW[code] ? 1 : 0));
  for (let o = 0; o < operands.tensor.length; o++)
    if (operands.dtype[o] !== tensors.dtype[operands.tensor[o]]) widened[operands.tensor[o]] = 0;
  return {
    ...program,
    tensors: { ...tensors, dtype: tensors.dtype.map((code, t) => (widened[t] ? FLOAT32.code : code)) },
    operands: { ...operands, dtype: operands.dtype.map((code, o) => (widened[operands.tensor[o]] ? FLOAT32.code : code)) },
  };
}
