/** Lowerings to TensorE: LDWEIGHTS and MATMUL, transposes through the PE array, nl.matmul. */
import type { MatmulWidth } from '../../hardware/costModel';
import { isLongStride, NO_OPERANDS } from '../../hardware/operands';
import { dtypes } from '../../vocabulary/dtypes';
import { ACCUMULATE, READ, TENSOR, TENSOR_MATRIX, VECTOR, WRITE } from '../compiled';
import type { CompileContext } from '../context';
import { emitDma } from '../dma';
import { PSUM } from '../patterns';
import { arrayShare } from './arrayTiles';
import { dmaTranspose, TURNED_BYTES } from './dma';
import { emitCopy } from './movement';
import { dtypeName } from './shared';

/** Elements in one of a packed type. */
const PACKED = 4;

interface Product {
  dst: number;
  stationary: number;
  moving: number;
  accumulate: boolean;
  transpose?: boolean;
  /** The compiler has laid out the weights for this: their columns lie side by side. */
  isLaidOut?: boolean;
  /** The side that has ones and zeros only: fp32 needs half the passes (nki.isa.nc_matmul is_stationary_onezero, is_moving_onezero). */
  oneZero?: 'stationary' | 'moving';
  /** Scales of MX types: for the weights and for the moving tile. */
  scales?: readonly [stationary: number, moving: number];
}

export function matmul(c: CompileContext) {
  emitMatmul(c, {
    dst: c.operand('dst'),
    stationary: c.operand('stationary'),
    moving: c.operand('moving'),
    accumulate: accumulates(c),
    transpose: c.attribute('is_transpose') === true,
    oneZero: oneZeroSide(c),
  });
}

/** A call that does not say it adds to what was written before: to a part of `dst`, else the recorder would have said which. */
const accumulates = (c: CompileContext) => c.attribute('accumulate') !== false;

function oneZeroSide(c: CompileContext): Product['oneZero'] {
  if (c.attribute('is_stationary_onezero') === true) return 'stationary';
  return c.attribute('is_moving_onezero') === true ? 'moving' : undefined;
}

/** MX streams a column of packed elements per cycle, as bf16 does one of single ones (arch v4: four times the FLOPs). */
export function matmulMx(c: CompileContext) {
  emitMatmul(c, {
    dst: c.operand('dst'),
    stationary: c.operand('stationary'),
    moving: c.operand('moving'),
    accumulate: accumulates(c),
    scales: [c.operand('stationary_scale'), c.operand('moving_scale')],
  });
}

/** Two rows of fp8 per cycle only in performance mode. */
function widthOf(c: CompileContext, pattern: number): MatmulWidth {
  const bytes = c.patterns.bytesOf(pattern);
  if (dtypes[c.patterns.dtypeOf(pattern)].class === 'packed') return 'bf16';
  if (bytes === 1) return c.attribute('perf_mode') === 'double_row' ? 'fp8' : 'bf16';
  return bytes === 2 || dtypeName(c.patterns, pattern) === 'tfloat32' ? 'bf16' : 'fp32';
}

/**
 * fp32 becomes passes over the low and high halves of the weights; a transpose mode needs only one of them. Ones and zeros have no low
 * half: as weights they are loaded once, as the moving tile they pass once over each half. So does the identity of a transpose, which the
 * compiler marks with is_moving_onezero (aws-neuron-sdk, issues 1015 and 1043, kernels that neuronx-cc printed for trn1).
 */
export function emitMatmul(c: CompileContext, product: Product) {
  const { patterns } = c;
  const width = widthOf(c, product.stationary);
  const all = c.costs.matmulInstructions(width, product.transpose);
  const passes = product.oneZero === 'stationary' ? Math.max(1, all / 2) : all;
  const halfMoving = passes > 1 && (product.oneZero === 'moving' || product.transpose === true);
  // A transpose multiplies by the identity. Neuron counts its FLOPs separately.
  const packed = product.scales ? PACKED : 1;
  // double rows of the contraction are in the free axes of both tiles
  const sides = width === 'fp8' ? 2 : 1;
  const flops =
    (2 / sides) *
    packed *
    patterns.partitions(product.stationary) *
    patterns.freeElements(product.stationary) *
    patterns.freeElements(product.moving);
  const share = arrayShare(c);
  for (let pass = 0; pass < passes; pass++) {
    // With four passes, each half of the moving tile is multiplied by each half of the weights.
    const half = pass < passes / 2 ? 'LOW' : 'HIGH';
    emitLoadWeights(c, product, width, width === 'fp32' ? half : '');
    emitMultiply(c, product, width, { first: pass === 0, last: pass === passes - 1, flops: flops / passes, halfMoving, share });
  }
}

