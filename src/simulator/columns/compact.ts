/**
 * A column that can be told to take less room. Before, it is the typed array it was made of; after, the array is made again
 * when someone reads all of it, and given up by `release`. Single rows are read without that.
 */
import type { Column } from './container';
import { type NarrowColumn, narrowed } from './narrow';

export class CompactColumn<T extends Column = Column> {
  readonly length: number;
  private plain: T | null;
  private narrow: NarrowColumn | null = null;
  private readonly make: new (
    length: number,
  ) => T;

  constructor(plain: T) {
    this.plain = plain;
    this.length = plain.length;
    this.make = plain.constructor as new (length: number) => T;
  }

  at(row: number): number {
    return this.plain === null ? this.narrow!.at(row) : this.plain[row];
  }

  /** Whether `values` costs nothing now. */
  get isMade(): boolean {
    return this.plain !== null;
  }

  /** The whole column. Not to be held on to. */
  get values(): T {
    this.plain ??= this.narrow!.fill(new this.make(this.length));
    return this.plain;
  }

  /** Parameters as `narrowed`. A column that cannot become smaller stays, in memory of its own. */
  compact(common: number, stepsPerUnit = 1): void {
    if (this.narrow || !this.plain) return;
    this.narrow = narrowed(this.plain, common, stepsPerUnit);
    this.plain = this.narrow ? null : (this.plain.slice() as T);
  }

  /** Gives up what `values` made. */
  release(): void {
    if (this.narrow) this.plain = null;
  }

  /** Bytes held when nobody reads all of it. */
  get heldBytes(): number {
    return this.narrow?.bytes ?? this.plain!.byteLength;
  }
}
