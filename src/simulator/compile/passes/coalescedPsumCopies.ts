/**
 * Coalesced PSUM copies, which the compiler makes one of several: tiles that products fill and that are then copied side by side into one tile
 * of SBUF share a bank of PSUM and leave it by one copy. In all four Trn2 profiles, and in that of nkib-t1-matmul, four
 * transposed tiles of 128 columns leave PSUM by one copy of 512.
 */
import type { CompileContext } from '../context';
import { PSUM, SBUF } from '../patterns';
import type { PsumUses } from './psumUses';
import { shifted } from './shifted';

/** A tile of PSUM: the products that write it, and the copies that read it; others: all other accesses. */
interface Tile {
  products: { instruction: number; name: string; pattern: number }[];
  copies: number[];
  others: number;
}

/** Copies that can be one: their tiles in order, and where they go. */
interface Group {
  kind: string;
  /** Name of the operand that the copies read. */
  source: string;
  copies: number[];
  tiles: number[];
  /** Pattern of the first destination, and the offset behind the last. */
  first: number;
  nextOffset: number;
  bytes: number;
}

/** Rows that write PSUM through the PE array. */
const PRODUCTS: readonly string[] = ['matmul', 'matmul2d', 'matmulMx', 'transpose'];

export function coalescePsumCopies(c: CompileContext, { leftOut, operands }: PsumUses) {
  return new Drains(c, leftOut, operands).run();
}

class Drains {
  private readonly tiles = new Map<number, Tile>();
  private readonly leftOut = new Set<number>();
  private readonly operands = new Map<number, (readonly [string, number])[]>();
  /** By the tensor of SBUF that they fill. */
  private readonly open = new Map<number, Group>();

  constructor(
    private readonly c: CompileContext,
    private readonly absent: ReadonlySet<number>,
    private readonly changed: PsumUses['operands'],
  ) {}

  run() {
    this.c.eachOperand((instruction, name, pattern) => this.note(instruction, name, pattern), this.changed);
    this.c.eachOperand((instruction, name, pattern) => this.visit(instruction, name, pattern), this.changed);
    for (const group of this.open.values()) this.close(group);
    return { leftOut: this.leftOut, operands: this.operands };
  }

  private note(instruction: number, name: string, pattern: number) {
    const { patterns, row } = this.c;
    const tensor = patterns.tensor(pattern);
    if (patterns.space(tensor) !== PSUM || this.absent.has(instruction)) return;
    const tile = this.tiles.get(tensor) ?? { products: [], copies: [], others: 0 };
    this.tiles.set(tensor, tile);
    if (patterns.dtypeOf(pattern) !== patterns.dtype(tensor)) tile.others++;
    else if (name === 'dst' && PRODUCTS.includes(row.lower)) tile.products.push({ instruction, name, pattern });
    else if (row.lower === 'copy' && name !== 'dst' && this.isWhole(pattern)) tile.copies.push(instruction);
    else tile.others++;
  }

  private isWhole(pattern: number): boolean {
    const { patterns } = this.c;
    const tensor = patterns.tensor(pattern);
    return patterns.offset(pattern) === 0 && patterns.contiguousElements(pattern) === patterns.elementsPerPartition(tensor);
  }

  /** A copy joins the group of its destination or begins one; any other use of the destination ends it. */
  private visit(instruction: number, name: string, pattern: number) {
    const { patterns } = this.c;
    const tensor = patterns.tensor(pattern);
    const group = this.open.get(tensor);
    const tile = name === 'dst' ? this.drained(instruction, pattern) : -1;
    if (tile >= 0 && group && this.joins(group, pattern, tile)) return this.join(group, instruction, pattern, tile);
    if (group) this.close(group);
    this.open.delete(tensor);
    if (tile < 0) return;
    const begun = {
      kind: this.kindOf(pattern, tile),
      source: this.c.copySource(),
      copies: [],
      tiles: [],
      first: pattern,
      nextOffset: 0,
      bytes: 0,
    };
    this.open.set(tensor, begun);
    this.join(begun, instruction, pattern, tile);
  }

  /** The PSUM tile that the instruction copies, if only products fill it and no other instruction reads it; else -1. */
  private drained(instruction: number, dst: number): number {
    const { patterns, row } = this.c;
    if (row.lower !== 'copy' || patterns.spaceOf(dst) !== SBUF || patterns.contiguousElements(dst) !== patterns.freeElements(dst))
      return -1;
    const src = this.c.operand(this.c.copySource());
    if (src < 0 || patterns.spaceOf(src) !== PSUM) return -1;
    const tensor = patterns.tensor(src);
    const { products, copies, others } = this.tiles.get(tensor)!;
    const alone = others === 0 && products.length > 0 && copies.length === 1 && copies[0] === instruction;
    return alone && !patterns.addressed(tensor) && patterns.partitions(dst) === patterns.partitions(src) ? tensor : -1;
  }

  private kindOf(dst: number, tile: number): string {
    const { patterns } = this.c;
    return `${patterns.describeKind(tile)} ${patterns.dtypeOf(dst)} ${patterns.firstPartition(dst)} ${this.c.askedEngine()}`;
  }

  private joins({ kind, nextOffset, bytes }: Group, dst: number, tile: number): boolean {
    const { patterns, machine } = this.c;
    const room = bytes + patterns.bytesPerPartition(tile) <= machine.psumBankBytes.value;
    return room && patterns.offset(dst) === nextOffset && kind === this.kindOf(dst, tile);
  }

  private join(group: Group, instruction: number, dst: number, tile: number) {
    const { patterns } = this.c;
    group.copies.push(instruction);
    group.tiles.push(tile);
    group.nextOffset = patterns.offset(dst) + patterns.freeElements(dst);
    group.bytes += patterns.bytesPerPartition(tile);
  }

  /** The last copy takes all of them. */
  private close({ copies, tiles, first, source }: Group) {
    if (copies.length < 2) return;
    const { patterns } = this.c;
    const columns = patterns.elementsPerPartition(tiles[0]);
    const [partitions, dtype] = [patterns.size(tiles[0], 0), patterns.dtype(tiles[0])];
    const shared = patterns.addTensor(
      patterns.name(tiles[0]),
      'psum',
      dtype,
      [partitions, columns * tiles.length],
      patterns.frame(tiles[0]),
    );
    for (const [k, tile] of tiles.entries())
      for (const { instruction, name, pattern } of this.tiles.get(tile)!.products)
        this.put(instruction, name, shifted(patterns, pattern, shared, k * columns));
    const last = copies.pop()!;
    for (const copy of copies) this.leftOut.add(copy);
    const walked = [patterns.partitions(first), columns * tiles.length];
    this.put(
      last,
      'dst',
      patterns.add(patterns.tensor(first), patterns.offset(first), [patterns.strideOf(first, 0), 1], walked, patterns.dtypeOf(first)),
    );
    this.put(last, source, patterns.whole(shared));
  }

  private put(instruction: number, name: string, pattern: number) {
    this.operands.set(instruction, [...(this.operands.get(instruction) ?? []), [name, pattern]]);
  }
}
