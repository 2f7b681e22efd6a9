/** Keys, in one table: what the keyboard handler obeys and what the help overlay prints. */

export type KeyAction =
  | 'zoomIn'
  | 'zoomOut'
  | 'panLeft'
  | 'panRight'
  | 'scrollUp'
  | 'scrollDown'
  | 'fit'
  | 'focusSelection'
  | 'nextEvent'
  | 'previousEvent'
  | 'followBlocker'
  | 'nextBlocked'
  | 'openSource'
  | 'clear'
  | 'focusSearch'
  | 'help'
  | 'toggleDetails';

export interface Key {
  /** `KeyboardEvent.key`, lower case for letters. */
  keys: readonly string[];
  action: KeyAction;
  /** As printed in the help. */
  shown: string;
  text: string;
}

export const KEYS: readonly Key[] = [
  { keys: ['w', 'ArrowUp', '+', '='], action: 'zoomIn', shown: 'W  ↑  +', text: 'Zoom in at the pointer' },
  { keys: ['s', 'ArrowDown', '-'], action: 'zoomOut', shown: 'S  ↓  −', text: 'Zoom out' },
  { keys: ['a', 'ArrowLeft'], action: 'panLeft', shown: 'A  ←', text: 'Earlier' },
  { keys: ['d', 'ArrowRight'], action: 'panRight', shown: 'D  →', text: 'Later' },
  { keys: ['PageUp'], action: 'scrollUp', shown: 'PgUp', text: 'Rows above' },
  { keys: ['PageDown'], action: 'scrollDown', shown: 'PgDn', text: 'Rows below' },
  { keys: ['0', 'Home'], action: 'fit', shown: '0  Home', text: 'Show the whole run' },
  { keys: ['f'], action: 'focusSelection', shown: 'F', text: 'Focus the selected event; again: the whole run' },
  { keys: ['.'], action: 'nextEvent', shown: '.', text: 'Next event on the row' },
  { keys: [','], action: 'previousEvent', shown: ',', text: 'Previous event on the row' },
  { keys: ['['], action: 'followBlocker', shown: '[', text: 'Go to what it waited for' },
  { keys: [']'], action: 'nextBlocked', shown: ']', text: 'Go to what waited for it' },
  { keys: ['Enter', 'F12'], action: 'openSource', shown: 'Enter  F12', text: 'Open the source line' },
  { keys: ['Escape'], action: 'clear', shown: 'Esc', text: 'Clear selection, marks and search' },
  { keys: ['/'], action: 'focusSearch', shown: '/', text: 'Search' },
  { keys: ['q'], action: 'toggleDetails', shown: 'Q', text: 'Show or hide the details' },
  { keys: ['?'], action: 'help', shown: '?', text: 'This help' },
];

/** Mouse and touch, for the help overlay. */
export const GESTURES: readonly { shown: string; text: string }[] = [
  { shown: 'Drag', text: 'Zoom into the dragged span' },
  { shown: 'Shift+drag, drag on the axis', text: 'Pan' },
  { shown: 'Ctrl+wheel, pinch', text: 'Zoom at the pointer' },
  { shown: 'Shift+wheel', text: 'Pan' },
  { shown: 'Click', text: 'Select, and open the source line' },
  { shown: 'Double-click', text: 'Zoom to the event' },
];

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** null while a text field has the focus (Escape excepted), with modifiers, and for keys that are not ours. */
export function actionFor({ key, ctrlKey, metaKey, altKey }: KeyPress, typing: boolean): KeyAction | null {
  if (ctrlKey || metaKey || altKey || typing) return null;
  const wanted = key.length === 1 ? key.toLowerCase() : key;
  return KEYS.find(({ keys }) => keys.includes(wanted))?.action ?? null;
}
