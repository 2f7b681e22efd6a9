/**
 * Operands that repeat one partition over many: no engine reads another partition's row, so the compiler multiplies a column of
 * ones by the row on TensorE (arch v2, alternative uses of TensorE). If the result fits in one PSUM bank, and one instruction needs it, it
 * is read there. Other rows are copied to SBUF, once for each tile. Calibration nkib-t1-matmul_add_rmsnorm shows both the FLOPs and the
 * copies of one row, the profiles of the Mamba tutorial rows of 512 that stay in PSUM. A row that several instructions repeat is multiplied
 * once: flash-assign-* take as long with tiles of 128, 256 and 512 rows of centroids, and TensorE would be the slowest with the last. All
 * passes of fp32 are made: in profiles of kda-mamba_v1 and _v2a TensorE takes 1.73 and 1.75 µs for 512 columns, at half clock.
 */
import type { Engine } from '../../vocabulary/engines';
import type { CompileContext } from '../context';
import { emitDma } from '../dma';
import { HBM } from '../patterns';
import { emitMatmul } from './matmul';
import { emitCopy } from './movement';
import { dtypeName } from './shared';

const READERS: readonly Engine[] = ['Vector', 'Scalar', 'GpSimd'];

/** A part of an operand's free dimensions: element offset in its tensor, and how many of each dimension. */
interface Piece {
  offset: number;
  counts: readonly number[];
}

/** Finds the rows that several instructions repeat, before the first is lowered. */
export function findRepeatedRows(c: CompileContext) {
  if (!c.rules.rewrites) return;
  const seen = new Set<string>();
  c.eachOperand((_, name, pattern) => {
    if (!isRepeatedRow(c, name, pattern)) return;
    const content = contentOf(c, pattern);
    if (seen.has(content)) c.state.repeatedRows.add(content);
    seen.add(content);
  });
}

/** Puts in place of every such operand of the current instruction a tile that has the row in all partitions. */
export function broadcastOperands(c: CompileContext) {
  if (!c.rules.rewrites) return;
  for (const name of Object.keys(c.row.operands)) {
    const pattern = c.operand(name);
    if (pattern >= 0 && isRepeatedRow(c, name, pattern)) c.replace(name, inAllPartitions(c, pattern));
  }
}

function isRepeatedRow(c: CompileContext, name: string, pattern: number): boolean {
  const { role } = c.row.operands[name];
  return (role === 'in' || role === 'scalar') && READERS.includes(c.row.engines[0]) && repeatsPartition(c, pattern);
}

function repeatsPartition({ patterns }: CompileContext, pattern: number): boolean {
  return patterns.partitions(pattern) > 1 && patterns.strideOf(pattern, 0) === 0 && patterns.spaceOf(pattern) !== HBM;
}

function inAllPartitions(c: CompileContext, pattern: number): number {
  const { patterns } = c;
  const partitions = patterns.partitions(pattern);
  const counts = Array.from({ length: patterns.dims(pattern) - 1 }, (_, dim) => patterns.countOf(pattern, dim + 1));
  const limit = Math.min(c.machine.maxMovingColumns.value, c.machine.psumBankBytes.value / Float32Array.BYTES_PER_ELEMENT);
  const [first, ...others] = pieces(c, pattern, patterns.offset(pattern), counts, limit);
  if (others.length === 0 && !c.state.repeatedRows.has(contentOf(c, pattern))) return multiplied(c, pattern, first, partitions);
  const key = `${contentOf(c, pattern)} ${c.code.version(patterns.tensor(pattern))}`;
  const known = c.state.broadcasts.get(key);
  if (known !== undefined) return known;
  const tile = c.temporary('broadcast', 'sbuf', dtypeName(patterns, pattern), [partitions, ...counts]);
  let column = 0;
  for (const piece of [first, ...others]) {
    const width = product(piece.counts);
    const part = patterns.add(patterns.tensor(tile), column, [product(counts), 1], [partitions, width]);
    emitCopy(c, part, multiplied(c, pattern, piece, partitions), undefined, true);
    column += width;
  }
  c.state.broadcasts.set(key, tile);
  return tile;
}

const contentOf = ({ patterns }: CompileContext, pattern: number) => `${patterns.describe(pattern)} ${patterns.dtypeOf(pattern)}`;

const product = (counts: readonly number[]) => counts.reduce((a, b) => a * b, 1);

/** Cuts the outermost dimensions until every piece has at most `limit` elements. */
function pieces({ patterns }: CompileContext, pattern: number, start: number, all: readonly number[], limit: number): Piece[] {
  const cut = (offset: number, counts: readonly number[], dim: number): Piece[] => {
    if (product(counts) <= limit) return [{ offset, counts }];
    const inner = product(counts.slice(dim + 1));
    const size = Math.max(1, Math.floor(limit / inner));
    const stride = patterns.strideOf(pattern, dim + 1);
    return Array.from({ length: Math.ceil(counts[dim] / size) }, (_, k) => {
      const rest = counts.map((n, d) => (d === dim ? Math.min(size, n - k * size) : n));
      return cut(offset + k * size * stride, rest, dim + 1);
    }).flat();
  };
  return cut(start, all, 0);
}

/** One MATMUL into PSUM. @returns the pattern over its result. */
function multiplied(c: CompileContext, pattern: number, { offset, counts }: Piece, partitions: number): number {
  const { patterns } = c;
  const strides = counts.map((_, dim) => patterns.strideOf(pattern, dim + 1));
  const moving = patterns.add(patterns.tensor(pattern), offset, [0, ...strides], [1, ...counts], patterns.dtypeOf(pattern));
  const dst = c.temporary('broadcast', 'psum', 'float32', [partitions, ...counts]);
  emitMatmul(c, { dst, stationary: ones(c, pattern, partitions), moving, accumulate: false });
  return dst;
}

/** A constant of the compiler, loaded once. */
function ones(c: CompileContext, like: number, columns: number): number {
  const name = dtypeName(c.patterns, like);
  let row = c.state.ones.get(name);
  if (row === undefined) {
    const size = c.machine.maxStationaryColumns.value;
    row = c.temporary('ones', 'sbuf', name, [1, size]);
    emitDma(c, { dst: row, src: c.temporary('ones_constant', 'hbm', name, [1, size]) });
    c.state.ones.set(name, row);
  }
  return c.patterns.add(c.patterns.tensor(row), 0, [c.patterns.countOf(row, 1), 1], [1, columns]);
}
