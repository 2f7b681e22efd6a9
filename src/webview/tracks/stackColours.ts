/** The bars of stacked profiles in the same colours: the others take those of the page's own where they have the same thing. */
import type { Model } from '../data/model';
import { OWN, ownOf, type Stack } from '../data/stack';
import type { ColourBy } from '../state/settings';
import { type Colouring, colouring } from './colouring';

/** By number of the profile. */
export type Colourings = ReadonlyMap<number, Colouring>;

interface Known {
  by: ColourBy;
  like: Colouring | null;
  made: Colouring;
}

/** The last one of each: a stack that changes makes those of others again only where the page's own has another. */
const known = new WeakMap<Model, Known>();

export function colourings(stack: Stack, by: ColourBy): Colourings {
  const own = ownOf(stack);
  const first = own && coloured(own.model, by, null);
  return new Map(stack.map(({ number, model }) => [number, first && number === OWN ? first : coloured(model, by, first)]));
}

function coloured(model: Model, by: ColourBy, like: Colouring | null): Colouring {
  const before = known.get(model);
  if (before && before.by === by && before.like === like) return before.made;
  const made = colouring(model.profile, by, like);
  known.set(model, { by, like, made });
  return made;
}
