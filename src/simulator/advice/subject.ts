/**
 * What a rule of advice looks at: the events of a profile by the source line that asked for them, in the numbering of experiments. It
 * proposes nothing and tries nothing.
 */
import { type Position, places, statementReader } from '../analyze/places';
import type { Change } from '../experiments/changes';
import type { DataFlow } from '../experiments/dataFlow';
import type { Experiment } from '../experiments/experiment';
import { freeElements, isDestination, isSource, operandsOf, type Profile, templateOf } from '../profile/profile';
import { SPACES } from '../vocabulary/spaces';

const [SBUF, PSUM, HBM] = ['sbuf', 'psum', 'hbm'].map(name => (SPACES as readonly string[]).indexOf(name));

/** All that one source line asked for. */
export interface LineEvents extends Position {
  text: string;
  /** Instructions as compiled. */
  instructions: readonly number[];
  /** Transfers as compiled. */
  transfers: readonly number[];
}

export class Subject {
  readonly profile: Profile;
  readonly lines: readonly LineEvents[];
  /** Row of `iterations` -> number of earlier iterations of its loop. */
  readonly ordinal: Uint32Array;
  /** Machine instructions, and events in all. */
  readonly instructions: number;
  readonly events: number;

  constructor(readonly experiment: Experiment) {
    this.profile = experiment.profile;
    this.instructions = experiment.code.instructions.track.length;
    this.events = this.instructions + experiment.code.transfers.queue.length;
    this.lines = byLine(experiment);
    this.ordinal = ordinals(this.profile);
  }

  /** Which instruction reads the results of which. */
  get flow(): DataFlow {
    return this.experiment.flow;
  }

  producers(instruction: number): Uint32Array {
    const { producer, producerStart } = this.flow;
    return producer.subarray(producerStart[instruction], producerStart[instruction + 1]);
  }

  consumers(instruction: number): Uint32Array {
    const { consumer, consumerStart } = this.flow;
    return consumer.subarray(consumerStart[instruction], consumerStart[instruction + 1]);
  }

  /** Rows of `iterations` around it, outermost first. */
  iterations(instruction: number): number[] {
    const { iterations, instructions, timing } = this.profile;
    const around: number[] = [];
    for (let i = instructions.iteration[timing!.instructions.row[instruction]]; i >= 0; i = iterations.parent[i]) around.push(i);
    return around.reverse();
  }

  /**
   * The passes through the loops at this depth, in the order of the program, numbered; position, name and number of passes are those of the
   * loop with most instructions. Null: there is no loop so deep.
   */
  iterationsAt(depth: number): (Position & { name: string; iteration: Uint32Array; count: number }) | null {
    const { iterations, strings } = this.profile;
    const iteration = new Uint32Array(this.instructions);
    const loops = new Map<number, { first: number; instructions: number; passes: Set<number> }>();
    let [count, last] = [0, -2];
    for (let i = 0; i < this.instructions; i++) {
      const row = this.iterations(i)[depth] ?? -1;
      if (row !== last && i > 0) count++;
      last = row;
      iteration[i] = count;
      if (row < 0) continue;
      const loop = loops.get(iterations.line[row]) ?? { first: i, instructions: 0, passes: new Set() };
      loops.set(iterations.line[row], loop);
      loop.instructions++;
      loop.passes.add(row);
    }
    if (loops.size === 0) return null;
    const [line, { first, passes }] = [...loops].reduce((a, b) => (b[1].instructions > a[1].instructions ? b : a));
    const name = strings[iterations.name[this.iterations(first)[depth]]];
    return { file: this.fileOf(first), line, name, iteration, count: passes.size };
  }

  /** Instruction -> how many iterations of its loop at this depth came before; 0 outside. */
  ordinalsAt(depth: number): Uint32Array {
    return Uint32Array.from({ length: this.instructions }, (_, i) => {
      const row = this.iterations(i)[depth];
      return row === undefined ? 0 : this.ordinal[row];
    });
  }

  /** Path of the file whose line asked for it. */
  fileOf(instruction: number): string {
    const { instructions, timing, frames, files } = this.profile;
    return files[frames.file[instructions.frame[timing!.instructions.row[instruction]]]].path;
  }

  /** Whether its list of operands has this word, such as `op=ADD`. */
  hasWord(instruction: number, is: (word: string) => boolean): boolean {
    const { operandLists, operandWords } = this.profile;
    const words = templateOf(this.profile, operandLists.template[this.operandList(instruction)]);
    return words.some(word => word >= 0 && is(operandWords[word]));
  }

  opcode(instruction: number): string {
    return this.profile.opcodes[this.experiment.code.instructions.opcode[instruction]];
  }

  /** Number of its list of operands. */
  operandList(instruction: number): number {
    const { instructions, timing } = this.profile;
    return instructions.operands[timing!.instructions.row[instruction]];
  }

