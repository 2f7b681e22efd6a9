/**
 * Reads a command's options: strict, with messages that name the command, and with the flags of AWS's profilers that have
 * no meaning here answered in one line instead of refused.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './errors';

export type OptionTable = NonNullable<ParseArgsConfig['options']>;

export interface Inapplicable {
  /** The flag is followed by a value. */
  value?: true;
  why: string;
}
export type InapplicableTable = Readonly<Record<string, Inapplicable>>;

export interface Parsed {
  values: Record<string, string | boolean | string[] | undefined>;
  positionals: string[];
  /** After `--`. */
  rest: string[];
}

/** @param note told of each flag that does not apply. @throws UsageError */
export function readOptions(
  command: string,
  argv: readonly string[],
  options: OptionTable,
  inapplicable: InapplicableTable = {},
  note: (line: string) => void = () => {},
): Parsed {
  const split = argv.indexOf('--');
  const own = joinedNumbers(withoutInapplicable(split < 0 ? argv : argv.slice(0, split), inapplicable, note));
  try {
    const { values, positionals } = parseArgs({ args: own, options, allowPositionals: true, strict: true });
    return { values: values as Parsed['values'], positionals, rest: split < 0 ? [] : argv.slice(split + 1) };
  } catch (error) {
    throw new UsageError(`${command}: ${firstSentence((error as Error).message)}`);
  }
}

/** `--port -1` is a port that cannot be, not a flag -1. */
function joinedNumbers(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const argument of argv) {
    const last = joined.at(-1);
    if (/^-\d/.test(argument) && last?.startsWith('--') && !last.includes('=')) joined[joined.length - 1] = `${last}=${argument}`;
    else joined.push(argument);
  }
  return joined;
}

/** Node explains at length how to pass a positional that looks like an option. */
const firstSentence = (message: string) => message.split(/\.\s/, 1)[0].replace(/\.$/, '');

function withoutInapplicable(argv: readonly string[], table: InapplicableTable, note: (line: string) => void): string[] {
  const kept: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const [flag, inline] = argv[i].split('=', 2);
    const known = Object.hasOwn(table, flag) ? table[flag] : undefined;
    if (!known) {
      kept.push(argv[i]);
      continue;
    }
    note(`${flag} does not apply here: ${known.why}`);
    if (known.value && inline === undefined) i++;
  }
  return kept;
}

export function text(values: Parsed['values'], name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function list(values: Parsed['values'], name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value : [];
}

/** @throws UsageError when the value is none of the choices. */
export function choice<T extends string>(values: Parsed['values'], name: string, choices: readonly T[]): T | undefined {
  const value = text(values, name);
  if (value !== undefined && !choices.includes(value as T)) throw new UsageError(`--${name} ${value}: one of ${choices.join(', ')}`);
  return value as T | undefined;
}

/** `name=value` pairs. @throws UsageError */
export function pairs(values: Parsed['values'], name: string, example: string): [key: string, value: string][] {
  return list(values, name).map(pair => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--${name} ${pair}: write it as ${example}`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
}
