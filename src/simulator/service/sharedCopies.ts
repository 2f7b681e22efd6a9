/** Arrays for other threads of the process: copies in memory that threads share, each made once, or buffers that are handed over. */
import type { ExecutableProgram } from '../execute/execute';
import type { Program } from '../program/program';
import type { RankInputs } from '../session/rankExecutors';

type TypedArray = Float32Array | Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;
type Columns = Record<string, TypedArray>;

const COLUMN_GROUPS = ['tensors', 'instructions', 'operands'] as const;

export class SharedCopies {
  private readonly copies = new Map<TypedArray, TypedArray>();
  private readonly programs = new Map<Program, ExecutableProgram>();

  of<T extends TypedArray>(array: T): T {
    if (isShared(array)) return array;
    const known = this.copies.get(array);
    if (known) return known as T;
    const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(array.byteLength));
    copy.set(array);
    this.copies.set(array, copy);
    return copy;
  }

  /** Without what only people need: sources, lines, iterations. */
  ofProgram(program: Program): ExecutableProgram {
    const known = this.programs.get(program);
    if (known) return known;
    const { operations, attributes, predicates, strings, outputs } = program;
    const groups = COLUMN_GROUPS.map(group => [group, this.ofColumns(program[group] as unknown as Columns)]);
    const copy = { operations, attributes, predicates, strings, outputs, ...Object.fromEntries(groups) } as ExecutableProgram;
    this.programs.set(program, copy);
    return copy;
  }

  private ofColumns(columns: Columns): Columns {
    return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, this.of(column)]));
  }
}

/** Of the copies of programs and inputs. */
export function copiedBytes(ranks: readonly RankInputs[]): number {
  const programs = new Set(ranks.map(({ program }) => program));
  const columns = [...programs].flatMap(program => COLUMN_GROUPS.flatMap(group => Object.values(program[group] as unknown as Columns)));
  const arrays = new Set<TypedArray>([...columns, ...ranks.flatMap(({ inputs }) => [...inputs.values()])]);
  return [...arrays].reduce((sum, array) => sum + (isShared(array) ? 0 : array.byteLength), 0);
}

/** The array, or a copy, as all of a buffer, which can be transferred. */
export function owned<T extends TypedArray>(array: T): T {
  return isShared(array) || array.byteLength < array.buffer.byteLength ? (array.slice() as T) : array;
}

const isShared = ({ buffer }: TypedArray): boolean => buffer instanceof SharedArrayBuffer;
