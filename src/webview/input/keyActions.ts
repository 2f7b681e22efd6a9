/** What each key and each command of the host does. */
import type { ViewEvents } from '../protocol/messages';
import { fit, focusSelection, panLeft, panRight, scrollBy, zoomIn, zoomOut } from '../state/navigation';
import { clear, followBlocker, nextBlocked, openSelected, step } from '../state/selection';
import type { View } from '../state/view';
import type { KeyAction } from './keymap';

type Command = ViewEvents['command']['name'];

export const KEY_ACTIONS: Record<KeyAction | Command, (view: View) => void> = {
  zoomIn,
  zoomOut,
  panLeft,
  panRight,
  scrollUp: view => scrollBy(view, -view.heightPx * 0.8),
  scrollDown: view => scrollBy(view, view.heightPx * 0.8),
  fit,
  focusSelection,
  nextEvent: view => step(view, 1),
  previousEvent: view => step(view, -1),
  followBlocker,
  nextBlocked,
  openSource: openSelected,
  clear,
  focusSearch: view => view.focusSearch(),
  help: view => view.store.update({ helpOpen: !view.store.state.helpOpen }),
  toggleDetails: view => view.store.update({ detailsOpen: !view.store.state.detailsOpen }),
};
