/**
 * Copies out of PSUM that the compiler leaves out: where a product is copied to SBUF as it is, and VectorE and ScalarE alone read
 * that tile, they read PSUM instead. In the Trn2 profiles of fused_*_s512 the reductions and exponentials of the scores read
 * PSUM, and the copy that the kernel writes is not there; a product has to be one bank at most. Where two banks fill a tile
 * (fused_*_s1024), the first is read in PSUM and the other copied: so only the first, wherever there are more.
 */
import type { CompileContext } from '../context';
import { PSUM, SBUF } from '../patterns';
import type { PsumUses } from './psumUses';
import { shifted } from './shifted';

/** A tile of SBUF: the copy that fills its first columns from PSUM, and the readers of these columns. */
interface Tile {
  copy: number;
  source: number;
  columns: number;
  readers: Use[];
  /** Other instructions write these columns, or a reader cannot read PSUM. */
  needed: boolean;
}

interface Use {
  instruction: number;
  name: string;
  pattern: number;
}

/** @param absent instructions that are left out already; those with changed operands are skipped. */
export function readsFromPsum(c: CompileContext, { leftOut: absent, operands }: PsumUses): Pick<PsumUses, 'leftOut' | 'operands'> {
  const tiles = new Map<number, Tile>();
  const lastWrite = new Map<number, number>();
  c.eachOperand((instruction, name, pattern) => {
    if (absent.has(instruction)) return;
    const tensor = c.patterns.tensor(pattern);
    if (c.patterns.space(tensor) === PSUM && !isInput(c, name)) lastWrite.set(tensor, instruction);
    if (c.patterns.space(tensor) !== SBUF) return;
    const tile = tiles.get(tensor);
    if (tile) use(c, tile, { instruction, name, pattern });
    else tiles.set(tensor, begun(c, { instruction, name, pattern }, operands.has(instruction)));
  }, operands);
  const leftOut = new Set<number>();
  const instead = new Map<number, (readonly [string, number])[]>();
  for (const { copy, source, readers, needed } of tiles.values()) {
    const tensor = needed ? -1 : c.patterns.tensor(source);
    if (needed || readers.length === 0 || lastWrite.get(tensor)! > copy || readers.some(reader => instead.has(reader.instruction)))
      continue;
    leftOut.add(copy);
    for (const { instruction, name, pattern } of readers)
      instead.set(instruction, [...(instead.get(instruction) ?? []), [name, shifted(c.patterns, pattern, tensor, 0)]]);
  }
  return { leftOut, operands: instead };
}

function begun(c: CompileContext, { instruction, name, pattern }: Use, changed: boolean): Tile {
  const source = name === 'dst' && !changed && c.row.lower === 'copy' ? c.operand(c.copySource()) : -1;
  const movable = source >= 0 && standsFor(c, source, pattern);
  return { copy: instruction, source, columns: c.patterns.freeElements(pattern), readers: [], needed: !movable };
}

/** A whole tile of at most one bank, copied to the first columns of a tile of the same dtype. */
function standsFor({ patterns, machine }: CompileContext, src: number, dst: number): boolean {
  const [from, to] = [patterns.tensor(src), patterns.tensor(dst)];
  const columns = patterns.elementsPerPartition(from);
  return (
    patterns.space(from) === PSUM &&
    patterns.bytesPerPartition(from) <= machine.psumBankBytes.value &&
    patterns.dtype(from) === patterns.dtype(to) &&
    patterns.partitions(src) === patterns.partitions(dst) &&
    patterns.offset(src) === 0 &&
    patterns.offset(dst) === 0 &&
    patterns.contiguousElements(src) === columns &&
    patterns.contiguousElements(dst) === columns &&
    patterns.freeElements(dst) === columns &&
    !patterns.addressed(from) &&
    !patterns.addressed(to)
  );
}

/** Readers of columns after those of the copy are ignored. A reader that can take its columns from PSUM reads them there. */
function use(c: CompileContext, tile: Tile, reader: Use) {
  const { patterns } = c;
  const { pattern } = reader;
  const own = patterns.dtypeOf(pattern) === patterns.dtype(patterns.tensor(pattern)) && patterns.strideOf(pattern, 0) > 0;
  const together = own && patterns.contiguousElements(pattern) === patterns.freeElements(pattern);
  const first = patterns.offset(pattern) % patterns.rowElements(pattern);
  if (together && first >= tile.columns) return;
  const inside = together ? first + patterns.freeElements(pattern) <= tile.columns : tile.columns === patterns.rowElements(pattern);
  if (own && inside && canRead(c, reader)) tile.readers.push(reader);
  else tile.needed = true;
}

/** Another operand in PSUM would be one too many. */
function canRead(c: CompileContext, { name }: Use): boolean {
  const { row, patterns, policy } = c;
  const able = policy.psumReaders.value.includes(c.askedEngine() ?? row.engines[0]) && row.operands[name].spaces === undefined;
  const others = Object.keys(row.operands).filter(other => other !== name && c.operand(other) >= 0);
  return isInput(c, name) && able && others.every(other => patterns.spaceOf(c.operand(other)) !== PSUM);
}

const isInput = ({ row }: CompileContext, name: string) => row.operands[name].role === 'in' || row.operands[name].role === 'scalar';
