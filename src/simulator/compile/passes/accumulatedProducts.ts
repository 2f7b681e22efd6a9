/**
 * Accumulated products: if a product has its own tile of PSUM, and its only use is an addition to another tile of PSUM (`product =
 * nisa.nc_matmul(...)`, `total += product`), the MATMUL adds to the other tile directly, as if the kernel had written both in one
 * statement.
 */
import type { CompileContext } from '../context';
import { PSUM } from '../patterns';
import { isWholeOwnTile } from './ownTile';
import type { PsumUses } from './psumUses';

/** A tile of PSUM that one product fills. */
interface Product {
  readonly instruction: number;
  readonly pattern: number;
  /** It has a use other than one addition. */
  used: boolean;
  /** The addition, and the tile that it adds to; -1: not seen yet. */
  sum: number;
  total: number;
}

const PRODUCTS: readonly string[] = ['matmul', 'matmul2d', 'matmulMx'];

/** @returns additions that are not needed, and the products that add in their place, with where they do. */
export function accumulateProducts(c: CompileContext): Pick<PsumUses, 'leftOut' | 'accumulating' | 'operands'> {
  const { patterns } = c;
  const products = new Map<number, Product>();
  /** By tile of PSUM: the last two instructions that accessed it. */
  const touched = new Map<number, readonly [last: number, before: number]>();
  c.eachOperand((instruction, name, pattern) => {
    if (patterns.spaceOf(pattern) !== PSUM) return;
    const tensor = patterns.tensor(pattern);
    const product = products.get(tensor);
    if (product) use(c, product, instruction, name, touched);
    else if (name === 'dst') products.set(tensor, { instruction, pattern, used: !isOwn(c, pattern), sum: -1, total: -1 });
    const [last, before] = touched.get(tensor) ?? [-1, -1];
    touched.set(tensor, [instruction, last === instruction ? before : last]);
  });
  const leftOut = new Set<number>();
  const accumulating = new Set<number>();
  const operands = new Map<number, (readonly [string, number])[]>();
  for (const { instruction, used, sum, total } of products.values()) {
    if (used || sum < 0) continue;
    leftOut.add(sum);
    accumulating.add(instruction);
    operands.set(instruction, [['dst', total]]);
  }
  return { leftOut, accumulating, operands };
}

/** A product that fills a whole tile whose place the compiler chooses. */
const isOwn = (c: CompileContext, pattern: number): boolean =>
  PRODUCTS.includes(c.row.lower) && c.attribute('accumulate') !== true && isWholeOwnTile(c, pattern);

/** Handles a use of a product. The only allowed one is `total += product`, if nothing accessed the total since the product was made. */
function use(
  c: CompileContext,
  product: Product,
  instruction: number,
  name: string,
  touched: ReadonlyMap<number, readonly [number, number]>,
) {
  const { patterns } = c;
  const total = c.operand('dst');
  const other = c.operand(name === 'y' ? 'x' : 'y');
  const [last, before] = touched.get(patterns.tensor(total)) ?? [-1, -1];
  const isSum =
    product.sum < 0 &&
    c.row.lower === 'binary' &&
    c.attribute('op') === 'add' &&
    (name === 'x' || name === 'y') &&
    patterns.spaceOf(total) === PSUM &&
    other >= 0 &&
    patterns.describe(other) === patterns.describe(total) &&
    patterns.dtypeOf(total) === patterns.dtypeOf(product.pattern) &&
    patterns.partitions(total) === patterns.partitions(product.pattern) &&
    patterns.freeElements(total) === patterns.freeElements(product.pattern) &&
    (last === instruction ? before : last) < product.instruction;
  if (isSum) [product.sum, product.total] = [instruction, total];
  else product.used = true;
}
