/** Iterations of loops: to which one an instruction belongs, and how many of them fit on chip at once. */
import type { Machine } from '../../hardware/machine';
import type { Program } from '../../program/program';
import { type Lifetimes, lifetimes } from '../allocation/lifetimes';
import type { Compiled } from '../compiled';
import { HBM, type Patterns, PSUM, SBUF } from '../patterns';
import type { Policy } from '../policy';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

/** Outside loops. */
export const NO_ITERATION = -1;

export function iterationOf(program: Program, { instructions }: Pick<Code, 'instructions'>, i: number): number {
  return program.instructions.iteration[instructions.origin[i]];
}

/** The loop around the instruction, in its own iteration of the loops around it; as text. */
export function loopOf(program: Program, code: Pick<Code, 'instructions'>, i: number): string {
  const { parent, line, name } = program.iterations;
  const own = iterationOf(program, code, i);
  return own === NO_ITERATION ? '' : `${parent[own]} ${line[own]} ${name[own]}`;
}

export class IterationSpace {
  private readonly lives: Lifetimes;
  private readonly shares: Record<number, number>;
  /** Of a partition of SBUF, that an iteration may hold. */
  private readonly mostBytes: number;

  constructor(
    private readonly machine: Machine,
    policy: Policy,
    private readonly patterns: Patterns,
    private readonly code: Code,
  ) {
    this.mostBytes = policy.batchedIterationBytes.value;
    this.lives = lifetimes(patterns, code.instructions, code.accesses);
    // SBUF sets no limit in the profiles that show such iterations (baseline_*_s1024): that of what is issued next.
    this.shares = {
      [SBUF]: policy.nearShare.value * machine.sbufBytesPerPartition.value,
      [PSUM]: policy.batchedPsumShare.value * machine.psumBytesPerPartition.value,
    };
  }

  /** How often what comes to life between the same instruction of two iterations, and lives on, fits. 1 if it is much: no other waits. */
  between(first: number, second: number): number {
    const held = this.heldBytes(first, second);
    if (held[SBUF] > this.mostBytes) return 1;
    return Math.min(...[SBUF, PSUM].map(space => Math.max(1, Math.floor(this.shares[space] / held[space]))));
  }

  private heldBytes(first: number, second: number): Record<number, number> {
    const { patterns } = this;
    const { firstUse, lastUse } = this.lives;
    const { accessStart } = this.code.instructions;
    const held: Record<number, number> = { [SBUF]: 0, [PSUM]: 0 };
    const seen = new Set<number>();
    for (let a = accessStart[first + 1]; a < accessStart[second + 1]; a++) {
      const tensor = patterns.tensor(this.code.accesses.pattern[a]);
      if (seen.has(tensor) || firstUse[tensor] <= first || lastUse[tensor] <= second || patterns.space(tensor) === HBM) continue;
      seen.add(tensor);
      held[patterns.space(tensor)] += this.sizeBytes(tensor);
    }
    return held;
  }

  /** Bytes of each partition; products have their own bank. */
  private sizeBytes(tensor: number): number {
    const bytes = this.patterns.bytesPerPartition(tensor);
    const bank = this.machine.psumBankBytes.value;
    return this.patterns.space(tensor) === PSUM ? Math.ceil(bytes / bank) * bank : bytes;
  }
}
