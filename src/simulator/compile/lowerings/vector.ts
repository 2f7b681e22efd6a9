/** Lowerings to VectorE (or GpSimd, if the kernel chooses it): elementwise, reductions, selection. */
import { NO_COST } from '../../hardware/costModel';
import type { CostRuleName } from '../../hardware/machine';
import { bitOps } from '../../isa/functions';
import type { Engine } from '../../vocabulary/engines';
import { type CompileContext, NONE } from '../context';
import { PSUM } from '../patterns';
import { emitCopy } from './movement';
import { dtypeName, isColumn, tileLike } from './shared';

const onGpSimd = (engine: Engine, rule: CostRuleName): CostRuleName => (engine === 'GpSimd' ? 'gpsimd' : rule);
const existing = (...patterns: number[]) => patterns.filter(p => p !== NONE);

export function tensorTensor(c: CompileContext) {
  const [dst, a, b] = [c.operand('dst'), c.operand('data1'), c.operand('data2')];
  const engine = c.askedEngine() ?? (needsGpSimd(c, [dst, a, b]) ? 'GpSimd' : 'Vector');
  emitTensorTensor(c, dst, a, b, c.word('op'), engine);
}

const WORDS = ['int32', 'uint32'];

/** Powers, and exact arithmetic of 32-bit integers outside PSUM (nki.isa.tensor_tensor). */
function needsGpSimd(c: CompileContext, patterns: readonly number[]): boolean {
  if (c.attribute('op') === 'power') return true;
  if (bitOps.some(op => op === c.attribute('op'))) return false;
  return patterns.every(p => WORDS.includes(dtypeName(c.patterns, p)) && c.patterns.spaceOf(p) !== PSUM);
}

export function emitTensorTensor(c: CompileContext, dst: number, a: number, b: number, op: string, engine: Engine = 'Vector') {
  c.emit({
    engine,
    opcode: 'TENSOR_TENSOR',
    rule: onGpSimd(engine, 'vectorTensorTensor'),
    writes: [dst],
    reads: [a, b],
    before: `op=${op}`,
  });
}

/** Operations that ScalarE can also compute. */
const AFFINE = ['ADD', 'SUBTRACT', 'MULTIPLY', 'BYPASS'];

/** Those of tensor_scalar that ScalarE computes before NeuronCore-v4 (nki.isa.tensor_scalar). */
const SCALAR_PAIRS = ['MULTIPLY BYPASS', 'ADD BYPASS', 'MULTIPLY ADD'];

/** If the kernel does not choose an engine, the compiler does so for simple arithmetic. What it chooses for legacy kernels that run as written is not known. */
function scalarEngine(c: CompileContext): Engine {
  const asked = c.askedEngine();
  if (asked !== undefined) return asked;
  const ops = [c.word('op0'), c.word('op1')];
  const ofBoth = c.rules.rewrites
    ? ops.every(op => AFFINE.includes(op))
    : c.program.dialect === 'nki' && SCALAR_PAIRS.includes(ops.join(' '));
  return ofBoth ? c.lessBusy() : c.engine();
}

/** On ScalarE, kernels of the new dialect that run as written have an ACTIVATE for it. */
const affineRule = (c: CompileContext): CostRuleName => (c.program.dialect === 'nki' && !c.rules.rewrites ? 'activation' : 'scalarCopy');

export function tensorScalar(c: CompileContext) {
  const engine = scalarEngine(c);
  const rule = engine === 'Scalar' ? affineRule(c) : onGpSimd(engine, 'vectorTensorScalar');
  const reads = existing(c.operand('data'), c.operand('operand0'), c.operand('operand1'));
  c.emit({
    engine,
    opcode: 'TENSOR_SCALAR',
    rule,
    writes: [c.operand('dst')],
    reads,
    before: `op0=${c.word('op0')} op1=${c.word('op1')}`,
    after: immediates(c, 'operand0', 'operand1'),
    extra: rule === 'activation' && c.word('op0') === 'MULTIPLY' && c.operand('operand0') !== NONE ? c.costs.scaleRead() : NO_COST,
  });
}

function immediates(c: CompileContext, ...names: string[]): string {
  return names
    .filter(name => typeof c.attribute(name) === 'number')
    .map((name, k) => `imm${k}=${c.attribute(name)}`)
    .join(' ');
}

