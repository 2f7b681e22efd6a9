/**
 * The order that a kernel asks for. `with_schedule`: the attribute `after` has the numbers of the instructions to wait for. All machine
 * instructions of the earlier one end before those of the later one begin. `nl.no_reorder`: the scheduler keeps the order of
 * instructions with the attribute `ordered`; they do not wait for one another.
 */
import type { Program } from '../program/program';
import { FLOW } from './compiled';
import type { CompileContext } from './context';
import type { Stage } from './placed';
import type { OrderedPair } from './scheduling/units';

export class AskedOrder {
  /** Machine instructions of every instruction so far that something waits for: from, to. */
  private readonly made = new Map<number, [number, number]>();
  private readonly wanted = new Set<number>();
  private first = 0;

  constructor(private readonly c: CompileContext) {
    for (const attributes of c.program.attributes) for (const earlier of listed(attributes.after)) this.wanted.add(earlier);
  }

  /** Before the machine instructions of an instruction are emitted. */
  before() {
    this.first = this.c.code.instructions;
    for (const earlier of listed(this.c.attribute('after'))) {
      const [from, to] = this.made.get(earlier) ?? [0, 0];
      for (let event = from; event < to; event++) this.c.code.extra.push([this.first, event, FLOW]);
    }
  }

  after(instruction: number) {
    if (this.wanted.has(instruction)) this.made.set(instruction, [this.first, this.c.code.instructions]);
  }
}

/** Machine instructions that the scheduler leaves in their order. */
export function askedPairs({ attributes, instructions }: Program, { code, extra }: Stage): OrderedPair[] {
  const pairs: OrderedPair[] = extra.map(([instruction, event]) => [event, instruction]);
  const isOrdered = attributes.map(({ ordered }) => ordered === true);
  if (!isOrdered.includes(true)) return pairs;
  let before = -1;
  for (const [i, origin] of code.instructions.origin.entries()) {
    if (!isOrdered[instructions.attributes[origin]]) continue;
    if (before >= 0) pairs.push([before, i]);
    before = i;
  }
  return pairs;
}

const listed = (value: unknown): number[] => (Array.isArray(value) ? value : []);