const cost = { issueNs: 0, durationNs: 0 };

function emitLoadWeights(c: CompileContext, { stationary, transpose, isLaidOut, scales }: Product, width: MatmulWidth, half: string) {
  const key = `${half} ${transpose === true} ${c.attribute('tile_position') ?? ''} ${weightsKey(c, stationary)}`;
  if (key === c.state.weights && c.keepsWeights()) return;
  c.state.weights = key;
  c.code.begin(TENSOR, 'LDWEIGHTS', c.origin);
  c.code.access(stationary, READ);
  if (scales) c.code.access(scales[0], READ);
  const stride = isLaidOut ? 1 : Math.abs(c.patterns.innerStride(stationary));
  const walk = { elements: c.patterns.freeElements(stationary), strideBytes: stride * c.patterns.bytesOf(stationary) };
  c.costs.loadWeights(width, c.patterns.partitions(stationary), cost, walk, transpose);
  c.code.cost(cost.issueNs, cost.durationNs);
  c.code.words(`${half && `fp32_mode=${half} `}transpose_mode=${transpose ? 'ENABLED' : 'DISABLED'}`, tileWords(c, stationary));
}

/** With an equal key, the array has exactly this tile, which was not written since. */
function weightsKey({ patterns, code }: CompileContext, pattern: number): string {
  const tensor = patterns.tensor(pattern);
  let key = `${tensor} ${code.version(tensor)} ${patterns.dtypeOf(pattern)} ${patterns.offset(pattern)}`;
  for (let dim = 0; dim < patterns.dims(pattern); dim++) key += ` ${patterns.strideOf(pattern, dim)}*${patterns.countOf(pattern, dim)}`;
  return key;
}

function emitMultiply(
  c: CompileContext,
  { dst, stationary, moving, accumulate, scales }: Product,
  width: MatmulWidth,
  { first, last, flops, halfMoving, share }: { first: boolean; last: boolean; flops: number; halfMoving: boolean; share: number },
) {
  c.code.begin(TENSOR_MATRIX, 'MATMUL', c.origin);
  c.code.access(dst, accumulate || !first ? ACCUMULATE : WRITE);
  c.code.access(moving, READ);
  if (scales) c.code.access(scales[1], READ);
  c.costs.matmul(
    halfMoving ? 'bf16' : width,
    c.patterns.freeElements(moving),
    cost,
    isLongStride(c.machine, c.patterns.innerStride(moving), c.patterns.bytesOf(moving)),
  );
  c.code.cost(cost.issueNs * share, cost.durationNs);
  c.code.setFlops(flops);
  const rows = c.patterns.partitions(moving);
  if (rows < c.machine.partitions.value) c.code.setArrayRows(rows);
  const flags = (first && !accumulate ? 1 : 0) | (last ? 2 : 0);
  c.code.words(`acc_flags=${flags}${width === 'fp32' ? ' fp32_mode=LOW_HIGH' : ''}`, tileWords(c, stationary));
}

const tileWords = ({ patterns }: CompileContext, stationary: number) =>
  `${patterns.partitions(stationary)}*${patterns.freeElements(stationary)}`;

export function transpose(c: CompileContext) {
  const data = c.operand('data') >= 0 ? c.operand('data') : c.operand('x');
  emitTranspose(c, c.operand('dst'), data);
}

function emitTranspose(c: CompileContext, dst: number, data: number) {
  const { patterns } = c;
  const block = c.machine.vectorTransposeSize.value;
  const small = patterns.partitions(data) <= block && patterns.freeElements(data) <= block;
  const engine = c.askedEngine() ?? (small && patterns.spaceOf(dst) !== PSUM ? 'Vector' : 'Tensor');
  if (engine === 'Vector') return small ? emitVectorTranspose(c, dst, data) : transposeByBlocks(c, dst, data, block);
  // The PE array reads SBUF and writes PSUM only.
  const stationary = patterns.spaceOf(data) === PSUM ? staged(c, data) : data;
  if (patterns.spaceOf(dst) === PSUM) return transposeOnTensor(c, dst, stationary);
  const tile = c.temporary('transpose', 'psum', dtypeName(patterns, data), [patterns.freeElements(data), patterns.partitions(data)]);
  transposeOnTensor(c, tile, stationary);
  emitCopy(c, dst, tile);
}

