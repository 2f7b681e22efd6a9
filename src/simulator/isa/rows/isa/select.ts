/** `nki.isa`: elements chosen by a predicate, an index or chance. */
import type { InstructionRow, OperandRule } from '../../types';
import { ALL, column, FROM_V3, ISA_SOURCE, input, output, reduced, scalar, tileOrNumber } from '../shared';

const COMPARISONS = ['equal', 'less', 'less_equal', 'greater', 'greater_equal'];
/** The result of a comparison; `bool` is stored as uint8. */
const predicate: OperandRule = { role: 'in', dtypes: ['uint8', 'uint16', 'uint32', 'bool'] };
const floatTile: OperandRule = { role: 'in', dtypes: ['float'] };
const bound: OperandRule = { ...column, dtypes: ['float32'] };
const inSbuf = (role: 'in' | 'out'): OperandRule => ({ role, spaces: ['sbuf'] });

export const selectRows: readonly InstructionRow[] = [
  {
    name: 'nki.isa.tensor_copy_predicated',
    signature: {
      nki: '(dst, src, predicate, reverse_pred=False, name=None)',
      neuronxcc: '(*, src, dst, predicate, reverse_pred=False, mask=None, dtype=None, **kwargs)',
    },
    operands: { dst: { role: 'inout' }, src: tileOrNumber, predicate },
    attributes: { src: 'float', reverse_pred: 'bool' },
    shape: 'elementwise',
    semantics: 'copyPredicated',
    lower: 'single',
    opcode: 'COPY_PREDICATED',
    costs: ['vectorTensorTensor'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'dst = src where the predicate is not zero; elsewhere dst stays.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.select_reduce',
    signature: {
      nki: "(dst, predicate, on_true, on_false, reduce_res=None, reduce_cmd=reduce_cmd.idle, reduce_op='maximum', reverse_pred=False, name=None)",
      neuronxcc:
        "(*, dst, predicate, on_true, on_false, reduce_res=None, reduce_cmd=reduce_cmd.idle, reduce_op='maximum', reverse_pred=False, mask=None, dtype=None, **kwargs)",
    },
    operands: {
      dst: output,
      predicate: { role: 'in', dtypes: ['int8', 'uint8', 'int16', 'uint16', 'bool'] },
      on_true: {
        role: 'in',
        dtypes: [
          'float32',
          'bfloat16',
          'float16',
          'float8_e4m3',
          'float8_e5m2',
          'float8_e3m4',
          'float8_e4m3fn',
          'int8',
          'int16',
          'uint8',
          'uint16',
          'bool',
        ],
      },
      on_false: scalar,
      reduce_res: { ...reduced, dtypes: ['float'] },
    },
    attributes: { on_false: 'float', reduce_cmd: 'enum', reduce_op: 'arithmetic', reverse_pred: 'bool' },
    shape: 'elementwise',
    semantics: 'selectReduce',
    lower: 'single',
    opcode: 'SELECT_REDUCE',
    costs: ['vectorSelect'],
    engines: ['Vector'],
    generations: ALL,
    choices: { reduce_op: ['maximum'], reduce_cmd: ['idle', 'reset_reduce', 'reduce'] },
    summary: 'on_true where the predicate is not zero, else on_false; optionally the maximum of each partition.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.range_select',
    signature: {
      nki: "(dst, on_true_tile, comp_op0, comp_op1, bound0, bound1, reduce_cmd=reduce_cmd.reset_reduce, reduce_res=None, reduce_op='maximum', range_start=0, on_false_value=-3.4028234663852886e+38, name=None)",
      neuronxcc:
        "(*, on_true_tile, comp_op0, comp_op1, bound0, bound1, reduce_cmd=reduce_cmd.idle, reduce_res=None, reduce_op='maximum', range_start=0, on_false_value=-3.4028234663852886e+38, mask=None, dtype=None, **kwargs)",
    },
    operands: { dst: output, on_true_tile: floatTile, bound0: bound, bound1: bound, reduce_res: reduced },
    attributes: {
      comp_op0: 'arithmetic',
      comp_op1: 'arithmetic',
      reduce_cmd: 'enum',
      reduce_op: 'arithmetic',
      range_start: 'int',
      on_false_value: 'float',
    },
    shape: 'elementwise',
    semantics: 'rangeSelect',
    lower: 'single',
    opcode: 'RANGE_SELECT',
    costs: ['vectorSelect'],
    engines: ['Vector'],
    generations: FROM_V3,
    choices: {
      comp_op0: COMPARISONS,
      comp_op1: COMPARISONS,
      reduce_op: ['maximum'],
      reduce_cmd: ['idle', 'reset', 'reset_reduce', 'reduce'],
    },
    summary:
      "on_true_tile where an element's free index compares with both bounds, else the lowest float32; and the maximum of each partition.",
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.affine_select',
    signature: {
      nki: "(dst, pattern, channel_multiplier, on_true_tile, on_false_value, cmp_op='equal', offset=0, name=None)",
      neuronxcc: '(pred, on_true_tile, on_false_value, *, mask=None, dtype=None, **kwargs)',
    },
    operands: { dst: inSbuf('out'), on_true_tile: inSbuf('in') },
    attributes: {
      pattern: 'pattern',
      channel_multiplier: 'int',
      on_false_value: 'float',
      cmp_op: 'arithmetic',
      offset: 'int',
      pred: 'predicate',
    },
    shape: 'elementwise',
    semantics: 'affineSelect',
    lower: 'single',
    opcode: 'AFFINE_SELECT',
    costs: ['gpsimd'],
    engines: ['GpSimd'],
    generations: ALL,
    choices: { cmp_op: [...COMPARISONS, 'not_equal'] },
    summary: 'on_true_tile where an affine expression of partition and free indices compares with 0, else one value.',
    source: ISA_SOURCE,
  },
  {
    name: 'nki.isa.dropout',
    signature: { nki: '(dst, data, prob, name=None)', neuronxcc: '(data, prob, *, mask=None, dtype=None, **kwargs)' },
    operands: { dst: output, data: input, prob: scalar },
    attributes: { prob: 'float' },
    shape: 'elementwise',
    semantics: 'dropout',
    lower: 'single',
    opcode: 'DROPOUT',
    costs: ['vectorSelect'],
    engines: ['Vector'],
    generations: ALL,
    summary: 'Each element becomes 0 with probability prob, else stays as it is.',
    source: ISA_SOURCE,
  },
];
