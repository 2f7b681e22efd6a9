/** `lower` key of an instruction row -> what it becomes. A row whose key is not here cannot be compiled: a test holds that. */
import type { CompileContext } from '../context';
import { collective, collectiveReduce } from './collectives';
import { periodic, rmsNorm, rounding, softmax, tangent, variance } from './composite';
import { atomicUpdate, dmaCompute, dmaTranspose } from './dma';
import { barrier, gather, iota, localGather, random, randomState, sequenceBounds, streamShuffle } from './gather';
import { loadTranspose, matmul, matmul2d, matmulMx, transpose } from './matmul';
import { copy, copyDynamic, dma, memset, store } from './movement';
import { register } from './registers';
import { activate2, activation, reciprocalRoot } from './scalar';
import { single, topk } from './single';
import {
  aluUnary,
  binary,
  mean,
  partitionReduce,
  reciprocal,
  reduce,
  scalarTensorTensor,
  tensorScalar,
  tensorTensor,
  where,
} from './vector';

export type Lowering = (c: CompileContext) => void;

export const lowerings: Readonly<Record<string, Lowering>> = {
  activate2,
  activation,
  atomicUpdate,
  barrier,
  collective,
  collectiveReduce,
  copyDynamic,
  dmaCompute,
  dmaTranspose,
  gather,
  iota,
  loadTranspose,
  localGather,
  random,
  randomState,
  sequenceBounds,
  streamShuffle,
  aluUnary,
  binary,
  copy,
  dma,
  matmul,
  matmul2d,
  matmulMx,
  mean,
  memset,
  partitionReduce,
  periodic,
  reciprocal,
  reciprocalRoot,
  reduce,
  register,
  rmsNorm,
  rounding,
  scalarTensorTensor,
  single,
  softmax,
  store,
  tangent,
  tensorScalar,
  tensorTensor,
  topk,
  transpose,
  variance,
  where,
};
