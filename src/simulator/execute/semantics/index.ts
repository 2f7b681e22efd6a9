/** The reference semantics by key (`row.semantics`). A new kind of instruction is a function and a line here. */
import type { Attributes } from '../../program/program';
import type { Step } from '../step';
import { activation } from './activation';
import { copy, fill, transpose } from './copy';
import { aluUnary, binary, scalarTensorTensor, tensorScalar, tensorTensor, where } from './elementwise';
import { matmul, matmul2d } from './matmul';
import { rmsNorm, softmax } from './normalize';
import { partitionReduce, reduce } from './reduce';

/** Carries out one instruction: reads its operands, computes, writes. */
export type Semantics = (step: Step) => void;

export const semantics: Readonly<Record<string, Semantics>> = {
  copy,
  fill,
  transpose,
  tensorTensor,
  tensorScalar,
  scalarTensorTensor,
  binary,
  aluUnary,
  where,
  activation,
  reduce,
  partitionReduce,
  matmul,
  matmul2d,
  softmax,
  rmsNorm,
  nothing: () => {},
};

/**
 * Rows that read or write what is in no tensor (registers of an engine): executing a part of a program keeps them in order. Key of the
 * semantics -> whether these attributes make it so.
 */
export const hiddenState: Readonly<Record<string, (attributes: Attributes) => boolean>> = {
  activation: attributes => attributes.reduce_cmd !== undefined,
};
