/**
 * Some of the ranks of a call, carried out in a thread of their own: each up to its next collective, whose exchange is carried out elsewhere
 * (`remoteExchanges.ts`). Meanwhile others go on.
 */
import { memberOf, operandsRead } from './exchanges';
import type { Execution } from './execute';
import type { TensorStorage } from './memory';

export interface SharedRank {
  rank: number;
  execution: Execution;
  /** Tensors whose values are wanted at the end. */
  wanted: readonly number[];
  /** Instructions that are collectives, and their places in the order of all collectives. */
  collectives: readonly { instruction: number; place: number }[];
}

/** A rank has come to its next collective, or to its end. */
export interface Reached {
  rank: number;
  isEnd: boolean;
  /** What the exchange reads, in the order of `operandsRead`; at the end the wanted tensors, which may be given arrays. */
  values: TensorStorage[];
}

/** What a rank's instruction writes, by operand. The values may be those of other ranks, too. */
export interface Exchanged {
  rank: number;
  written: [operand: string, values: TensorStorage][];
}

interface Running extends SharedRank {
  /** Collectives behind it. */
  passed: number;
  isWaiting: boolean;
}

export class RankShare {
  private running: Running[];

  constructor(ranks: readonly SharedRank[]) {
    this.running = ranks.map(rank => ({ ...rank, passed: 0, isWaiting: false }));
  }

  /** All are at their ends. */
  get isDone(): boolean {
    return this.running.length === 0;
  }

  /** Carries on the rank whose collective comes first. Null: all wait. @throws ExecutionError */
  next(): Reached | null {
    const ready = this.running.filter(({ isWaiting }) => !isWaiting);
    if (ready.length === 0) return null;
    return this.carryOn(ready.reduce((first, other) => (placeOf(other) < placeOf(first) ? other : first)));
  }

  /** The exchange of a rank's collective was carried out. @throws ExecutionError */
  exchanged({ rank, written }: Exchanged): void {
    const own = this.running.find(each => each.rank === rank)!;
    const member = memberOf(rank, own.execution.here());
    for (const [operand, values] of written) member.write(operand, values);
    own.execution.pass();
    own.isWaiting = false;
    own.passed++;
  }

  private carryOn(own: Running): Reached {
    const { rank, execution, collectives, wanted } = own;
    if (own.passed < collectives.length) {
      execution.run(collectives[own.passed].instruction);
      own.isWaiting = true;
      const { instruction, read } = memberOf(rank, execution.here());
      return { rank, isEnd: false, values: operandsRead(instruction).map(read) };
    }
    execution.run();
    this.running = this.running.filter(other => other !== own);
    return { rank, isEnd: true, values: wanted.map(tensor => execution.tensor(tensor)) };
  }
}

const placeOf = ({ collectives, passed }: Running): number => collectives[passed]?.place ?? Number.POSITIVE_INFINITY;
