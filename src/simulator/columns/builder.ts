/**
 * A column that grows: typed-array push with doubling, for producers that do not know their row count.
 * A builder has one column, and no names.
 */
import type { Column } from './container';

type ColumnClass<T extends Column> = new (length: number) => T;

export class ColumnBuilder<T extends Column> {
  private data: T;
  length = 0;

  constructor(
    private readonly make: ColumnClass<T>,
    capacity = 64,
  ) {
    this.data = new make(capacity);
  }

  /** Appends and returns the row's index. */
  push(value: number): number {
    if (this.length === this.data.length) this.grow(this.length * 2);
    this.data[this.length] = value;
    return this.length++;
  }

  /** Appends a whole column. */
  append(rows: T) {
    let capacity = this.data.length;
    while (capacity < this.length + rows.length) capacity *= 2;
    if (capacity > this.data.length) this.grow(capacity);
    this.data.set(rows as never, this.length);
    this.length += rows.length;
  }

  get(row: number): number {
    return this.data[row];
  }

  set(row: number, value: number): void {
    this.data[row] = value;
  }

  /** A copy with exactly the rows pushed so far. */
  finish(): T {
    return this.data.slice(0, this.length) as T;
  }

  private grow(capacity: number) {
    const bigger = new this.make(capacity);
    bigger.set(this.data as never);
    this.data = bigger;
  }
}
