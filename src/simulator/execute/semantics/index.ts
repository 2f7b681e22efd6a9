/** The reference semantics by key (`row.semantics`). A new kind of instruction is a function and a line here. */
import type { Attributes } from '../../program/program';
import type { Step } from '../step';
import { activate2, activation, exponential } from './activation';
import { alone } from './collectives';
import { copy, fill, transpose } from './copy';
import { atomicUpdate, dmaCompute, dmaTranspose } from './dma';
import { aluUnary, binary, composite, scalarTensorTensor, tensorScalar, tensorTensor, where } from './elementwise';
import { gather, iota, localGather, sequenceBounds, streamShuffle } from './gather';
import { matmul, matmul2d } from './matmul';
import { matmulMx, quantizeMx } from './microscaling';
import { rmsNorm, softmax } from './normalize';
import { dropout, getRandomState, randomBits, randomUniform, setRandomState, setSeed } from './random';
import { partitionReduce, reduce, tensorScalarReduce } from './reduce';
import { cumulative, scan } from './scan';
import { findIndex8, matchReplace8, max8, nonzeroWithCount, topk } from './search';
import { affineSelect, copyPredicated, rangeSelect, selectReduce } from './select';
import { bnAggr, bnStats, variance } from './statistics';

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
  composite,
  copyPredicated,
  selectReduce,
  rangeSelect,
  affineSelect,
  dropout,
  activation,
  activate2,
  exponential,
  reduce,
  partitionReduce,
  tensorScalarReduce,
  variance,
  bnStats,
  bnAggr,
  scan,
  cumulative,
  max8,
  findIndex8,
  matchReplace8,
  nonzeroWithCount,
  topk,
  matmul,
  matmul2d,
  matmulMx,
  quantizeMx,
  softmax,
  rmsNorm,
  atomicUpdate,
  alone,
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

type IsHidden = (attributes: Attributes) => boolean;

const always: IsHidden = () => true;
/** Rows with `reduce_cmd` use registers, also with `idle`, which may still read them into `reduce_res`. */
const commanded: IsHidden = attributes => attributes.reduce_cmd !== undefined;

/**
 * Rows that read or write state outside of tensors (registers of an engine, its random generators). Executing a part of a program keeps
 * these in order. Key of the semantics -> whether an instruction with these attributes does so.
 */
export const hiddenState: Readonly<Record<string, IsHidden>> = {
  activate2: commanded,
  activation: commanded,
  cumulative: always,
  dropout: always,
  exponential: commanded,
  getRandomState: always,
  randomBits: always,
  randomUniform: always,
  rangeSelect: commanded,
  selectReduce: commanded,
  setRandomState: always,
  setSeed: always,
  tensorScalarReduce: always,
};
