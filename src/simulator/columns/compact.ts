/**
 * A column that can be told to take less room. Before, it is the typed array it was made of; after, the array is made again
 * when someone reads all of it, and given up by `release`. Single rows are read without that.
 */
import type { Column } from './container';
import { type DifferenceColumn, differences } from './differences';
import { type NarrowColumn, narrowed } from './narrow';

export class CompactColumn<T extends Column = Column> {
  readonly length: number;
  private plain: T | null;
  private narrow: NarrowColumn | DifferenceColumn | null = null;
  /** `narrow`, when it is differences. */
  private differing: DifferenceColumn | null = null;
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

  /** The row's number less that of another column: read at once where this one is held as its differences from that. */
  less(other: CompactColumn, row: number): number {
    return this.differing?.base === other ? this.differing.difference(row) : this.at(row) - other.at(row);
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

  /**
   * Parameters as `narrowed`. A column that cannot become smaller stays, in memory of its own.
   * @param base of a column whose differences from that one may be few
   */
  compact(common: number, stepsPerUnit = 1, base: CompactColumn | null = null): void {
    if (this.narrow || !this.plain) return;
    this.differing = base && differences(this.plain, base);
    this.narrow = this.differing ?? narrowed(this.plain, common, stepsPerUnit);
    this.plain = this.narrow ? null : (this.plain.slice() as T);
  }

  /** Gives up what `values` made. */
  release(): void {
    if (this.narrow) this.plain = null;
  }

  /** Bytes held while no reader needs the whole column. */
  get heldBytes(): number {
    return this.narrow?.bytes ?? this.plain!.byteLength;
  }
}
