/** What a sweep runs: a request whose arguments have places for sizes, and the request of each point. */
import type { CaptureRequest } from '../session/capture';
import { withConstants } from './constants';
import type { ParameterKind, SweepPoint, SweepSpace } from './space';
import { type ParameterValue, SpaceError } from './values';

export interface SweepPlan {
  /** Arguments may have sizes by the name of a parameter: `bf16[128,{K}]`. */
  base: CaptureRequest;
  space: SweepSpace;
  /** Text of the base's file, for constants. */
  text: string;
}

/** The point's values of the parameters of one kind. */
export const valuesOfKind = ({ parameters }: SweepSpace, kind: ParameterKind, point: SweepPoint): Record<string, ParameterValue> =>
  Object.fromEntries(parameters.filter(parameter => parameter.kind === kind).map(({ name }) => [name, point[name]]));

/** @throws SpaceError */
export function requestOf({ base, space, text }: SweepPlan, point: SweepPoint): CaptureRequest {
  const valuesOf = (kind: ParameterKind) => valuesOfKind(space, kind, point);
  const constants = valuesOf('constant');
  const { target, dge } = { ...valuesOf('target'), ...valuesOf('dge') };
  const isChanged = Object.keys(constants).length > 0;
  return {
    ...base,
    ...(base.args && { args: { ...filled(base.args, point), ...valuesOf('argument') } }),
    ...(isChanged && { overlay: { ...base.overlay, [base.file]: withConstants(text, constants) } }),
    env: { ...base.env, ...Object.fromEntries(Object.entries(valuesOf('environment')).map(([name, value]) => [name, String(value)])) },
    ...(target !== undefined && { target: String(target) }),
    ...(dge !== undefined && { dge: dge as CaptureRequest['dge'] }),
  };
}

type Arguments = NonNullable<CaptureRequest['args']>;

function filled(args: Arguments, point: SweepPoint): Arguments {
  const fill = (_: string, name: string) => {
    if (!Object.hasOwn(point, name))
      throw new SpaceError(`{${name}}: no parameter has this name; there are ${Object.keys(point).join(', ')}`);
    return String(point[name]);
  };
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value.replace(PLACE, fill) : value]),
  );
}

/** The place of a size in an argument. */
const PLACE = /\{([^{}]*)\}/g;

/** An argument whose dimensions may be lists of sizes: `bf16[128,{512,1024}]` becomes `bf16[128,{a[1]}]` and the values of `a[1]`. */
export function argumentTemplate(name: string, text: string): { template: string; sizes: [name: string, text: string][] } {
  const sizes: [string, string][] = [];
  const shape = /^(\s*\w+\s*\[)(.*)(\]\s*)$/s.exec(text);
  if (!shape) return { template: text, sizes };
  const dimensions = shape[2].split(/,(?![^{]*\})/).map((word, k) => {
    const given = /^\s*\{([^{}]*)\}\s*$/.exec(word)?.[1];
    if (given === undefined || /^\s*[A-Za-z_]\w*(\[\d+\])?\s*$/.test(given)) return word;
    sizes.push([`${name}[${k}]`, given]);
    return `{${name}[${k}]}`;
  });
  return { template: `${shape[1]}${dimensions.join(',')}${shape[3]}`, sizes };
}
