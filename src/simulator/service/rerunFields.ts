/**
 * The request that a stranger's profile keeps, field by field: nothing but what a run of one of our hosts could have asked for. The
 * folder that the kernel may read is not among it: the host that runs it again says which. Pure; files are looked at by `rerun.ts`.
 */

import { NKI_VERSIONS } from '../isa/versions';
import type { Rerun } from '../profile/profile';
import type { Kept } from '../session/keptRequest';
import { PIPELINE_CHOICES } from '../vocabulary/pipelines';

type Field = Exclude<Kept, 'root'>;
type Rule = (value: unknown) => boolean;

const MAX_TEXT = 65_536;
const MAX_ENTRIES = 1024;
const MAX_GRID_DIMENSIONS = 8;

const isText: Rule = value => typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('\0');
const isName: Rule = value => isText(value) && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(value as string);
const isQualifiedName: Rule = value => isText(value) && (value as string).split('.').every(isName);
const isOneOf =
  (...choices: string[]): Rule =>
  value =>
    choices.includes(value as string);
const isList =
  (of: Rule, most: number): Rule =>
  value =>
    Array.isArray(value) && value.length <= most && value.every(of);
const isRecord =
  (key: Rule, of: Rule): Rule =>
  value =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length <= MAX_ENTRIES &&
    Object.entries(value).every(([name, entry]) => key(name) && of(entry));
const isArgument: Rule = value => value === null || typeof value === 'boolean' || Number.isFinite(value) || isText(value);
const isCount: Rule = value => Number.isSafeInteger(value) && (value as number) >= 0;
/** What kernels are controlled by; other variables are those of the process that runs them. */
const isVariable: Rule = value => isText(value) && /^(NKI|NEURON)_[A-Z0-9_]+$/.test(value as string);

const RULES: Readonly<Record<Field, Rule>> = {
  file: isText,
  cwd: isText,
  kernel: isQualifiedName,
  args: isRecord(isName, isArgument),
  inputs: isRecord(isName, isText),
  fill: isOneOf('zeros', 'random'),
  grid: isList(value => isCount(value) && value !== 0, MAX_GRID_DIMENSIONS),
  target: isName,
  nkiVersion: isOneOf(...NKI_VERSIONS),
  pipeline: isOneOf(...PIPELINE_CHOICES),
  dge: isOneOf('auto', 'off'),
  argv: isList(isText, MAX_ENTRIES),
  env: isRecord(isVariable, isText),
  importPaths: isList(isText, MAX_ENTRIES),
};

/** The name of a field that makes no sense; null: all do. Fields that are not kept are not looked at. */
export function unfitField({ request, call, core }: Rerun): string | null {
  if (!isCount(call)) return 'call';
  if (core !== undefined && !isCount(core)) return 'core';
  const unfit = Object.entries(RULES).find(([name, rule]) => request[name] !== undefined && !rule(request[name]));
  return unfit ? unfit[0] : null;
}
