/**
 * Copies out of PSUM that the compiler leaves out: where a product is copied to a tile of SBUF as it is, and VectorE and ScalarE
 * alone read that tile, they read PSUM instead. In the Trn2 profiles of fused_*_s512 the reductions and exponentials of the
 * scores read PSUM, and the copy that the kernel writes is not there; a tile has to be one bank of PSUM at most.
 */
import type { Engine } from '../isa/types';
import type { Context } from './context';
import { PSUM, SBUF } from './patterns';
import type { PsumUses } from './psum-uses';

/** A tile of SBUF: the copy that fills it from PSUM, and what reads it. */
interface Tile {
  copy: number;
  source: number;
  readers: { instruction: number; name: string; pattern: number }[];
  /** It is also written by others, or read by what cannot read PSUM. */
  needed: boolean;
}

const READERS: readonly Engine[] = ['Vector', 'Scalar'];

/** @param absent instructions that are left out already; those with other operands are none of this. */
export function readInPsum(c: Context, { leftOut: absent, operands }: PsumUses): Pick<PsumUses, 'leftOut' | 'operands'> {
  const tiles = new Map<number, Tile>();
  const lastWrite = new Map<number, number>();
  c.eachOperand((instruction, name, pattern) => {
    if (absent.has(instruction)) return;
    const tensor = c.patterns.tensor(pattern);
    if (c.patterns.space(tensor) === PSUM && !isInput(c, name)) lastWrite.set(tensor, instruction);
    if (c.patterns.space(tensor) !== SBUF) return;
    const tile = tiles.get(tensor);
    if (tile) use(c, tile, { instruction, name, pattern });
    else tiles.set(tensor, begun(c, instruction, name, pattern, operands.has(instruction)));
  });
  const leftOut = new Set<number>();
  const instead = new Map<number, (readonly [string, number])[]>();
  for (const { copy, source, readers, needed } of tiles.values()) {
    const tensor = needed ? -1 : c.patterns.tensor(source);
    if (needed || readers.length === 0 || lastWrite.get(tensor)! > copy || readers.some(reader => instead.has(reader.instruction)))
      continue;
    leftOut.add(copy);
    for (const { instruction, name, pattern } of readers)
      instead.set(instruction, [...(instead.get(instruction) ?? []), [name, c.patterns.inTensor(pattern, tensor)]]);
  }
  return { leftOut, operands: instead };
}

function begun(c: Context, instruction: number, name: string, pattern: number, changed: boolean): Tile {
  const source = name === 'dst' && !changed && c.row.lower === 'copy' ? c.operand(c.operand('src') >= 0 ? 'src' : 'x') : -1;
  const movable = source >= 0 && standsFor(c, source, pattern);
  return { copy: instruction, source, readers: [], needed: !movable };
}

/** A whole tile of at most one bank, copied to a whole tile of the same dtype and width. */
function standsFor({ patterns, machine }: Context, src: number, dst: number): boolean {
  const [from, to] = [patterns.tensor(src), patterns.tensor(dst)];
  const whole = (pattern: number, tensor: number) => patterns.contiguousElements(pattern) === patterns.elementsPerPartition(tensor);
  return (
    patterns.space(from) === PSUM &&
    patterns.bytesPerPartition(from) <= machine.psumBankBytes.value &&
    patterns.dtype(from) === patterns.dtype(to) &&
    patterns.elementsPerPartition(from) === patterns.elementsPerPartition(to) &&
    patterns.partitions(src) === patterns.partitions(dst) &&
    patterns.offset(src) === 0 &&
    patterns.offset(dst) === 0 &&
    whole(src, from) &&
    whole(dst, to) &&
    !patterns.addressed(from) &&
    !patterns.addressed(to)
  );
}

/** Another operand in PSUM would be one too many. */
function use(c: Context, tile: Tile, reader: Tile['readers'][number]) {
  const { row, patterns } = c;
  const tensor = patterns.tensor(reader.pattern);
  const able = READERS.includes(c.askedEngine() ?? row.engines[0]) && row.operands[reader.name].spaces === undefined;
  const others = Object.keys(row.operands).filter(name => name !== reader.name && c.operand(name) >= 0);
  const alone = others.every(name => patterns.spaceOf(c.operand(name)) !== PSUM);
  const own = patterns.dtypeOf(reader.pattern) === patterns.dtype(tensor) && patterns.strideOf(reader.pattern, 0) > 0;
  if (isInput(c, reader.name) && able && alone && own) tile.readers.push(reader);
  else tile.needed = true;
}

const isInput = ({ row }: Context, name: string) => row.operands[name].role === 'in' || row.operands[name].role === 'scalar';
