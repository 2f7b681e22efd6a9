/**
 * Instructions that wait for others because of `with_schedule`: the attribute `after` has the numbers of the instructions to wait for.
 * All machine instructions of the earlier one end before those of the later one begin.
 */
import { FLOW } from './compiled';
import type { CompileContext } from './context';

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

const listed = (value: unknown): number[] => (Array.isArray(value) ? value : []);
