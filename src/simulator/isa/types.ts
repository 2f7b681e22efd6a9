/**
 * The shape of a row of THE instruction table. One row feeds everything: the Python function and its signature, the checks
 * of its arguments, the reference semantics, the lowering to machine instructions, hover text and documentation.
 *
 * A row is data. What a row's rules *do* lives in one function each: `shape` in the Python front end, `semantics` in
 * `execute/`, `lower` in `compile/`, costs in `hardware/`.
 */

import type { CostRuleName, SizeName } from '../hardware/machine';
import type { Engine } from '../vocabulary/engines';
import type { InstructionSet } from '../vocabulary/generations';
import type { Space } from '../vocabulary/spaces';

/** The two spellings of the language: `nki` (0.3 and later) and the legacy `neuronxcc.nki`. */
export type Dialect = 'nki' | 'neuronxcc';

/**
 * How a tensor operand is used.
 * - `out` written; `inout` read and written (accumulators); `in` read
 * - `index`: indices of another operand that is addressed indirectly (`x_index` beside `x`)
 * - `scalar`: a number (goes to the attributes) or a tensor of one value per partition, [P, 1] (an operand)
 */
export type OperandRole = 'out' | 'in' | 'inout' | 'scalar' | 'index';

export interface OperandRule {
  role: OperandRole;
  /** Where the tensor may live; absent: on chip (sbuf or psum). */
  spaces?: readonly Space[];
  /** dtypes allowed, by class or by name; absent: all but packed ones. */
  dtypes?: readonly string[];
  /** Elements per partition: just so many, or from least to most, which may be a size of the machine; absent: what the shape rule says. */
  free?: number | readonly [least: number, most: number | SizeName];
  optional?: boolean;
}

/** A rule of `hardware/machine.ts`, or what has a model of its own: the PE array, the DMA engines and the registers of sequencers. */
export type CostName = CostRuleName | 'tensor' | 'dma' | 'register';

/** What an attribute holds; the front end turns what the user wrote into this canonical JSON form. */
export type AttributeType =
  | 'float' // a Python number
  | 'int'
  | 'bool'
  | 'alu' // name in `aluOps`
  | 'arithmetic' // the same without bit operations
  | 'partitionReduction' // name in `partitionReductions`
  | 'activation' // name in `activationFunctions`
  | 'axes' // list of free axes, 1-based, ascending
  | 'shape' // tuple of ints
  | 'dtype' // name in `dtypes`
  | 'engine' // Engine or 'unknown'
  | 'enum' // lower-case member name of an `nki.isa` enum
  | 'string'
  | 'pattern' // list of [step, count], outermost first
  | 'predicate' // list of [constant, coefficients]: where each constant + coefficients . indices is at least 0
  | 'json'; // nested lists of numbers

/** Rule that gives the result's shape when the dialect returns tiles; one Python function each (`nki/_record/calls/shapes.py`). */
export type ShapeRule =
  | 'elementwise' // operands broadcast against each other as NumPy does, partition axis included
  | 'reduce' // `axis` removed (or kept as 1) in the free dimensions
  | 'matmul' // stationary[K, M], moving[K, N] -> [M, N]
  | 'matmul2d' // x[M, K] or [K, M] with transpose_x, y[K, N] -> [M, N]
  | 'transpose' // [P, F] -> [F, P]
  | 'load' // the source view's shape
  | 'given' // attribute `shape`
  | 'pattern' // the same, and the values follow from the position: no mask
  | 'indices' // as the operand `indices`
  | 'dmaTranspose' // first and last axis exchanged
  | 'localGather' // [P, indices, elements per index]
  | 'bounds' // [1, n] -> [1, 2, n]
  | 'partitionSum' // [P, F] -> [1, F]
  | 'like' // the first input's shape; the other operands have shapes of their own
  | 'perPartition' // [P, ...] -> [P, n], n as the destination's rule says
  | 'own' // writes only operands it was given; how their shapes go together is the row's own check
  | 'none'; // writes only operands it was given

