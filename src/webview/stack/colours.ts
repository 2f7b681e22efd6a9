/** The bars of stacked profiles in the same colours: the others take those of the page's own where they have the same thing. */
import type { Model } from '../data/model';
import type { ColourBy } from '../state/settings';
import { type Colouring, colouring } from '../tracks/colouring';
import { OWN, ownOf, type Stack } from './profiles';

export const coloured = (stack: Stack, by: ColourBy, { profile }: Model): Colouring => colouring(profile, by, ownOf(stack)?.colouring);

/** Every profile anew. */
export function recoloured(stack: Stack, by: ColourBy): Stack {
  const own = ownOf(stack);
  const first = own && { ...own, colouring: colouring(own.model.profile, by) };
  return stack.map(p => (first && p.number === OWN ? first : { ...p, colouring: colouring(p.model.profile, by, first?.colouring) }));
}
