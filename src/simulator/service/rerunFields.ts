/**
 * Checks the request in a profile from elsewhere, field by field: it may only contain what one of our hosts could have requested. It does
 * not contain the folder that the kernel can read; the host that runs it again chooses the folder. `rerun.ts` checks the files.
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
/** Environment variables that control kernels. Other variables are not taken from a profile. */
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

/** The name of the first invalid field; null: all are valid. Fields that are not kept are ignored. */
export function unfitField({ request, call, core }: Rerun): string | null {
  if (!isCount(call)) return 'call';
  if (core !== undefined && !isCount(core)) return 'core';
  const unfit = Object.entries(RULES).find(([name, rule]) => request[name] !== undefined && !rule(request[name]));
  return unfit ? unfit[0] : null;
}
