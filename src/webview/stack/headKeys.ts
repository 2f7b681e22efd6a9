/** Keys of the line above a stacked profile's rows: the table that it obeys and the help prints. */

import { makeBase, shiftProfile, unstack } from '../actions/stack';
import type { View } from '../view/view';

interface HeadKey {
  key: string;
  alt: boolean;
  shown: string;
  text: string;
  act(view: View, number: number): void;
}

export const HEAD_KEYS: readonly HeadKey[] = [
  { key: 'ArrowUp', alt: true, shown: 'Alt+↑', text: 'Move the profile up', act: (view, number) => shiftProfile(view, number, -1) },
  { key: 'ArrowDown', alt: true, shown: 'Alt+↓', text: 'Move the profile down', act: (view, number) => shiftProfile(view, number, 1) },
  { key: 'Home', alt: false, shown: 'Home', text: 'Compare the others with it', act: makeBase },
  { key: 'Delete', alt: false, shown: 'Delete', text: 'Remove it', act: unstack },
];

/** Keys while the head or a part of it has the focus. The page's own keys do not get them. */
export function onHeadKey(view: View, number: number, event: KeyboardEvent): void {
  const found = HEAD_KEYS.find(({ key, alt }) => key === event.key && alt === event.altKey);
  if (!found) return;
  event.preventDefault();
  event.stopPropagation();
  found.act(view, number);
}
