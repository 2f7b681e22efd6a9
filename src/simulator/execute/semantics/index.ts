/** The reference semantics by key (`row.semantics`). A new kind of instruction is a function and a line here. */
import type { Attributes } from '../../program/program';
import type { Step } from '../step';
import { activation } from './activation';
import { chunk, combine } from './collectives';
import { copy, fill, transpose } from './copy';
import { atomicUpdate, dmaCompute, dmaTranspose } from './dma';
import { aluUnary, binary, scalarTensorTensor, tensorScalar, tensorTensor, where } from './elementwise';
import { gather, iota, localGather, sequenceBounds, streamShuffle } from './gather';
import { matmul, matmul2d } from './matmul';
import { rmsNorm, softmax } from './normalize';
import { getRandomState, randomBits, randomUniform, setRandomState, setSeed } from './random';
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
  atomicUpdate,
  chunk,
  combine,
  dmaCompute,
  dmaTranspose,
  gather,
  getRandomState,
  iota,
  localGather,
  nothing: () => {},
  randomBits,
  randomUniform,
  sequenceBounds,
  setRandomState,
  setSeed,
  streamShuffle,
};

const always = () => true;

/**
 * Rows that read or write what is in no tensor (registers of an engine): executing a part of a program keeps them in order. Key of the
 * semantics -> whether these attributes make it so.
 */
export const hiddenState: Readonly<Record<string, (attributes: Attributes) => boolean>> = {
  activation: attributes => attributes.reduce_cmd !== undefined,
  getRandomState: always,
  randomBits: always,
  randomUniform: always,
  setRandomState: always,
  setSeed: always,
};
