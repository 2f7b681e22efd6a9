/** Times of instructions of VectorE, ScalarE and GpSimd on NeuronCore-v3, by opcode. */
import {
  EXPERT_LOADS,
  LONG_STRIDES,
  PARTITION_REDUCTIONS,
  PSUM_ADDITIONS,
  PSUM_COPIES,
  SUMS_OF_PRODUCTS,
  TRACES,
  VECTOR_TRANSPOSES,
} from '../evidence';
import { assumed, documented, fitted, measured } from '../facts';
import type { Machine } from '../machine';
import { ARCH, CHENGLI, EXPERTS, ISA, TRACE } from './sources';

const oneCycle = documented(1, 'cycles', ISA);
const PSUM_COPY =
  'start to start of copies out of PSUM: 665 ns for 512 elements in the traces, 217 for 128 in the recording of a transpose';
const VECTOR_TRANSPOSE =
  'nad-rmsqkv-*: VectorE is busy for 202 ns with each block of 32 by 32, which is its published share less that of -v1, which has no such transposes; 33 of them are its elements';

export const rules: Machine['rules'] = {
  activation: {
    fixedNs: measured(280, 'ns', TRACES, TRACE),
    fixedPsumNs: measured(258, 'ns', TRACES, TRACE),
    cyclesPerElement: oneCycle,
    issueNs: measured(185, 'ns', TRACES, TRACE),
  },
  scalarCopy: {
    fixedNs: measured(311, 'ns', LONG_STRIDES, `${CHENGLI}: 418 ns for 128 elements`),
    fixedPsumNs: measured(158, 'ns', TRACES, TRACE),
    cyclesPerElement: oneCycle,
    issueNs: measured(210, 'ns', LONG_STRIDES, `${CHENGLI}: 313 to 329 ns from end to end, for 128 elements`),
    issuePsumNs: measured(55, 'ns', TRACES, TRACE),
    issueIntoPsumNs: measured(
      175,
      'ns',
      [...EXPERT_LOADS, ...PSUM_ADDITIONS],
      `${EXPERTS}: COPY to PSUM, 175 to 191 ns from start to start for one element, 277 to 283 for 128; joe-psum-add-*: no more than 0.9 ns for each element from 128 to 512`,
    ),
  },
  vectorCopy: {
    fixedNs: measured(133, 'ns', LONG_STRIDES, `${CHENGLI}: 266 ns for 128 elements`),
    fixedPsumNs: measured(158, 'ns', TRACES, TRACE),
    cyclesPerElement: oneCycle,
    issueNs: measured(50, 'ns', LONG_STRIDES, `${CHENGLI}: 183 ns from end to end, for 128 elements`),
    issuePsumNs: measured(67, 'ns', PSUM_COPIES, PSUM_COPY),
    issueCyclesPerPsumElement: measured(1.12, 'cycles', PSUM_COPIES, PSUM_COPY),
    speedup: {
      sbuf16: documented(4, 'elements/cycle', ARCH),
      wide16: documented(2, 'elements/cycle', ARCH),
      sbuf32: assumed(2, 'elements/cycle', 'as tensor_scalar, costs §3'),
    },
  },
  vectorReduce: {
    fixedNs: measured(152, 'ns', TRACES, TRACE),
    fixedPsumNs: measured(146, 'ns', TRACES, TRACE),
    cyclesPerElement: oneCycle,
    issueNs: measured(70, 'ns', TRACES, TRACE),
  },
  vectorTensorScalar: {
    fixedNs: measured(215, 'ns', TRACES, TRACE),
    cyclesPerElement: oneCycle,
    issueNs: measured(129, 'ns', TRACES, TRACE),
    speedup: {
      sbuf16: documented(4, 'elements/cycle', ARCH),
      wide16: documented(2, 'elements/cycle', ARCH),
      sbuf32: measured(2, 'elements/cycle', TRACES, TRACE),
    },
  },
  vectorTensorScalarReduce: {
    fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3'),
    cyclesPerElement: documented(1, 'cycles', `${ISA} tensor_scalar_reduce: max(MIN_II, N), without a fast mode`),
    issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
  },
  vectorTensorTensor: {
    fixedNs: assumed(158, 'ns', 'as a copy, costs §3'),
    cyclesPerElement: oneCycle,
    issueNs: measured(
      68,
      'ns',
      SUMS_OF_PRODUCTS,
      'chip-sweep-*: 1,024 sums of a product in PSUM and a tile in SBUF, 512 columns each, bound ten settings of a matmul, which take 652 to 665 us for two kernels',
    ),
    speedup: { sbuf16: documented(2, 'elements/cycle', ARCH) },
  },
  vectorScalarTensorTensor: {
    fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3'),
    cyclesPerElement: oneCycle,
    issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
  },
  vectorReciprocal: {
    fixedNs: measured(144, 'ns', ['ins-dve-recip4', 'ins-dve-recip8'], 'calibration ins-dve-recip4, ins-dve-recip8'),
    cyclesPerElement: measured(
      6.96,
      'cycles',
      ['ins-dve-recip4', 'ins-dve-recip8'],
      'calibration ins-dve-recip4, ins-dve-recip8 (documented: 8)',
    ),
    issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
  },
  vectorTranspose: {
    fixedNs: measured(169, 'ns', VECTOR_TRANSPOSES, VECTOR_TRANSPOSE),
    cyclesPerElement: oneCycle,
    issueNs: measured(169, 'ns', VECTOR_TRANSPOSES, VECTOR_TRANSPOSE),
  },
  vectorScan: {
    fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3'),
    cyclesPerElement: documented(2, 'cycles', `${ISA} tensor_tensor_scan`),
    issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
  },
  vectorSelect: {
    fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3'),
    cyclesPerElement: documented(1, 'cycles', `${ISA} range_select, dropout`),
    issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
  },
  vectorSearch: {
    fixedNs: assumed(152, 'ns', 'as a reduction, costs §3'),
    cyclesPerElement: documented(1, 'cycles', `${ISA} max8, nc_find_index8`),
    issueNs: assumed(70, 'ns', 'as a reduction, costs §3'),
  },
  vectorBnAggr: {
    fixedNs: assumed(152, 'ns', 'as a reduction, costs §3'),
    cyclesPerElement: documented(13 / 3, 'cycles', `${ISA} bn_aggr`),
    issueNs: assumed(70, 'ns', 'as a reduction, costs §3'),
  },
  vectorExponential: {
    fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3; the instruction exists on v4 only'),
    cyclesPerElement: documented(0.25, 'cycles', 'arch v4: four times the rate of an activation'),
    issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
  },
  vectorQuantize: {
    fixedNs: assumed(215, 'ns', 'as tensor_scalar, costs §3; the instruction exists on v4 only'),
    cyclesPerElement: documented(0.25, 'cycles', 'arch v4: four elements per partition and cycle'),
    issueNs: assumed(129, 'ns', 'as tensor_scalar, costs §3'),
  },
  gpsimd: {
    fixedNs: assumed(200, 'ns', 'start-up of 150 cycles (isa 1db4d74e) and memory access, costs §2'),
    cyclesPerElement: oneCycle,
    issueNs: documented(125, 'ns', `${ISA}: 150 cycles at 1.2 GHz`),
  },
  gpsimdTopK: {
    fixedNs: assumed(200, 'ns', 'as other GpSimd instructions'),
    cyclesPerElement: documented(4, 'cycles', 'nki.isa.topk: 4 n + K'),
    issueNs: documented(125, 'ns', `${ISA}: 150 cycles at 1.2 GHz`),
  },
  gpsimdPartitionReduce: {
    fixedNs: assumed(200, 'ns', 'as other GpSimd instructions'),
    cyclesPerElement: fitted(
      91,
      'cycles',
      PARTITION_REDUCTIONS,
      'nad-conv-*: GpSimd is busy for 2.49 ms with 496 maxima over 128 partitions of 62 columns in fp16, and for 2.41 with 248 of 124 columns, DMA triggers apart: 76 ns for each column',
    ),
    issueNs: documented(125, 'ns', `${ISA}: 150 cycles at 1.2 GHz`),
  },
  gpsimdGather: {
    fixedNs: assumed(200, 'ns', 'as other GpSimd instructions'),
    cyclesPerElement: oneCycle,
    issueNs: documented(125, 'ns', `${ISA}: 150 cycles at 1.2 GHz`),
  },
};