/**
 * The transpose of a larger tile on the Vector engine by the legacy compiler, which kernels have run (autocomp's attention, 128 x 64):
 * one instruction for each block that the engine transposes. That these are its instructions is assumed; no profile of one is public.
 */
function transposeByBlocks(c: CompileContext, dst: number, data: number, side: number) {
  const { patterns } = c;
  const [partitions, columns] = [patterns.partitions(data), patterns.freeElements(data)];
  for (let p = 0; p < partitions; p += side)
    for (let f = 0; f < columns; f += side) {
      const [rows, width] = [Math.min(side, partitions - p), Math.min(side, columns - f)];
      emitVectorTranspose(c, block(c, dst, f, p, width, rows), block(c, data, p, f, rows, width), width);
    }
}

/**
 * Some partitions and columns of a pattern. If its columns have several dimensions, the whole pattern, which is more than the block
 * accesses.
 */
function block({ patterns }: CompileContext, pattern: number, row: number, column: number, rows: number, columns: number): number {
  if (patterns.dims(pattern) !== 2) return pattern;
  const strides = [patterns.strideOf(pattern, 0), patterns.strideOf(pattern, 1)];
  const offset = patterns.offset(pattern) + row * strides[0] + column * strides[1];
  return patterns.add(patterns.tensor(pattern), offset, strides, [rows, columns], patterns.dtypeOf(pattern));
}

/** `columns`: elements of each partition that it reads. */
function emitVectorTranspose(c: CompileContext, dst: number, data: number, columns = c.patterns.freeElements(data)) {
  c.code.begin(VECTOR, 'TRANSPOSE', c.origin);
  c.code.access(dst, WRITE);
  c.code.access(data, READ);
  const { patterns } = c;
  const psum = patterns.spaceOf(dst) === PSUM || patterns.spaceOf(data) === PSUM;
  const bytes = patterns.bytesOf(data);
  const operands = { ...NO_OPERANDS, elements: columns, bytes, leastBytes: bytes, psum };
  c.costs.elementwise('vectorTranspose', 'Vector', operands, cost);
  c.code.cost(cost.issueNs, cost.durationNs);
  c.code.words('');
}

function staged(c: CompileContext, data: number): number {
  const { patterns } = c;
  const tile = c.temporary('staged', 'sbuf', dtypeName(patterns, data), [patterns.partitions(data), patterns.freeElements(data)]);
  emitCopy(c, tile, data);
  return tile;
}

/** data as weights, the identity as the moving tile: one MATMUL. */
function transposeOnTensor(c: CompileContext, dst: number, data: number, isLaidOut = false) {
  emitMatmul(c, { dst, stationary: data, moving: identity(c, data), accumulate: false, transpose: true, isLaidOut });
}

/**
 * nl.load_transpose2d. DMA engines turn elements of two bytes only (nki.isa.dma_transpose), and those of v2 none: there VectorE turns what was
 * loaded, as the profile of trnsci/trnblas counts its instructions. Of a rewritten kernel of later NeuronCores, TensorE turns larger elements. Two
 * kernels of Jerry2423/kda-for-trainium at 90770f2 take as long with it as with products by the identity matrix: `bmm_v2_d2_loadtranspose` keeps
 * the PE array at full clock, although all of its own products have 64 rows.
 */
export function loadTranspose(c: CompileContext) {
  const { patterns, machine, rules } = c;
  const [dst, src] = [c.operand('dst'), c.operand('src')];
  const [rows, columns] = [patterns.countOf(src, 0), patterns.countOf(src, patterns.dims(src) - 1)];
  const side = machine.partitions.value;
  if (patterns.dims(src) !== 2 || columns > side) return dmaTranspose(c);
  if (!machine.dma.transposeSpeed) return loadAndTurn(c, dst, src);
  if (!rules.rewrites || patterns.bytesOf(src) <= TURNED_BYTES || rows > side) return dmaTranspose(c);
  const name = dtypeName(patterns, src);
  const loaded = c.temporary('loaded', 'sbuf', name, [rows, columns]);
  emitDma(c, { dst: loaded, src });
  const turned = c.temporary('turned', 'psum', name, [columns, rows]);
  transposeOnTensor(c, turned, loaded);
  emitCopy(c, dst, turned);
}