/** What turns a call's arguments into the row's operands and attributes; one Python function each (`nki/_record/calls/preparations.py`). */
export type Preparation =
  | 'affinePattern' // `expr`, an index expression, becomes `pattern`, `offset`, `channel_multiplier` and `shape`
  | 'wholeValue' // a tile of integers takes a `value` without a fraction
  | 'sources' // the list `srcs` becomes the operands src0, src1...
  | 'sumIntoDestination' // `dst_rmw_op` adds, and skips nothing
  | 'updateOfRows' // `op` adds, to rows of `dst` that indices name
  | 'reversedAxes' // `axes` exchanges the first and the last
  | 'validIndices' // `num_valid_indices` is all of `index` where it is not given
  | 'lanes' // `shuffle_mask` has an entry for each partition of a quadrant
  | 'cores' // `cores` are those of a logical core
  | 'exchange' // `send_to_rank` and `recv_from_rank` are the other core, which has a tile like this one
  | 'flattened'; // `axis` is 0, and the result has the dtype of `data`

export interface InstructionRow {
  /** Full public name; `nki.isa.*` or `nki.language.*` (the legacy dialect answers to the same rows). */
  name: string;
  /** Python parameter lists, as AWS documents them. A dialect without an entry does not have the function. An `out` operand
   *  that a list does not name is allocated and returned. `mask` and `name` are understood for every row. */
  signature: Partial<Record<Dialect, string>>;
  /** Tensor operands by parameter name. Their order here is their operand number in the program. */
  operands: Readonly<Record<string, OperandRule>>;
  /** Attributes by parameter name: everything that is not a tensor. `scalar` operands given as numbers appear here too. */
  attributes: Readonly<Record<string, AttributeType>>;
  /** Attributes the row itself sets (an `nl.exp` is an activation with `op: exp`). */
  fixed?: Readonly<Record<string, string | number | boolean>>;
  /** Attributes that a dialect's parameter list does not have, but its meaning fixes. */
  implied?: Partial<Record<Dialect, Readonly<Record<string, string | number | boolean>>>>;
  /** Parameters that a dialect names otherwise than the operand: parameter -> operand. */
  renamed?: Partial<Record<Dialect, Readonly<Record<string, string>>>>;
  /** Absent: parameters are operands and attributes as they are. */
  prepare?: Preparation;
  /** Operand for which a number may stand: a tile of it is made first. */
  tileOfNumber?: string;
  /** The core waits here for others of its logical core: attribute that names them all, or the one it gets something from. */
  waitsFor?: 'cores' | 'recv_from_rank';
  /** Ranks carry it out together: attribute that says which, as lists of ranks that take part together, or as pairs of sender and receiver. */
  ranksAttribute?: 'replica_group' | 'source_target_pairs';
  shape: ShapeRule;
  /** Key of the reference semantics in `execute/semantics`. */
  semantics: string;
  /** Key of the lowering in `compile/lowerings`. */
  lower: string;
  /** Opcode as profiles print it, for the lowering `single`. */
  opcode?: string;
  /** Cost rules of `hardware/` that its machine instructions are timed by. */
  costs: readonly CostName[];
  /** Engines that may run it, the default first. DMA rows name the engine whose queue triggers by default. */
  engines: readonly Engine[];
  /** Instruction sets that it is in. */
  generations: readonly InstructionSet[];
  /** Engines that only machines with some of these sets run it on. */
  engineGenerations?: Partial<Record<Engine, readonly InstructionSet[]>>;
  /** Names that an attribute may have, where the hardware knows fewer than its type. */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** dtype of an allocated result when `dtype=` is not given, of both dialects or of one; absent: promoted from the inputs. */
  resultDtype?: string | Partial<Record<Dialect, string>>;
  /** The same where all inputs are integers. */
  integerResultDtype?: Partial<Record<Dialect, string>>;
  /** Memory of an allocated result; absent: sbuf. */
  resultSpace?: Space;
  /** One sentence for hover and API.md. */
  summary: string;
  /** Where the behaviour is documented. */
  source: string;
}
