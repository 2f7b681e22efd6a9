/** Lowerings that move data: DMA, stores, copies on an engine, fills. */
import type { CostRuleName } from '../../hardware/machine';
import type { Engine } from '../../vocabulary/engines';
import type { CompileContext } from '../context';
import { emitDma } from '../dma';
import { HBM, PSUM } from '../patterns';
import { emitIndirect, given, indexed, touchedBy } from './indirect';
import { dtypeName, isNarrowing } from './shared';

const COPY_RULES: Partial<Record<Engine, CostRuleName>> = { Scalar: 'scalarCopy', GpSimd: 'gpsimd' };

export function dma(c: CompileContext) {
  const [dst, src] = [c.operand('dst'), c.operand('src')];
  if (indexed(c, 'dst', 'src').length > 0) return emitIndirect(c, { dst, src });
  const mode = c.attribute('dge_mode');
  const addresses = given(c, 'dst_address', 'src_address');
  emitDma(c, { dst, src, engine: c.askedEngine(), mode: typeof mode === 'string' ? mode : undefined, addresses });
}

/** nl.store: DMA has no path out of PSUM here, so PSUM goes through SBUF. */
export function store(c: CompileContext) {
  const { patterns } = c;
  let value = c.operand('value');
  if (patterns.spaceOf(value) === PSUM) {
    const tile = c.temporary('store', 'sbuf', dtypeName(patterns, value), [patterns.partitions(value), patterns.freeElements(value)]);
    emitCopy(c, tile, value);
    value = tile;
  }
  if (indexed(c, 'dst').length > 0) return emitIndirect(c, { dst: c.operand('dst'), src: value });
  emitDma(c, { dst: c.operand('dst'), src: value, addresses: given(c, 'dst_address') });
}

export function copy(c: CompileContext) {
  const src = c.operand(c.copySource());
  if (indexed(c, 'dst', 'src').length > 0) return copyDynamic(c);
  emitCopy(c, c.operand('dst'), src, c.askedEngine());
}

/**
 * On the engine asked for; else PSUM is drained by whichever of Vector and Scalar has less to do (the Trn2 traces show the compiler
 * alternate between them), or by the one that the scheduler chooses later. SBUF copies go to Vector, whose modes are fast; on a machine
 * where one engine drains PSUM (compiled kernels of Trn1), both take SBUF copies.
 */
export function emitCopy(c: CompileContext, dst: number, src: number, asked?: Engine, helps = false) {
  const { patterns } = c;
  const fromPsum = patterns.spaceOf(src) === PSUM || patterns.spaceOf(dst) === PSUM;
  const engine = asked ?? (fromPsum ? c.drainingEngine() : c.machine.drainsPsum ? c.lessBusy() : 'Vector');
  const used = { writes: [dst], reads: [src] };
  c.emit({ engine, opcode: isNarrowing(patterns, dst, src) ? 'CAST' : 'COPY', rule: copyRule(engine), ...used, helps });
  if (asked || !fromPsum || c.rules.copiesOn !== 'firstFree') return;
  const other = engine === 'Vector' ? 'Scalar' : 'Vector';
  c.emitAlternative({ engine: other, rule: copyRule(other), ...used });
}

const copyRule = (engine: Engine): CostRuleName => COPY_RULES[engine] ?? 'vectorCopy';

/** A copy whose address is a value in SBUF: the engine reads it into a register first. */
export function copyDynamic(c: CompileContext) {
  const [dst, src] = [c.operand('dst'), c.operand('src')];
  const engine = c.engine();
  const clock = c.machine.clockGhz[engine].value;
  const extraNs = Math.max(0, (c.machine.minDynamicIssueCycles.value - c.patterns.freeElements(dst)) / clock);
  c.emit({
    engine,
    opcode: isNarrowing(c.patterns, dst, src) ? 'CAST' : 'COPY',
    rule: COPY_RULES[engine] ?? 'vectorCopy',
    writes: [touchedBy(c, 'dst')],
    reads: [touchedBy(c, 'src'), ...indexed(c, 'dst', 'src')],
    elements: c.patterns.freeElements(dst),
    extra: { issueNs: extraNs, durationNs: extraNs },
  });
}

export function memset(c: CompileContext) {
  const dst = c.operand('dst');
  if (c.patterns.spaceOf(dst) === HBM) fillHbm(c, dst);
  else emitMemset(c, dst, c.askedEngine() ?? (c.patterns.spaceOf(dst) === PSUM ? c.rules.fillsPsum : c.engine()));
}

function emitMemset(c: CompileContext, dst: number, engine: Engine) {
  const value = c.attribute('value') ?? c.attribute('fill_value') ?? 0;
  const rule = engine === 'GpSimd' ? 'gpsimd' : 'vectorCopy';
  c.emit({ engine, opcode: 'MEMSET', rule, writes: [dst], reads: [], before: `value=${value}` });
}

/** A tile is filled once and written out by one DMA per 128 rows, its columns repeated by stride 0. */
function fillHbm(c: CompileContext, dst: number) {
  const { patterns } = c;
  const dims = patterns.dims(dst);
  const last = dims > 1 ? patterns.countOf(dst, dims - 1) : 1;
  const columns = Math.min(last, c.policy.fillColumns.value);
  const rows = Math.min(patterns.partitions(dst), c.machine.partitions.value);
  const tile = c.temporary('fill', 'sbuf', dtypeName(patterns, dst), [rows, columns]);
  emitMemset(c, tile, 'Vector');
  for (let row = 0; row < patterns.partitions(dst); row += rows) {
    const count = Math.min(rows, patterns.partitions(dst) - row);
    for (let column = 0; column < last; column += columns)
      emitDma(c, { dst: part(c, dst, row, count, column, columns), src: repeated(c, tile, dst, count, Math.min(columns, last - column)) });
  }
}

/** Rows [row, row + count) and, in the last dimension, columns [column, column + columns) of a pattern. */
function part(c: CompileContext, pattern: number, row: number, count: number, column: number, columns: number): number {
  const { patterns } = c;
  const dims = patterns.dims(pattern);
  if (dims === 0) return pattern;
  const strides = Array.from({ length: dims }, (_, k) => patterns.strideOf(pattern, k));
  const counts = Array.from({ length: dims }, (_, k) => patterns.countOf(pattern, k));
  counts[0] = count;
  let offset = patterns.offset(pattern) + row * strides[0];
  if (dims > 1) {
    offset += column * strides[dims - 1];
    counts[dims - 1] = Math.min(columns, counts[dims - 1] - column);
  }
  return patterns.add(patterns.tensor(pattern), offset, strides, counts, patterns.dtypeOf(pattern));
}

function repeated(c: CompileContext, tile: number, dst: number, rows: number, columns: number): number {
  const { patterns } = c;
  const width = patterns.elementsPerPartition(patterns.tensor(tile));
  const middle = Array.from({ length: Math.max(0, patterns.dims(dst) - 2) }, (_, k) => patterns.countOf(dst, k + 1));
  return patterns.add(patterns.tensor(tile), 0, [width, ...middle.map(() => 0), 1], [rows, ...middle, columns]);
}
