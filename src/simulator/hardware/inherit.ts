/**
 * Makes a machine that inherits from another one. Inherited facts have lower confidence: a figure that was measured on one generation is
 * an assumption on the next, which rests on the same rows. So is a figure that only the guide of the other generation states.
 */
import { type Fact, isFact } from './facts';
import type { Machine } from './machine';

/** Parts of a machine that differ. The new machine does not have the parts that are `undefined` here. */
export type Overrides<T> = {
  [Key in keyof T]?: T[Key] extends Fact<unknown> | readonly unknown[] | string | boolean | undefined
    ? T[Key]
    : Overrides<T[Key]> | undefined;
};

/** The parts that every machine has to state itself. */
type Identity = Pick<Machine, 'generation' | 'instanceType' | 'product' | 'aliases' | 'guide' | 'accuracyBasis'>;

/** @param own the facts that are known of the new machine. */
export function inherit(base: Machine, own: Identity & Overrides<Machine>): Machine {
  return merged(base, own, base) as Machine;
}

type Group = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Group => typeof value === 'object' && value !== null && !Array.isArray(value) && !isFact(value);

function merged(base: unknown, own: unknown, from: Machine): unknown {
  if (!isGroup(base) || !isGroup(own)) return own;
  const taken = Object.entries(base).filter(([name]) => !Object.hasOwn(own, name));
  const said = Object.entries(own).filter(([, value]) => value !== undefined);
  return Object.fromEntries([
    ...taken.map(([name, value]) => [name, demoted(value, from)]),
    ...said.map(([name, value]) => [name, merged(base[name], value, from)]),
  ]);
}

function demoted(value: unknown, from: Machine): unknown {
  if (isFact(value)) return demotedFact(value, from);
  return isGroup(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, demoted(inner, from)])) : value;
}

function demotedFact(fact: Fact<unknown>, { generation, guide }: Machine): Fact<unknown> {
  const holdsForAll = fact.confidence === 'documented' && !fact.source.startsWith(guide);
  if (holdsForAll || fact.confidence === 'assumed') return fact;
  return { ...fact, confidence: 'assumed', source: `as on ${generation}: ${fact.source}` };
}
