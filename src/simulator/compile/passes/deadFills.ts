/** Dead fills: a tile on chip is filled with a number, and all of it is overwritten before it is read. The fill is left out. */
import type { Program } from '../../program/program';
import { type Compiled, READ, WRITE } from '../compiled';
import { Boxes } from '../dependencies/boxes';
import { HBM, type Patterns } from '../patterns';
import { partialWriters } from './partialWrites';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses'>;

/** Writes over one fill, at most; a fill with more stays. */
const MAX_WRITES = 256;

/** A fill that may turn out to be dead. */
interface Fill {
  readonly instruction: number;
  readonly box: number;
  readonly bytes: number;
  /** Boxes written since, without overlap, and their bytes. */
  readonly written: number[];
  writtenBytes: number;
}

/** @returns instructions that stay, in their order. */
export function withoutDeadFills(program: Program, patterns: Patterns, code: Code): Uint32Array {
  return new Search(program, patterns, code).run();
}

class Search {
  private readonly boxes: Boxes;
  private readonly isPartial: (instruction: number) => boolean;
  /** By tile: the fill that was not read so far. */
  private readonly open = new Map<number, Fill>();
  private readonly dead = new Set<number>();

  constructor(
    program: Program,
    private readonly patterns: Patterns,
    private readonly code: Code,
  ) {
    this.boxes = new Boxes(patterns);
    this.isPartial = partialWriters(program, code);
  }

  run(): Uint32Array {
    const { accessStart, track, opcode } = this.code.instructions;
    const { pattern, role } = this.code.accesses;
    const memset = this.code.opcodes.indexOf('MEMSET');
    for (let i = 0; i < track.length; i++) {
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++)
        if (this.open.size > 0 && (role[a] !== WRITE || this.isPartial(i))) this.read(pattern[a]);
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) if (role[a] !== READ) this.write(pattern[a], i, opcode[i] === memset);
    }
    return Uint32Array.from(track.keys()).filter(i => !this.dead.has(i));
  }

  /** Reads of later writes are allowed, reads of the fill are not. */
  private read(pattern: number) {
    const tensor = this.patterns.tensor(pattern);
    const fill = this.open.get(tensor);
    if (!fill) return;
    const box = this.boxes.of(pattern);
    const rank = this.boxes.rank(tensor);
    if (!this.boxes.overlap(box, fill.box, rank) || fill.written.some(over => this.boxes.contains(over, box, rank))) return;
    this.open.delete(tensor);
  }

  private write(pattern: number, instruction: number, isFill: boolean) {
    const tensor = this.patterns.tensor(pattern);
    const fill = this.open.get(tensor);
    if (fill) this.cover(fill, tensor, pattern);
    if (!isFill || this.patterns.space(tensor) === HBM || this.patterns.addressed(tensor) || !this.boxes.fills(pattern)) return;
    const bytes = this.boxes.bytes(pattern);
    this.open.set(tensor, { instruction, box: this.boxes.of(pattern), bytes, written: [], writtenBytes: 0 });
  }

  private cover(fill: Fill, tensor: number, pattern: number) {
    const { boxes } = this;
    const box = boxes.of(pattern);
    const rank = boxes.rank(tensor);
    if (!boxes.fills(pattern) || fill.written.some(over => boxes.contains(over, box, rank))) return;
    if (boxes.contains(box, fill.box, rank)) fill.writtenBytes = fill.bytes;
    else if (
      fill.written.length === MAX_WRITES ||
      !boxes.contains(fill.box, box, rank) ||
      fill.written.some(over => boxes.overlap(over, box, rank))
    )
      return;
    else fill.writtenBytes += boxes.bytes(pattern);
    fill.written.push(box);
    if (fill.writtenBytes < fill.bytes) return;
    this.dead.add(fill.instruction);
    this.open.delete(tensor);
  }
}
