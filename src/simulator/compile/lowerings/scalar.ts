/** Lowerings to ScalarE: activations with their function tables, bias, scale and accumulated reductions. */
import { activationTable } from '../../hardware/activationTables';
import { addCost, type Cost, NO_COST } from '../../hardware/costModel';
import { SCALAR, TABLE } from '../compiled';
import { type CompileContext, NONE } from '../context';
import { readBack } from './single';

export interface Activation {
  dst: number;
  data: number;
  /** Name in `activationFunctions`. */
  op: string;
  /** Columns read on the side. */
  columns?: readonly number[];
  /** One of them is the scale. */
  isScaled?: boolean;
  /** Column the results are accumulated into. */
  accumulator?: number;
  after?: string;
}

export function activation(c: CompileContext) {
  const data = c.operand('data') !== NONE ? c.operand('data') : c.operand('x');
  emitActivation(c, {
    dst: c.operand('dst'),
    data,
    op: String(c.attribute('op')),
    columns: [c.operand('bias'), c.operand('scale')].filter(p => p !== NONE),
    isScaled: c.operand('scale') !== NONE,
    accumulator: c.operand('reduce_res') !== NONE ? c.operand('reduce_res') : undefined,
    after: sideValues(c),
  });
}

/** `nl.rsqrt`: since NKI 0.5 GpSimd computes it, more exactly than ScalarE's table (release-notes/components/nki.rst, "Improvements" of 0.5.0). */
export function reciprocalRoot(c: CompileContext) {
  if (c.program.dialect !== 'nki') {
    activation(c);
    return;
  }
  const [dst, x] = [c.operand('dst'), c.operand('x')];
  c.emit({ engine: 'GpSimd', opcode: 'TENSOR_SCALAR', rule: 'gpsimd', writes: [dst], reads: [x], before: 'op0=RSQRT', after: 'imm0=0' });
}

/** `(data op0 imm0) op1 imm1` before the function; both operations take no additional time. */
export function activate2(c: CompileContext) {
  const words = [0, 1].map(k => `op${k}=${c.word(`op${k}`)} imm${k}=${Number(c.attribute(`imm${k}`) ?? 0).toFixed(6)}`);
  emitActivation(c, {
    dst: c.operand('dst'),
    data: c.operand('data'),
    op: String(c.attribute('op')),
    columns: ['imm0', 'imm1', 'relu_param'].map(name => c.operand(name)).filter(p => p !== NONE),
    isScaled: [0, 1].some(k => c.word(`op${k}`) === 'MULTIPLY' && c.operand(`imm${k}`) !== NONE),
    accumulator: c.operand('reduce_res') === NONE ? undefined : c.operand('reduce_res'),
    after: `${words.join(' ')} accumulator_cmd=${String(c.attribute('reduce_cmd') ?? 'idle').toUpperCase()}`,
  });
}

function sideValues(c: CompileContext): string {
  const [scale, bias] = [c.attribute('scale'), c.attribute('bias')];
  const command = String(c.attribute('reduce_cmd') ?? 'idle').toUpperCase();
  return `scale=${Number(scale ?? 1).toFixed(6)} imm=${Number(bias ?? 0).toFixed(6)} accumulator_cmd=${command}`;
}

const IDLE = 'scale=1.000000 imm=0.000000 accumulator_cmd=IDLE';

/** Loads the function's table first if ScalarE has another one. The read-back of an accumulator takes MIN_II more
 *  (isa 1db4d74e: ActReadAccumulator). */
export function emitActivation(
  c: CompileContext,
  { dst, data, op, columns = [], isScaled = false, accumulator, after = IDLE }: Activation,
) {
  if (op === 'copy' && columns.length === 0 && accumulator === undefined && after === IDLE) {
    c.emit({ engine: 'Scalar', opcode: 'COPY', rule: 'scalarCopy', writes: [dst], reads: [data] });
    return;
  }
  const table = activationTable(c.machine, op);
  loadTable(c, table);
  const number = c.emit({
    engine: 'Scalar',
    opcode: 'ACTIVATE',
    // A function without a table costs as much as a copy (v2: an IDENTITY of one element takes 159 ns, as a COPY on v3).
    rule: table === '' ? 'scalarCopy' : 'activation',
    writes: accumulator === undefined ? [dst] : [dst, accumulator],
    reads: [data, ...columns],
    before: op === 'copy' ? 'IDENTITY' : op.toUpperCase(),
    after,
    extra: sideCost(c, isScaled, accumulator !== undefined),
  });
  if (table !== '' && c.state.tableLoad >= 0) c.code.extra.push([number, c.state.tableLoad, TABLE]);
}

function sideCost(c: CompileContext, isScaled: boolean, accumulates: boolean): Cost {
  const cost = { ...(isScaled ? c.costs.scaleRead() : NO_COST) };
  if (accumulates) addCost(cost, readBack(c, 'Scalar'));
  return cost;
}

function loadTable(c: CompileContext, table: string) {
  if (table === '' || table === c.state.activationTable) {
    if (table !== '') c.state.tableLoad = -1;
    return;
  }
  c.state.activationTable = table;
  c.state.tableLoad = c.code.begin(SCALAR, 'ACT_TABLE_LOAD', c.origin);
  const loadNs = c.machine.activationTableLoadNs.value;
  c.code.cost(c.machine.minIssueCycles.value / c.machine.clockGhz.Scalar.value, loadNs);
  c.code.words(`table_sel=${table}`);
}
