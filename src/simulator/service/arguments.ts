/**
 * A kernel argument as people type it: a tensor by dtype and shape (`bf16[128,512]`), or a plain JSON value.
 * The front end fills tensors and passes arguments.
 */
import { dtypes } from '../vocabulary/dtypes';
import { shortNames } from '../vocabulary/tensorText';

export type ArgumentValue = string | number | boolean | null;

export type ParsedArgument =
  | { kind: 'tensor'; dtype: string; shape: number[] /** With the dtype's full name. */; value: string }
  | { kind: 'value'; value: ArgumentValue };

/** dtypes of programs, and those that the front end stores as int32 (`_record/tensors/words.py`). */
const NAMES: readonly string[] = [...dtypes.map(({ name }) => name), 'int64'];
const byName = new Map(NAMES.flatMap(name => [name, ...shortNames(name)].map(typed => [typed, name] as const)));

/** @throws Error; its message names the mistake and shows a correct argument. */
export function parseArgument(text: string): ParsedArgument {
  const trimmed = text.trim();
  const spec = /^([A-Za-z_]\w*)\s*\[([^\]]*)\]$/.exec(trimmed);
  if (spec) return tensor(spec[1], spec[2]);
  return { kind: 'value', value: plainValue(trimmed) };
}

/** Arguments whose tensors have the full names of their dtypes. @throws Error as `parseArgument` */
export function fullNames(args: Readonly<Record<string, ArgumentValue>>): Record<string, ArgumentValue> {
  const isTensor = (value: unknown): value is string => typeof value === 'string' && /^\s*\w+\s*\[[^\]]*\]\s*$/.test(value);
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, isTensor(value) ? parseArgument(value).value : value]));
}

function tensor(dtypeName: string, dimensions: string): ParsedArgument {
  const dtype = byName.get(dtypeName);
  if (!dtype) throw new Error(`unknown dtype ${dtypeName}: one of ${NAMES.map(name => shortNames(name)[0] ?? name).join(', ')}`);
  const words = dimensions.split(',').map(word => word.trim());
  const shape = words.map(Number);
  if (words.some(word => !/^\d+$/.test(word)) || shape.some(size => !Number.isSafeInteger(size) || size < 1))
    throw new Error(`[${dimensions}] is not a shape: whole numbers from 1 up, as in ${dtypeName}[128,512]`);
  return { kind: 'tensor', dtype, shape, value: `${dtype}[${shape.join(',')}]` };
}

function plainValue(text: string): ArgumentValue {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== 'object') return value as ArgumentValue;
  } catch {
    // said below
  }
  throw new Error('give a tensor as dtype[shape], for example bf16[128,512], or a number, true, false, null or "text"');
}

const EXAMPLE_TENSOR = 'bf16[128,512]';
const EXAMPLES: Readonly<Record<string, ArgumentValue>> = { int: 1, float: 0.5, bool: true, str: 'text' };

/** An argument that a parameter could have by its type hint: a tensor where that says nothing else. */
export function exampleArgument(hint: string | null): ArgumentValue {
  const plain = /^(?:(?:typing\.)?Optional\[)?(int|float|bool|str)\b/.exec(hint ?? '')?.[1];
  return plain === undefined ? EXAMPLE_TENSOR : EXAMPLES[plain];
}

/** The same as people type it. */
export function exampleText(hint: string | null): string {
  const example = exampleArgument(hint);
  return example === EXAMPLE_TENSOR ? example : JSON.stringify(example);
}
