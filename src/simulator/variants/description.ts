/**
 * A sweep as it is described: by options of the command line, or by an entry of `sweeps` in `.vscode/nki-scope.json`:
 * `{ "sweeps": { "tiles": { "kernel": "matmul", "args": { "a": "bf16[128,{512,1024}]" }, "set": { "TILE_N": "128:512:128" }, "target": ["trn2", "trn3"],
 * "where": ["a[1] % TILE_N == 0"] } } }`. From it come the parameters of the space and the request that all points share.
 */
import { TARGETS } from '../hardware/targets';
import type { CaptureRequest } from '../session/capture';
import { moduleConstants } from './constants';
import { argumentTemplate, type SweepPlan } from './request';
import { type ParameterKind, pointsOf, type SweepPoint, type SweptParameter } from './space';
import { type ParameterValue, parseValues, SpaceError } from './values';

/** One value, a list, or text as people type it (`values.ts`). */
export type DescribedValues = ParameterValue | readonly ParameterValue[];

export interface SweepDescription {
  kernel?: string;
  /** Of the kernel: a tensor with sizes in braces, a value, or values. */
  args?: Readonly<Record<string, DescribedValues>>;
  /** Constants of the module, else parameters of the kernel, else sizes that `args` name. */
  set?: Readonly<Record<string, DescribedValues>>;
  env?: Readonly<Record<string, DescribedValues>>;
  target?: DescribedValues;
  dge?: DescribedValues;
  where?: readonly string[];
  sample?: { count: number; seed?: number };
  points?: readonly SweepPoint[];
}

const DGE = ['auto', 'off'];

/** @param base without kernel and arguments @param text of the base's file @throws SpaceError */
export function sweepPlan(description: SweepDescription, base: CaptureRequest, text: string): SweepPlan {
  const { kernel, where = [], sample, points } = description;
  const parameters: SweptParameter[] = [];
  const add = (name: string, kind: ParameterKind, given: DescribedValues) => {
    if (parameters.some(parameter => parameter.name === name)) throw new SpaceError(`${name} is given twice`);
    parameters.push({ name, kind, values: listed(name, given) });
  };
  const args: Record<string, ParameterValue> = {};
  for (const [name, given] of Object.entries(description.args ?? {})) {
    if (kernel === undefined) throw new SpaceError(`the argument ${name} needs a kernel that takes it (--kernel NAME)`);
    const template = typeof given === 'string' ? argumentTemplate(name, given) : null;
    if (template && /\[/.test(template.template)) {
      args[name] = template.template;
      for (const [size, values] of template.sizes) add(size, 'size', values);
    } else add(name, 'argument', given);
  }
  const kinds = kindsOfSet({ ...base, kernel, args }, text);
  for (const [name, given] of Object.entries(description.set ?? {})) add(name, kinds(name), given);
  for (const [name, given] of Object.entries(description.env ?? {})) add(name, 'environment', given);
  if (description.target !== undefined) add('target', 'target', description.target);
  if (description.dge !== undefined) add('dge', 'dge', description.dge);
  checkChoices(parameters, 'target', TARGETS);
  checkChoices(parameters, 'dge', DGE);
  const space = {
    parameters,
    where,
    ...(points && { list: points }),
    ...(sample && { sample: { count: sample.count, seed: sample.seed ?? 0 } }),
  };
  return { base: { ...base, ...(kernel !== undefined && { kernel, args: { ...base.args, ...args } }) }, space, text };
}

/** Its points, each with what is wrong with it found before anything runs. @throws SpaceError */
export function plannedPoints({ space }: SweepPlan): SweepPoint[] {
  const points = pointsOf(space);
  if (points.length === 0) throw new SpaceError('no point is left: the constraints leave out all');
  return points;
}

function listed(name: string, given: DescribedValues): ParameterValue[] {
  const values =
    typeof given === 'string' ? parseValues(name, given) : typeof given === 'object' && given !== null ? [...new Set(given)] : [given];
  if (values.length === 0) throw new SpaceError(`${name} has no values`);
  return values;
}

function checkChoices(parameters: readonly SweptParameter[], kind: ParameterKind, choices: readonly string[]) {
  const values = parameters.find(parameter => parameter.kind === kind)?.values ?? [];
  const wrong = values.find(value => !choices.includes(String(value)));
  if (wrong !== undefined) throw new SpaceError(`${kind} ${wrong}: one of ${choices.join(', ')}`);
}

/** What a name of `set` changes. */
function kindsOfSet({ kernel, args = {} }: CaptureRequest, text: string): (name: string) => ParameterKind {
  const constants = new Set(moduleConstants(text).map(({ name }) => name));
  const sizes = new Set(Object.values(args).flatMap(value => [...String(value).matchAll(/\{([^{}]*)\}/g)].map(match => match[1].trim())));
  return name => {
    if (constants.has(name)) return 'constant';
    if (sizes.has(name)) return 'size';
    if (kernel !== undefined) return 'argument';
    throw new SpaceError(`the file assigns no ${name} at its top level; it assigns ${[...constants].join(', ') || 'nothing'}`);
  };
}

const KEYS: Readonly<Record<keyof SweepDescription, (value: unknown) => boolean>> = {
  kernel: value => typeof value === 'string',
  args: isValuesByName,
  set: isValuesByName,
  env: isValuesByName,
  target: isValues,
  dge: isValues,
  where: value => Array.isArray(value) && value.every(text => typeof text === 'string'),
  sample: value => isObject(value) && isCount(value.count) && (value.seed === undefined || Number.isSafeInteger(value.seed)),
  points: value => Array.isArray(value) && value.every(point => isObject(point) && Object.values(point).every(isValue)),
};

/** An entry of a file. @throws SpaceError that names the wrong part */
export function checkedDescription(name: string, entry: unknown): SweepDescription {
  if (!isObject(entry)) throw new SpaceError(`the sweep ${name} must be an object`);
  for (const [key, value] of Object.entries(entry)) {
    if (!Object.hasOwn(KEYS, key)) throw new SpaceError(`the sweep ${name} has ${key}; it can have ${Object.keys(KEYS).join(', ')}`);
    if (!KEYS[key as keyof SweepDescription](value)) throw new SpaceError(`the sweep ${name}: ${key} is not as it should be`);
  }
  return entry as SweepDescription;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function isValue(value: unknown): value is ParameterValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
function isValues(value: unknown): boolean {
  return isValue(value) || (Array.isArray(value) && value.every(isValue));
}
function isValuesByName(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isValues);
}
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
