/** TensorE of NeuronCore-v3: products, weights and its clock. */
import { PROFILES, TRACES } from '../evidence';
import { assumed, documented, measured } from '../facts';
import type { Machine } from '../machine';
import { ARCH, ISA, TRACE } from './sources';

const RIYA = 'NTFF of riya-ranjan/cs149-pa4';

export const tensor: Machine['tensor'] = {
  passes: {
    fp32: measured(2, 'count', [...TRACES, 'ko-v3-mm-ii', 'ko-v5-mm-ii'], `${TRACE}: 429 ns for 512 columns, per MATMUL`),
    bf16: documented(1, 'count', ISA),
    fp8: documented(0.5, 'count', ARCH),
  },
  longStridePasses: assumed(2, 'count', 'as on v2, where half of the bandwidth is documented; no profile shows such a walk'),
  fp32Instructions: measured(2, 'count', [...TRACES, 'ko-v3-mm-ii'], TRACE),
  fp32TransposeInstructions: measured(1, 'count', TRACES, TRACE),
  minColumns: documented(
    64,
    'elements',
    'costs §2; at half clock it is no longer, in three recordings of KevGomes1403: 26.5 ns for weights and a MATMUL of one or two columns',
  ),
  fillNs: measured(163, 'ns', TRACES, TRACE),
  fillSlowNs: measured(207, 'ns', TRACES, TRACE),
  loadRowsPerCycle: {
    bf16: documented(4, 'elements/cycle', 'arch v2: up to 4x faster than streaming'),
    fp32: measured(0.5, 'elements/cycle', TRACES, `${TRACE}: 191 ns for 128 rows at full clock, 333 at half`),
    fp32Transpose: assumed(1, 'elements/cycle', 'as streaming; in the traces 140 ns for 128 rows at full clock, 229 at half'),
  },
  weightsWordNs: assumed(0.714, 'ns', 'arch v2: SBUF at 1.4 GHz; the recording of weightsWordBytes has 49 to 56 ns for 72 words'),
  weightsWordBytes: measured(
    64,
    'bytes',
    ['riya-ranjan my_conv_kernel_float16_smaller'],
    `${RIYA}, my_conv_kernel_float16_smaller: 49 to 56 ns from each of 1,079 LDWEIGHTS of 128 elements, 36 bytes apart, to its MATMUL, at half clock and at full`,
  ),
  weightsGapNs: measured(
    6.67,
    'ns',
    ['riya-ranjan my_conv_kernel_float16_smaller', 'riya-ranjan my_conv_kernel_float32_smaller'],
    `${RIYA}, my_conv_kernel_*_smaller: 6.7 ns from MATMULs of 14 columns to the next LDWEIGHTS, at half clock 12.5; with fp32 225.8 ns from LDWEIGHTS to LDWEIGHTS, 12.5 more than its rows`,
  ),
  loadFixedNs: measured(84, 'ns', ['ins-ldw-bf16'], 'calibration ins-ldw-bf16: 97 ns for 128 rows'),
  tilesAtOnce: documented(true, 'choice', `${ISA} nc_matmul: tiles of rows and of columns run in parallel`),
  hidesLoads: documented(true, 'choice', 'arch v2: background LoadStationary'),
  clock: {
    windowNs: measured(3413.333, 'ns', PROFILES, 'costs §3: 4096 cycles at 1.2 GHz'),
    raiseAbove: measured(0.9, 'fraction', TRACES, 'ham events of the four traces: 0.75 does not raise, 1.0 does'),
    dropBelow: measured(0.25, 'fraction', TRACES, 'ham events of the four traces: 0.03 drops, 0.47 does not'),
    slowdown: measured(2, 'count', TRACES, TRACE),
  },
};