/** tile op column, tile op number: TENSOR_SCALAR. */
export function emitTensorScalar(c: CompileContext, dst: number, data: number, scalars: readonly number[], op: string, after = '') {
  c.emit({
    engine: 'Vector',
    opcode: 'TENSOR_SCALAR',
    rule: 'vectorTensorScalar',
    writes: [dst],
    reads: [data, ...scalars],
    before: `op0=${op}`,
    after,
  });
}

export function scalarTensorTensor(c: CompileContext) {
  c.emit({
    engine: 'Vector',
    opcode: 'SCALAR_TENSOR_TENSOR',
    rule: 'vectorScalarTensorTensor',
    writes: [c.operand('dst')],
    reads: existing(c.operand('data'), c.operand('operand1'), c.operand('operand0')),
    before: `op0=${c.word('op0')} op1=${c.word('op1')}`,
    after: immediates(c, 'operand0'),
  });
}

/** nl.add and its like: two tiles, or a tile and a number or column on either side. */
export function binary(c: CompileContext) {
  const [dst, x, y] = [c.operand('dst'), c.operand('x'), c.operand('y')];
  const tiles = existing(x, y).filter(p => !isColumn(c.patterns, p));
  if (tiles.length === 2) return emitTensorTensor(c, dst, x, y, c.word('op'));
  const data = tiles[0] ?? existing(x, y)[0];
  const scalars = existing(x, y).filter(p => p !== data);
  emitTensorScalar(c, dst, data, scalars, c.word('op'), immediates(c, 'x', 'y'));
}

export function aluUnary(c: CompileContext) {
  emitTensorScalar(c, c.operand('dst'), c.operand('x'), [], c.word('op'));
}

export function reduce(c: CompileContext) {
  const data = c.operand('data') !== NONE ? c.operand('data') : c.operand('x');
  emitReduce(c, c.operand('dst'), data, c.word('op'), c.attribute('negate') === true);
}

export function emitReduce(c: CompileContext, dst: number, data: number, op: string, negate = false) {
  const before = `op=${op} dim=X${negate ? ' negated=1' : ''}`;
  c.emit({ engine: 'Vector', opcode: 'TENSOR_REDUCE', rule: 'vectorReduce', writes: [dst], reads: [data], before });
}

/** Sum, then a multiplication of the result by 1/n. */
export function mean(c: CompileContext) {
  const [dst, x] = [c.operand('dst'), c.operand('x')];
  emitReduce(c, dst, x, 'ADD');
  const n = c.patterns.freeElements(x) / Math.max(1, c.patterns.freeElements(dst));
  emitTensorScalar(c, dst, dst, [], 'MULTIPLY', `imm0=${1 / n}`);
}

export function partitionReduce(c: CompileContext) {
  c.emit({
    engine: 'GpSimd',
    opcode: 'PARTITION_ALL_REDUCE',
    rule: 'gpsimdPartitionReduce',
    writes: [c.operand('dst')],
    reads: [c.operand('data')],
    before: `op=${c.word('op')}`,
  });
}

export function reciprocal(c: CompileContext) {
  emitReciprocal(c, c.operand('dst'), c.operand('data'));
}

export function emitReciprocal(c: CompileContext, dst: number, data: number) {
  c.emit({ engine: 'Vector', opcode: 'RECIPROCAL', rule: 'vectorReciprocal', writes: [dst], reads: [data] });
}

/** dst = y, then x over it where the condition holds. */
export function where(c: CompileContext) {
  const [dst, condition, x, y] = ['dst', 'condition', 'x', 'y'].map(name => c.operand(name));
  if (y === NONE)
    c.emit({ engine: 'Vector', opcode: 'MEMSET', rule: 'vectorCopy', writes: [dst], reads: [], before: `value=${c.attribute('y')}` });
  else emitCopy(c, dst, y, 'Vector');
  let on = x;
  if (x === NONE) {
    on = tileLike(c, 'where', dst);
    c.emit({ engine: 'Vector', opcode: 'MEMSET', rule: 'vectorCopy', writes: [on], reads: [], before: `value=${c.attribute('x')}` });
  }
  c.emit({ engine: 'Vector', opcode: 'COPY_PREDICATED', rule: 'vectorTensorTensor', writes: [dst], reads: [on, condition] });
}
