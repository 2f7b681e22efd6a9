/**
 * Fills with zeros that the compiler leaves out: of a PSUM tile that only collects products, the first product overwrites.
 * The pattern is documented (architecture guide of v2, TensorE: nl.zeros in PSUM and += of a matmul), and the Trn2 profiles
 * of kernels written so have no MEMSET.
 */
import type { CompileContext } from '../context';
import { PSUM } from '../patterns';
import type { PsumUses } from './psumUses';

/** A tile since its last fill. */
interface Filled {
  fill: number;
  elements: number;
  /** Regions that products wrote since, as text, and their total size. */
  regions: Set<string>;
  covered: number;
  /** The first product of each region. */
  firsts: number[];
  /** An instruction reads the zeros. */
  needed: boolean;
}

const PRODUCTS: readonly string[] = ['matmul', 'matmul2d', 'matmulMx'];

/** @returns fills that are not needed, and the products that overwrite in their place. */
export function zeroFills(c: CompileContext, uses: PsumUses): { leftOut: Set<number>; overwriting: Set<number> } {
  const leftOut = new Set<number>();
  const overwriting = new Set<number>();
  const filled = new Map<number, Filled>();
  const settle = (tile: Filled) => {
    if (tile.needed || tile.covered !== tile.elements) return;
    leftOut.add(tile.fill);
    for (const first of tile.firsts) overwriting.add(first);
  };
  c.eachOperand((instruction, name, pattern) => {
    if (c.patterns.spaceOf(pattern) !== PSUM || uses.leftOut.has(instruction)) return;
    if (uses.accumulating.has(instruction)) c.settle('accumulate', true);
    const tensor = c.patterns.tensor(pattern);
    const tile = filled.get(tensor);
    if (isZeroFill(c, pattern)) {
      if (tile) settle(tile);
      const elements = c.patterns.elements(pattern);
      filled.set(tensor, { fill: instruction, elements, regions: new Set(), covered: 0, firsts: [], needed: false });
    } else if (tile) use(c, tile, instruction, name, pattern);
  }, uses.operands);
  for (const tile of filled.values()) settle(tile);
  return { leftOut, overwriting };
}

/** Whether the instruction fills the whole tile with zeros. */
function isZeroFill(c: CompileContext, pattern: number): boolean {
  if (c.row.lower !== 'memset' || (c.attribute('value') ?? c.attribute('fill_value') ?? 0) !== 0) return false;
  const tensor = c.patterns.tensor(pattern);
  return c.patterns.elements(pattern) === c.patterns.size(tensor, 0) * c.patterns.elementsPerPartition(tensor);
}

function use(c: CompileContext, tile: Filled, instruction: number, name: string, pattern: number) {
  const region = c.patterns.describeWalk(pattern);
  if (tile.regions.has(region) || tile.covered === tile.elements) return;
  if (name !== 'dst' || !PRODUCTS.includes(c.row.lower)) {
    tile.needed = true;
    return;
  }
  tile.regions.add(region);
  tile.covered += c.patterns.elements(pattern);
  if (c.attribute('accumulate') === true) tile.firsts.push(instruction);
}
