/**
 * Copy propagation: copies the compiler leaves out of a rewritten kernel: where a tile is made by one instruction and only copied to its place
 * (`result[...] = nl.add(x, y)`), the instruction writes there itself. Calibration nkib-t1-adamw shows it: its profile's bytes
 * are those of its arithmetic, without a copy for any of its assignments.
 */
import { type Compiled, READ } from '../compiled';
import { Boxes } from '../dependencies/boxes';
import { HBM, type Patterns, SBUF } from '../patterns';
import type { Policy } from '../policy';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses' | 'transfers'>;

/** Makes the makers of copied tiles write to the place. @returns instructions that stay, in their order. */
export function propagateCopies({ copyDistance }: Policy, patterns: Patterns, code: Code): Uint32Array {
  return new CopyPropagation(copyDistance.value, patterns, code).run();
}

class CopyPropagation {
  /** By tensor: accesses, the instruction that writes it, and that access; -1 when there are several. */
  private readonly uses: Uint32Array;
  private readonly writer: Int32Array;
  private readonly written: Int32Array;
  private readonly boxes: Boxes;

  constructor(
    private readonly distance: number,
    private readonly patterns: Patterns,
    private readonly code: Code,
  ) {
    this.boxes = new Boxes(patterns);
    this.uses = new Uint32Array(patterns.tensors);
    this.writer = new Int32Array(patterns.tensors).fill(-1);
    this.written = new Int32Array(patterns.tensors).fill(-1);
    const { accessStart, track } = code.instructions;
    for (let i = 0; i < track.length; i++)
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
        const tensor = patterns.tensor(code.accesses.pattern[a]);
        this.uses[tensor]++;
        if (code.accesses.role[a] === READ) continue;
        this.writer[tensor] = i;
        this.written[tensor] = a;
      }
  }

  run(): Uint32Array {
    const { opcode, track } = this.code.instructions;
    const copy = this.code.opcodes.indexOf('COPY');
    const merged = new Set<number>();
    for (let i = 0; i < track.length; i++) if (opcode[i] === copy && this.merge(i)) merged.add(i);
    return Uint32Array.from({ length: track.length }, (_, i) => i).filter(i => !merged.has(i));
  }

  /** @returns whether the copy is not needed any more. */
  private merge(copy: number): boolean {
    const { accessStart } = this.code.instructions;
    const at = accessStart[copy];
    if (accessStart[copy + 1] - at !== 2) return false;
    const [place, tile] = this.code.accesses.role[at] === READ ? [at + 1, at] : [at, at + 1];
    const [to, from] = [this.code.accesses.pattern[place], this.code.accesses.pattern[tile]];
    const tensor = this.patterns.tensor(from);
    const maker = this.writer[tensor];
    if (maker < 0 || maker >= copy || copy - maker > this.distance || !this.mergeable(tensor, maker, from, to)) return false;
    if (this.usedBetween(to, maker, copy)) return false;
    this.code.accesses.pattern[this.written[tensor]] = to;
    const target = this.patterns.tensor(to);
    // The producer writes there now, so a copy of the destination may be merged, too.
    if (this.written[target] === place) [this.writer[target], this.written[target]] = [maker, this.written[tensor]];
    return true;
  }

  /** Whether the tile is written once and read once, with the same shape. For DMA the partitions must be the same. */
  private mergeable(tensor: number, maker: number, from: number, to: number): boolean {
    const { patterns } = this;
    const made = this.code.accesses.pattern[this.written[tensor]];
    if (this.uses[tensor] !== 2 || patterns.space(tensor) === HBM || patterns.addressed(tensor)) return false;
    if (patterns.spaceOf(to) !== SBUF || patterns.space(tensor) !== SBUF || patterns.addressed(patterns.tensor(to))) return false;
    if (patterns.dtypeOf(made) !== patterns.dtypeOf(to) || patterns.describeWalk(made) !== patterns.describeWalk(from)) return false;
    if (!patterns.unitStride(to) || !this.sameShape(made, to)) return false;
    return this.code.instructions.transfer[maker] < 0 || patterns.firstPartition(made) === patterns.firstPartition(to);
  }

  private sameShape(a: number, b: number): boolean {
    const { patterns } = this;
    return patterns.partitions(a) === patterns.partitions(b) && patterns.freeElements(a) === patterns.freeElements(b);
  }

  /** Whether others, or the producer itself, still use the destination in between. */
  private usedBetween(place: number, maker: number, copy: number): boolean {
    const { accessStart } = this.code.instructions;
    const tensor = this.patterns.tensor(place);
    const rank = this.boxes.rank(tensor);
    for (let a = accessStart[maker]; a < accessStart[copy]; a++) {
      const other = this.code.accesses.pattern[a];
      if (this.patterns.tensor(other) === tensor && this.boxes.overlap(this.boxes.of(other), this.boxes.of(place), rank)) return true;
    }
    return false;
  }
}