/** Tiles of as many rows as there are partitions, each of which VectorE turns by blocks. */
function loadAndTurn(c: CompileContext, dst: number, src: number) {
  const { patterns, machine } = c;
  const side = machine.partitions.value;
  const [rows, columns] = [patterns.countOf(src, 0), patterns.countOf(src, 1)];
  const { offset, width, step, between, stride } = wholeRows(c, src);
  for (let row = 0; row < rows; row += side) {
    const count = Math.min(side, rows - row);
    const loaded = c.temporary('loaded', 'sbuf', dtypeName(patterns, src), [count, width]);
    const rowStride = patterns.strideOf(src, 0);
    const rowsOfIt = patterns.add(patterns.tensor(src), offset + row * rowStride, [rowStride, step], [count, width], patterns.dtypeOf(src));
    emitDma(c, { dst: loaded, src: rowsOfIt });
    const data = patterns.add(patterns.tensor(loaded), between, [width, stride], [count, columns]);
    transposeByBlocks(c, block(c, dst, 0, row, columns, count), data, machine.vectorTransposeSize.value);
  }
}

/**
 * Rows with what lies between their elements, where other tiles may have it: one load serves all. jing-conv-*, whose 9 or 25 tiles of weights
 * alternate in HBM, begin sooner than such loads of single elements would take.
 * @returns in elements: where it begins, how much each row has and in which steps, where the elements of `src` begin in it, and their stride there
 */
function wholeRows({ patterns, machine, policy }: CompileContext, src: number) {
  const [columns, stride, offset] = [patterns.countOf(src, 1), patterns.strideOf(src, 1), patterns.offset(src)];
  const width = columns * stride;
  const most = policy.wholeRowsShare.value * machine.sbufBytesPerPartition.value;
  if (stride < 1 || patterns.strideOf(src, 0) % stride !== 0 || width * patterns.bytesOf(src) > most)
    return { offset, width: columns, step: stride, between: 0, stride: 1 };
  const between = offset % stride;
  return { offset: offset - between, width, step: 1, between, stride };
}

/** The identity matrix is a constant of the compiler in HBM. It is loaded before its first use, as in the traces. */
function identity(c: CompileContext, data: number): number {
  const { patterns } = c;
  const [name, size] = [dtypeName(patterns, data), c.machine.partitions.value];
  let whole = c.state.identities.get(name);
  if (whole === undefined) {
    whole = c.temporary('identity', 'sbuf', name, [size, size]);
    emitDma(c, { dst: whole, src: c.temporary('identity_constant', 'hbm', name, [size, size]) });
    c.state.identities.set(name, whole);
  }
  const rows = patterns.partitions(data);
  return patterns.add(patterns.tensor(whole), 0, [size, 1], [rows, rows]);
}

/** nl.matmul: uses x[K, M] directly with transpose_x, else first transposes x[M, K] through the PE array. */
export function matmul2d(c: CompileContext) {
  const [dst, x, y] = [c.operand('dst'), c.operand('x'), c.operand('y')];
  const stationary = c.attribute('transpose_x') === true ? x : transposed(c, x);
  emitMatmul(c, { dst, stationary, moving: y, accumulate: c.attribute('accumulate') === true });
}

/**
 * Once for every product: kernels of robertpare17/asst4-trainium at 8a1d41c and nkib-t1-matmul_add_rmsnorm (hfu of its profile) take as long.
 * Columns that lie apart do not slow these transposes down in the first ones, as they do those of nki.isa.
 */
function transposed(c: CompileContext, x: number): number {
  const { patterns } = c;
  const [rows, columns] = [patterns.freeElements(x), patterns.partitions(x)];
  const turned = c.temporary('x_turned', 'psum', dtypeName(patterns, x), [rows, columns]);
  transposeOnTensor(c, turned, x, true);
  const stationary = c.temporary('x_transposed', 'sbuf', dtypeName(patterns, x), [rows, columns]);
  emitCopy(c, stationary, turned);
  return stationary;
}
