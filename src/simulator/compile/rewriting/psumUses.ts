/**
 * What the compiler of a rewritten kernel does with tiles in PSUM before anything is lowered. Decided over the whole program,
 * carried out while its instructions are lowered: some are left out, others get other operands.
 */
import type { Context } from '../context';
import { drainsTogether } from './drainsTogether';
import { readInPsum } from './readInPsum';
import { zeroFills } from './zeroFills';

export interface PsumUses {
  /** Program instructions that need no machine instruction. */
  leftOut: ReadonlySet<number>;
  /** MATMULs that overwrite although the program adds to zeros. */
  overwriting: ReadonlySet<number>;
  /** Operands by instruction: name and pattern. */
  operands: ReadonlyMap<number, readonly (readonly [name: string, pattern: number])[]>;
}

/** Of a kernel that runs as written only the fills go: no product may add to what a memset wrote (nki.isa.nc_matmul, v2 and v3). */
export function psumFills(c: Context): PsumUses {
  return { ...zeroFills(c), operands: new Map() };
}

/** @param direct tiles are read in PSUM. */
export function psumUses(c: Context, direct: boolean): PsumUses {
  const fills = zeroFills(c);
  const drains = drainsTogether(c, fills.leftOut);
  const merged = { ...fills, leftOut: new Set([...fills.leftOut, ...drains.leftOut]), operands: drains.operands };
  if (!direct) return merged;
  const reads = readInPsum(c, merged);
  return {
    ...fills,
    leftOut: new Set([...merged.leftOut, ...reads.leftOut]),
    operands: new Map([...drains.operands, ...reads.operands]),
  };
}

/** Enters the instruction as it is to be lowered. @returns whether it is. */
export function enterUsing(c: Context, uses: PsumUses, instruction: number): boolean {
  if (uses.leftOut.has(instruction)) return false;
  c.enter(instruction);
  if (uses.overwriting.has(instruction)) c.settle('accumulate', false);
  for (const [name, pattern] of uses.operands.get(instruction) ?? []) c.replace(name, pattern);
  return true;
}
