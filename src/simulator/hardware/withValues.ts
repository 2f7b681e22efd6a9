/**
 * For experiments: the same machine or policy with other values at given paths (`dma.packetNs`). A changed fact is an assumption, and its
 * source names the old value.
 */
import { type Fact, isFact } from './facts';

/**
 * @param part a machine, a policy, or a part of one
 * @param values by path
 * @throws Error for a path at which there is no fact
 */
export function withValues<Part extends object>(part: Part, values: Readonly<Record<string, unknown>>): Part {
  return Object.entries(values).reduce((all, [path, value]) => changed(all, path, path.split('.'), value) as Part, part);
}

function changed(part: object, path: string, [name, ...rest]: readonly string[], value: unknown): object {
  const inner = Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined;
  const isLast = rest.length === 0;
  if (typeof inner !== 'object' || inner === null || isFact(inner) !== isLast) throw new Error(`there is no fact ${path}`);
  return { ...part, [name]: isLast ? experimental(inner as Fact<unknown>, value) : changed(inner, path, rest, value) };
}

function experimental({ rows, ...fact }: Fact<unknown>, value: unknown): Fact<unknown> {
  return { ...fact, value, confidence: 'assumed', source: `an experiment; ${JSON.stringify(fact.value)}: ${fact.source}` };
}
