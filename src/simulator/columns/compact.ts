/**
 * A column that can be compacted to take less memory. Before that, it is the typed array that it was made of. Afterwards, the array is
 * made again when a caller reads the whole column, and `release` drops it. Single rows are read from the compact form.
 */
import type { Column } from './container';
import { type DifferenceColumn, differences } from './differences';
import { type NarrowColumn, narrowed } from './narrow';

const held = new WeakMap<Column, CompactColumn>();

export class CompactColumn<T extends Column = Column> {
  readonly length: number;
  private plain: T | null;
  private narrow: NarrowColumn | DifferenceColumn | null = null;
  /** The same object as `narrow`, if the compact form is a DifferenceColumn. */
  private differing: DifferenceColumn | null = null;
  private readonly make: new (
    length: number,
  ) => T;

  /** The one of this array: profiles that share an array share what it is compacted to. */
  static of<T extends Column>(plain: T): CompactColumn<T> {
    const known = held.get(plain) ?? new CompactColumn(plain);
    held.set(plain, known);
    return known as CompactColumn<T>;
  }

  constructor(plain: T) {
    this.plain = plain;
    this.length = plain.length;
    this.make = plain.constructor as new (length: number) => T;
  }

  at(row: number): number {
    return this.plain === null ? this.narrow!.at(row) : this.plain[row];
  }

  /** The row's value minus that of another column. Fast if this column is stored as its differences from the other one. */
  less(other: CompactColumn, row: number): number {
    return this.differing?.base === other ? this.differing.difference(row) : this.at(row) - other.at(row);
  }

  /** Whether the typed array exists, so that reading `values` is free. */
  get isMade(): boolean {
    return this.plain !== null;
  }

  /** The whole column. Callers must not keep a reference to it. */
  get values(): T {
    this.plain ??= this.narrow!.fill(new this.make(this.length));
    return this.plain;
  }

  /**
   * Parameters as in `narrowed`. A column that cannot become smaller is copied to its own memory.
   * @param base a column from which this one may have few distinct differences
   */
  compact(common: number, stepsPerUnit = 1, base: CompactColumn | null = null): void {
    if (this.narrow || !this.plain) return;
    this.differing = base && base !== this ? differences(this.plain, base) : null;
    this.narrow = this.differing ?? narrowed(this.plain, common, stepsPerUnit);
    this.plain = this.narrow ? null : (this.plain.slice() as T);
  }

  /** Drops the array that `values` made. */
  release(): void {
    if (this.narrow) this.plain = null;
  }

  /** Bytes that the column takes while the whole array does not exist. */
  get heldBytes(): number {
    return this.narrow?.bytes ?? this.plain!.byteLength;
  }
}
