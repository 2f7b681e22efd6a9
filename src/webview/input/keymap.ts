/** Keys, in one table: what the keyboard handler obeys and what the help overlay prints. */
import type { TimelineCommand } from '../protocol/commands';

export interface Key {
  /** As `keyName` makes them. */
  keys: readonly string[];
  action: TimelineCommand;
  /** As printed in the help. */
  shown: string;
  text: string;
}

export interface KeyGroup {
  title: string;
  keys: readonly Key[];
}

export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: 'Moving',
    keys: [
      { keys: ['w', 'ArrowUp', '+', '='], action: 'zoomIn', shown: 'W  ↑  +', text: 'Zoom in at the pointer' },
      { keys: ['s', 'ArrowDown', '-'], action: 'zoomOut', shown: 'S  ↓  −', text: 'Zoom out' },
      { keys: ['a', 'ArrowLeft'], action: 'panLeft', shown: 'A  ←', text: 'Earlier' },
      { keys: ['d', 'ArrowRight'], action: 'panRight', shown: 'D  →', text: 'Later' },
      { keys: ['PageUp'], action: 'scrollUp', shown: 'PgUp', text: 'Rows above' },
      { keys: ['PageDown'], action: 'scrollDown', shown: 'PgDn', text: 'Rows below' },
      { keys: ['0', 'Home'], action: 'fit', shown: '0  Home', text: 'Show the whole run; again: the kernel body' },
      { keys: ['f'], action: 'focusSelection', shown: 'F', text: 'Focus the selection; again: the whole run' },
      { keys: ['g'], action: 'goToTime', shown: 'G', text: 'Type a time, or from - to' },
    ],
  },
  {
    title: 'Events',
    keys: [
      { keys: ['.'], action: 'nextEvent', shown: '.', text: 'Next event on the row' },
      { keys: [','], action: 'previousEvent', shown: ',', text: 'Previous event on the row' },
      { keys: ['['], action: 'followBlocker', shown: '[', text: 'Go to what it waited for' },
      { keys: [']'], action: 'nextBlocked', shown: ']', text: 'Go to what waited for it' },
      { keys: ['Ctrl+['], action: 'nextPredecessor', shown: 'Ctrl+[', text: 'The next of its predecessors' },
      { keys: ['Ctrl+]'], action: 'nextSuccessor', shown: 'Ctrl+]', text: 'The next of its successors' },
      { keys: ['Enter', 'F12'], action: 'openSource', shown: 'Enter  F12', text: 'Open the source line' },
      { keys: ['/', 'Ctrl+f'], action: 'focusSearch', shown: '/  Ctrl+F', text: 'Search' },
      { keys: ['n'], action: 'nextMatch', shown: 'N', text: 'Next match' },
      { keys: ['Shift+n'], action: 'previousMatch', shown: 'Shift+N', text: 'Previous match' },
    ],
  },
  {
    title: 'Ranges and markers',
    keys: [
      { keys: ['b'], action: 'toggleBoxSelect', shown: 'B', text: 'Dragging selects a box, or zooms' },
      { keys: ['r'], action: 'eventToBox', shown: 'R', text: 'Box-select the event' },
      { keys: ['Ctrl+a'], action: 'selectVisible', shown: 'Ctrl+A', text: 'Box-select all that is visible' },
      { keys: ['m'], action: 'mark', shown: 'M', text: 'Marker at the pointer, or at the event' },
      { keys: ['Shift+m'], action: 'markRange', shown: 'Shift+M', text: 'Markers at both ends of the selection' },
      { keys: ['Delete', 'Backspace'], action: 'deleteMarker', shown: 'Del', text: 'Delete the chosen marker' },
      { keys: ['Ctrl+z'], action: 'undoMarkers', shown: 'Ctrl+Z', text: 'Undo a change of the markers' },
      { keys: ['Ctrl+Shift+z', 'Ctrl+y'], action: 'redoMarkers', shown: 'Ctrl+Shift+Z', text: 'Redo it' },
    ],
  },
  {
    title: 'View',
    keys: [
      { keys: ['t'], action: 'findTrack', shown: 'T', text: 'Find, show and hide tracks' },
      { keys: ['p'], action: 'pinTrack', shown: 'P', text: 'Pin the track to the top, or unpin it' },
      { keys: ['h'], action: 'hideTrack', shown: 'H', text: 'Hide the track under the pointer' },
      { keys: ['c'], action: 'cycleColours', shown: 'C', text: 'Colour by something else' },
      { keys: ['1'], action: 'showDetails', shown: '1', text: 'Details' },
      { keys: ['2'], action: 'showLines', shown: '2', text: 'Lines' },
      { keys: ['3'], action: 'showFlame', shown: '3', text: 'Functions and loops' },
      { keys: ['4'], action: 'showAdvice', shown: '4', text: 'Advice' },
      { keys: ['5'], action: 'showWhatIf', shown: '5', text: 'What if' },
      { keys: ['q'], action: 'toggleDetails', shown: 'Q', text: 'Show or hide the panel' },
      { keys: ['Escape'], action: 'clear', shown: 'Esc', text: 'Clear selection, box, marks and search' },
      { keys: ['?'], action: 'help', shown: '?', text: 'This help' },
    ],
  },
];

export const KEYS: readonly Key[] = KEY_GROUPS.flatMap(group => group.keys);

/** Mouse and touch, for the help overlay. */
export const GESTURES: readonly { shown: string; text: string }[] = [
  { shown: 'Drag', text: 'Zoom into the dragged span' },
  { shown: 'Alt+drag', text: 'Select a box: time × rows' },
  { shown: 'Shift+drag, drag on the axis', text: 'Pan' },
  { shown: 'Ctrl+wheel, pinch', text: 'Zoom at the pointer' },
  { shown: 'Shift+wheel', text: 'Pan' },
  { shown: 'Click', text: 'Select, and show the source line' },
  { shown: 'Ctrl+click', text: 'Select, and go to the source line' },
  { shown: 'Double-click', text: 'Zoom to the event' },
  { shown: 'Right-click', text: 'Marker, snapped to the nearest edge' },
  { shown: 'Drag a row name', text: 'Move the row; its lower edge resizes it' },
];

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey?: boolean;
}

/** `w`, `Shift+m`, `Ctrl+f`, `?`: Shift counts for letters only, Cmd as Ctrl. */
export function keyName({ key, ctrlKey, metaKey, shiftKey = false }: KeyPress): string {
  const letter = /^[a-z]$/i.test(key);
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${letter && shiftKey ? 'Shift+' : ''}${key.length === 1 ? key.toLowerCase() : key}`;
}

/** null while a text field has the focus, and for keys that are not ours. */
export function actionFor(press: KeyPress, typing: boolean): TimelineCommand | null {
  if (press.altKey || typing) return null;
  const name = keyName(press);
  return KEYS.find(({ keys }) => keys.includes(name))?.action ?? null;
}
