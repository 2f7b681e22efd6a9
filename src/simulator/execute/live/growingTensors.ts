/** Allocations of a program that is still being recorded: the columns of `Program.tensors`, which grow with every piece. */
import { resized } from '../../columns/rows';
import type { ProgramTensors, TensorColumns } from '../../program/program';

type PerTensor = Omit<TensorColumns, 'shapeStart' | 'shapePool'>;

export class GrowingTensors implements ProgramTensors {
  readonly strings: string[] = [];
  /** With room to spare: rows beyond `count` are zero. */
  tensors: TensorColumns;
  count = 0;
  private rows: PerTensor;
  private shapes = { shapeStart: new Uint32Array(1) };
  private pool = { shapePool: new Uint32Array(64) };
  private poolLength = 0;

  constructor() {
    const bytes = () => new Uint8Array(64);
    this.rows = {
      space: bytes(),
      dtype: bytes(),
      kind: bytes(),
      name: new Uint32Array(64),
      frame: new Uint32Array(64),
      addressBytes: new Float64Array(64),
    };
    this.tensors = { ...this.rows, ...this.shapes, ...this.pool };
  }

  append(strings: readonly string[], added: TensorColumns): void {
    this.strings.push(...strings);
    const length = added.space.length;
    const poolLength = added.shapePool.length;
    this.rows = withRoom(this.rows, this.rows.space.length, this.count + length);
    this.shapes = withRoom(this.shapes, this.shapes.shapeStart.length, this.count + length + 1);
    this.pool = withRoom(this.pool, this.pool.shapePool.length, this.poolLength + poolLength);
    for (const name of Object.keys(this.rows) as (keyof PerTensor)[]) this.rows[name].set(added[name], this.count);
    this.pool.shapePool.set(added.shapePool, this.poolLength);
    for (let t = 1; t <= length; t++) this.shapes.shapeStart[this.count + t] = this.poolLength + added.shapeStart[t];
    this.count += length;
    this.poolLength += poolLength;
    this.tensors = { ...this.rows, ...this.shapes, ...this.pool };
  }
}

function withRoom<T extends object>(columns: T, capacity: number, rows: number): T {
  return rows <= capacity ? columns : resized(columns, Math.max(rows, 2 * capacity));
}
