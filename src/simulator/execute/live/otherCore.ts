/**
 * Which values the other core of a logical one may have a part in. The cores' programs are recorded one after the other, so what
 * comes from the other one is not there while a kernel is recorded: tiles it sends, and what it writes to shared HBM before a barrier.
 * Control flow that needs it is answered in another recording (`_record/values/cross_core.py`).
 */
import type { Attributes } from '../../program/program';

/** The core that is being recorded. */
export interface Apart {
  core: number;
  /** Its first instruction. */
  from: number;
  /** Tensors of shared HBM that the kernel made. */
  shared: readonly number[];
}

export class OtherCore {
  private readonly barriers: number[] = [];
  /** Instruction -> the core that it receives from. */
  private readonly received = new Map<number, number>();

  note(instruction: number, lowering: string, attributes: Attributes): void {
    if (lowering === 'barrier') this.barriers.push(instruction);
    else if (typeof attributes.recv_from_rank === 'number') this.received.set(instruction, attributes.recv_from_rank);
  }

  /** True when another core than the one whose instruction it is sends what it writes. */
  sends({ core, from }: Apart, instruction: number): boolean {
    const sender = this.received.get(instruction);
    return sender !== undefined && (instruction < from || sender !== core);
  }

  /** True when a core has waited for the other before an instruction, and may read what that has written. */
  hasMet({ from }: Apart, before: number): boolean {
    return this.barriers.some(at => at >= from && at < before);
  }
}