  /** Rows of its operands in memory. */
  operands(instruction: number): Uint32Array {
    return operandsOf(this.profile, this.operandList(instruction));
  }

  /** Rows of what it reads. */
  sources(instruction: number): Uint32Array {
    return this.operands(instruction).filter(operand => isSource(this.profile, operand));
  }

  /** Elements that it streams: of the operand with most, in one partition; 0 where it has none. */
  elements(instruction: number): number {
    return this.operands(instruction).reduce((most, operand) => Math.max(most, freeElements(this.profile, operand)), 0);
  }

  /** Elements that it writes in one partition; 0 where it writes nothing in memory. */
  written(instruction: number): number {
    return this.operands(instruction)
      .filter(operand => isDestination(this.profile, operand))
      .reduce((most, operand) => Math.max(most, freeElements(this.profile, operand)), 0);
  }

  /** Where in HBM it reads or writes: address and pattern, as text; empty: nowhere. */
  partInHbm(instruction: number): string {
    const { space, addressBytes, pattern } = this.profile.operands;
    const operand = this.operands(instruction).find(one => space[one] === HBM);
    return operand === undefined ? '' : `${addressBytes[operand]} ${pattern[operand]}`;
  }

  writesSbuf(instruction: number): boolean {
    const { profile } = this;
    return this.operands(instruction).some(operand => isDestination(profile, operand) && profile.operands.space[operand] === SBUF);
  }

  readsPsum(instruction: number): boolean {
    return this.sources(instruction).some(operand => this.isInPsum(operand));
  }

  /** Of an operand on chip: bytes from the start of its partitions. */
  offsetBytes(operand: number): number {
    const { addressPartitionBytes, addressPsumBytes } = this.experiment.code.machine;
    return (this.profile.operands.addressBytes[operand] % addressPsumBytes.value) % addressPartitionBytes.value;
  }

  isInPsum(operand: number): boolean {
    return this.profile.operands.space[operand] === PSUM;
  }

  /** Whether it reads numbers of this dtype, as profiles print it. */
  reads(instruction: number, dtype: string): boolean {
    const { operands, operandWords } = this.profile;
    return this.sources(instruction).some(operand => operandWords[operands.dtype[operand]] === dtype);
  }

  /** The experiment without these instructions and transfers. */
  without(instructions: Iterable<number>, transfers: Iterable<number> = []): Change {
    return { kind: 'removed', events: this.mask(instructions, transfers), producers: this.flow };
  }

  /**
   * The experiment without these instructions, of whose operands only some are needed after all.
   * @param isNeeded whether what a producer of theirs gave is read in place of their results
   */
  withoutAll(instructions: readonly number[], isNeeded: (producer: number) => boolean): Change {
    const producerStart = new Uint32Array(this.instructions + 1);
    const needed: number[] = [];
    const chosen = new Set(instructions);
    for (let i = 0; i < this.instructions; i++) {
      if (chosen.has(i)) for (const producer of this.producers(i)) if (isNeeded(producer)) needed.push(producer);
      producerStart[i + 1] = needed.length;
    }
    const standIns = { producerStart, producer: Uint32Array.from(needed) };
    return { kind: 'removed', events: this.mask(instructions), producers: this.flow, standIns };
  }

  /** 1 for these instructions and transfers. */
  mask(instructions: Iterable<number>, transfers: Iterable<number> = []): Uint8Array {
    const result = new Uint8Array(this.events);
    for (const i of instructions) result[i] = 1;
    for (const t of transfers) result[this.instructions + t] = 1;
    return result;
  }
}

function byLine({ profile, code }: Experiment): LineEvents[] {
  const where = places(profile);
  const text = statementReader(profile);
  const { row } = profile.timing!.instructions;
  const { row: transferRow } = profile.timing!.transfers;
  const found = Array.from({ length: where.count }, (_, place) => ({
    file: profile.files[where.file[place]].path,
    line: where.line[place],
    text: text(where.file[place], where.line[place]),
    instructions: [] as number[],
    transfers: [] as number[],
  }));
  for (let i = 0; i < row.length; i++) {
    // What the compiler added by itself has no row in the program, but the line it was added for.
    found[where.ofFrame[profile.instructions.frame[row[i]]]].instructions.push(i);
  }
  for (let t = 0; t < transferRow.length; t++) found[where.ofFrame[profile.transfers.frame[transferRow[t]]]].transfers.push(t);
  return found.filter(line => line.instructions.length + line.transfers.length > 0 && code.instructions.track.length > 0);
}

function ordinals({ iterations: { parent, line } }: Profile): Uint32Array {
  const next = new Map<string, number>();
  return Uint32Array.from(parent, (around, i) => {
    const loop = `${around} ${line[i]}`;
    const ordinal = next.get(loop) ?? 0;
    next.set(loop, ordinal + 1);
    return ordinal;
  });
}
