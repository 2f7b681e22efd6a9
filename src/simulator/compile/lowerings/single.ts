/**
 * Rows that are one instruction of Vector, Scalar or GpSimd: opcode and cost rule are the row's, operations and numbers go into
 * the operand text in the order of its parameters.
 */
import { type Cost, NO_COST } from '../../hardware/costModel';
import type { CostRuleName } from '../../hardware/machine';
import type { Engine } from '../../vocabulary/engines';
import { type CompileContext, NONE } from '../context';

/** Kinds of attributes that are operations. They are separate words in operand lists. */
const OPERATIONS = new Set(['alu', 'arithmetic', 'activation']);

export function single(c: CompileContext) {
  emitSingle(c, {});
}

/** `elements`: elements per partition that it streams, if not those of its widest operand. */
export function emitSingle(c: CompileContext, { elements }: { elements?: number }) {
  const { row } = c;
  const engine = c.engine();
  const operands = (...roles: string[]) =>
    Object.entries(row.operands)
      .filter(([, rule]) => roles.includes(rule.role))
      .map(([name]) => c.operand(name))
      .filter(pattern => pattern !== NONE);
  if (!row.opcode) throw new Error(`${row.name} has no opcode`);
  c.emit({
    engine,
    opcode: row.opcode,
    rule: row.costs[0] as CostRuleName,
    writes: operands('out', 'inout'),
    reads: operands('in', 'scalar', 'inout'),
    before: operationWords(c),
    after: numberWords(c),
    extra: c.operand('reduce_res') === NONE ? NO_COST : readBack(c, engine),
    elements,
  });
}

/** Reading an accumulator out takes MIN_II more (isa 1db4d74e tensor_scalar_reduce, activation). */
export function readBack(c: CompileContext, engine: Engine): Cost {
  const ns = c.machine.minIssueCycles.value / c.machine.clockGhz[engine].value;
  return { issueNs: ns, durationNs: ns };
}

function operationWords(c: CompileContext): string {
  return Object.entries(c.row.attributes)
    .filter(([name, kind]) => OPERATIONS.has(kind) && c.attribute(name) !== undefined)
    .map(([name]) => `${name}=${c.word(name)}`)
    .join(' ');
}

function numberWords(c: CompileContext): string {
  return Object.entries(c.row.attributes)
    .filter(([name, kind]) => kind === 'float' && typeof c.attribute(name) === 'number')
    .map(([name], k) => `imm${k}=${c.attribute(name)}`)
    .join(' ');
}

/** 4 n + K cycles (nki.isa.topk). */
export function topk(c: CompileContext) {
  const largest = c.patterns.freeElements(c.operand('val_dst'));
  emitSingle(c, { elements: Number(c.attribute('n')) + largest / 4 });
}
