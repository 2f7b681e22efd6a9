/** The bars of stacked profiles in the same colours: the others take those of the page's own where they have the same thing. */
import type { Model } from '../data/model';
import { OWN, ownOf, type Stack } from '../data/stack';
import type { ColourBy } from '../state/settings';
import { type Colouring, colouring } from './colouring';

/** By number of the profile. */
export type Colourings = ReadonlyMap<number, Colouring>;

interface Known {
  by: ColourBy;
  layerDepth: number;
  like: Colouring | null;
  made: Colouring;
}

/** The last one of each profile: a stack that changes makes those of others again only where the page's own has another. */
const known = new WeakMap<Model['held'], Known>();

export function colourings(stack: Stack, by: ColourBy, layerDepth = 1): Colourings {
  const own = ownOf(stack);
  const first = own && coloured(own.model, { by, layerDepth, like: null });
  return new Map(
    stack.map(({ number, model }) => [number, first && number === OWN ? first : coloured(model, { by, layerDepth, like: first })]),
  );
}

function coloured(model: Model, asked: Omit<Known, 'made'>): Colouring {
  const { by, layerDepth, like } = asked;
  const before = known.get(model.held);
  if (before && before.by === by && before.like === like && before.layerDepth === layerDepth) return before.made;
  const made = colouring(model.profile, by, like, layerDepth);
  known.set(model.held, { ...asked, made });
  return made;
}
