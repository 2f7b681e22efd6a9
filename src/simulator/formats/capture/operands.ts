/**
 * Parses operand texts of a capture: the semaphores to wait for, the raised semaphore, and the instruction's own words.
 * `analyze/operandText.ts` prints them.
 */
import { NO_SEMAPHORE, type Semaphore } from '../../profile/profile';

/** For several cores our files also name the semaphore's core: `S[6] (Vector (nc1))`. */
const WAIT = /^S\[(\d+)\] \(([^()]*(?: \(nc\d+\))?)\)>=(\d+)\s*/;
const SIGNAL = /^S\[(\d+)\] \(([^()]*(?: \(nc\d+\))?)\)\+\+@complete\s*/;

/** Limit for one instruction; further waits stay in its text. Hardware waits for a few. */
const MOST_WAITS = 64;

export interface OperandParts {
  waits: { semaphore: number; value: number }[];
  /** Index in `semaphores`, or NO_SEMAPHORE. */
  signal: number;
  own: string;
}

export class Semaphores {
  readonly list: Semaphore[] = [];
  private readonly known = new Map<string, number>();
  private readonly parsed = new Map<string, OperandParts>();

  /** @param own those of our own JSON, in their order. */
  constructor(own: unknown) {
    for (const one of Array.isArray(own) ? own : []) {
      const { id, name } = (one ?? {}) as Partial<Semaphore>;
      if (typeof id === 'number' && typeof name === 'string') this.index(id, name);
    }
  }

  /** Equal texts are parsed once: there are few distinct ones, and in some files all rows share one long text. */
  parse(text: string): OperandParts {
    let parts = this.parsed.get(text);
    if (!parts) {
      parts = this.takeApart(text);
      this.parsed.set(text, parts);
    }
    return parts;
  }

  private takeApart(text: string): OperandParts {
    let rest = text.trim();
    const waits: OperandParts['waits'] = [];
    for (let found = WAIT.exec(rest); found && waits.length < MOST_WAITS; found = WAIT.exec(rest)) {
      const semaphore = this.index(Number(found[1]), found[2]);
      const value = Number(found[3]);
      if (semaphore === NO_SEMAPHORE || value > 0xffffffff) break;
      waits.push({ semaphore, value });
      rest = rest.slice(found[0].length);
    }
    const found = SIGNAL.exec(rest);
    const signal = found ? this.index(Number(found[1]), found[2]) : NO_SEMAPHORE;
    return { waits, signal, own: found && signal !== NO_SEMAPHORE ? rest.slice(found[0].length) : rest };
  }

  /** NO_SEMAPHORE if there are more than a column can number: then the text is not parsed. */
  private index(id: number, name: string): number {
    const key = `${id} ${name}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.list.length >= NO_SEMAPHORE) return NO_SEMAPHORE;
    this.known.set(key, this.list.length);
    return this.list.push({ id, name }) - 1;
  }
}
