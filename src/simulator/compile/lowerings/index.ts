/** `lower` key of an instruction row -> what it becomes. A row whose key is not here cannot be compiled: a test holds that. */
import type { Context } from '../context';
import { rmsNorm, softmax } from './composite';
import { atomicUpdate, collective, collectiveReduce, dmaCompute, dmaTranspose } from './dma';
import { barrier, gather, iota, localGather, random, randomState, sequenceBounds, streamShuffle } from './gather';
import { matmul, matmul2d, transpose } from './matmul';
import { copy, copyDynamic, dma, memset, store } from './movement';
import { register } from './registers';
import { activation } from './scalar';
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

export type Lowering = (c: Context) => void;

export const lowerings: Readonly<Record<string, Lowering>> = {
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
  mean,
  memset,
  partitionReduce,
  reciprocal,
  reduce,
  register,
  rmsNorm,
  scalarTensorTensor,
  softmax,
  store,
  tensorScalar,
  tensorTensor,
  transpose,
  where,
};
