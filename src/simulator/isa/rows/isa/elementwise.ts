/** `nki.isa`: ALU operations element by element. */
import type { InstructionRow } from '../../types';
import { ALL, ISA_SOURCE, input, optionalScalar, output, scalar } from '../shared';

export const elementwiseRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.tensor_tensor',
    signature: {
      nki: '(dst, data1, data2, op, engine=engine.unknown, name=None)',
      neuronxcc: '(data1, data2, op, *, dtype=None, mask=None, engine=engine.unknown, **kwargs)',
    },
    operands: { dst: output, data1: input, data2: input },
    attributes: { op: 'alu', engine: 'engine' },
    shape: 'elementwise',
    semantics: 'tensorTensor',
    lower: 'tensorTensor',
    costs: ['vectorTensorTensor', 'gpsimd'],
    engines: ['Vector', 'GpSimd'],
    generations: ALL,
    summary: 'dst = data1 op data2, element by element.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.tensor_scalar',
    signature: {
      nki: '(dst, data, op0, operand0, reverse0=False, op1=None, operand1=None, reverse1=False, engine=engine.unknown, name=None)',
      neuronxcc:
        '(data, op0, operand0, reverse0=False, op1=None, operand1=None, reverse1=False, *, dtype=None, mask=None, engine=engine.unknown, **kwargs)',
    },
    operands: { dst: output, data: input, operand0: scalar, operand1: optionalScalar },
    attributes: { op0: 'alu', operand0: 'float', reverse0: 'bool', op1: 'alu', operand1: 'float', reverse1: 'bool', engine: 'engine' },
    shape: 'elementwise',
    semantics: 'tensorScalar',
    lower: 'tensorScalar',
    costs: ['vectorTensorScalar', 'scalarCopy', 'activation', 'gpsimd'],
    engines: ['Vector', 'Scalar', 'GpSimd'],
    generations: ALL,
    summary: 'dst = (data op0 operand0) op1 operand1 with numbers or one value per partition.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.scalar_tensor_tensor',
    signature: {
      nki: '(dst, data, op0, operand0, op1, operand1, reverse0=False, reverse1=False, name=None)',
      neuronxcc: '(*, data, op0, operand0, op1, operand1, reverse0=False, reverse1=False, dtype=None, mask=None, **kwargs)',
    },
    operands: { dst: output, data: input, operand0: scalar, operand1: input },
    attributes: { op0: 'arithmetic', operand0: 'float', op1: 'arithmetic', reverse0: 'bool', reverse1: 'bool' },
    shape: 'elementwise',
    semantics: 'scalarTensorTensor',
    lower: 'scalarTensorTensor',
    costs: ['vectorScalarTensorTensor'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'dst = (data op0 operand0) op1 operand1; operand0 per partition or number, operand1 a tile.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.reciprocal',
    signature: { nki: '(dst, data, name=None)', neuronxcc: '(data, *, dtype=None, mask=None, **kwargs)' },
    operands: { dst: output, data: input },
    attributes: {},
    fixed: { op: 'reciprocal' },
    shape: 'elementwise',
    semantics: 'activation',
    lower: 'reciprocal',
    costs: ['vectorReciprocal'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'dst = 1 / data on VectorE.',
    source: ISA_SOURCE,
  },
];
