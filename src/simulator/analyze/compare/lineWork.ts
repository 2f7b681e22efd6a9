/** The work of source lines. It identifies lines of two kernels whose texts differ. */
import { DIRECTIONS, NO_TENSOR, operandsOf, type Profile } from '../../profile/profile';
import { isSetup } from '../opcodes';
import { type Position, places } from '../places';

export interface LineWork {
  /** Opcodes of its instructions, and directions of its transfers. */
  operations: ReadonlySet<string>;
  /** Names of what it reads and writes. */
  tensors: ReadonlySet<string>;
  /** Variables of the loops around it, outermost first. */
  loops: readonly string[];
}

/** @param wanted lines of the profile @returns their work, in the same order */
export function lineWork(p: Profile, wanted: readonly Position[]): LineWork[] {
  const where = places(p);
  const index = new Map(wanted.map(({ file, line }, i) => [`${line} ${file}`, i]));
  const ofPlace = Array.from(where.line, (line, place) => index.get(`${line} ${p.files[where.file[place]].path}`) ?? -1);
  const work = wanted.map(() => new Gathered());
  const { instructions, transfers } = p;
  for (let row = 0; row < instructions.frame.length; row++) {
    const line = ofPlace[where.ofFrame[instructions.frame[row]]];
    if (line >= 0) work[line].addInstruction(p, row);
  }
  for (let row = 0; row < transfers.frame.length; row++) {
    const line = ofPlace[where.ofFrame[transfers.frame[row]]];
    if (line >= 0) work[line].addTransfer(p, row);
  }
  return work;
}

class Gathered implements LineWork {
  readonly operations = new Set<string>();
  readonly tensors = new Set<string>();
  loops: readonly string[] = [];
  private readonly lists = new Set<number>();

  addInstruction(p: Profile, row: number): void {
    const { opcode, operands, iteration } = p.instructions;
    this.addLoops(p, iteration[row]);
    // instructions with equal operands share a list
    if (isSetup(p.opcodes[opcode[row]])) return;
    this.operations.add(p.opcodes[opcode[row]]);
    if (this.lists.has(operands[row])) return;
    this.lists.add(operands[row]);
    for (const operand of operandsOf(p, operands[row])) {
      const tensor = p.operands.tensor[operand];
      if (tensor !== NO_TENSOR) this.tensors.add(p.strings[tensor]);
    }
  }

  addTransfer(p: Profile, row: number): void {
    const { direction, variable, iteration } = p.transfers;
    this.addLoops(p, iteration[row]);
    this.operations.add(DIRECTIONS[direction[row]]);
    this.tensors.add(p.strings[variable[row]]);
  }

  /** The deepest nest: what is moved out of a loop on the way keeps the line's. */
  private addLoops({ iterations: { parent, name }, strings }: Profile, iteration: number): void {
    let depth = 0;
    for (let i = iteration; i >= 0; i = parent[i]) depth++;
    if (depth <= this.loops.length) return;
    const loops: string[] = [];
    for (let i = iteration; i >= 0; i = parent[i]) loops.unshift(strings[name[i]]);
    this.loops = loops;
  }
}
