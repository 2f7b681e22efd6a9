/** The ? overlay: every key and gesture, printed from the tables that the handlers obey. */

import { element } from '../dom/element';
import { GESTURES, KEY_GROUPS } from '../input/keymap';
import { HEAD_KEYS } from '../stack/headKeys';
import type { Panel, View } from '../view/view';
import { popover } from './popover';

export function help(view: View): Panel {
  const rows = (entries: readonly { shown: string; text: string }[]) =>
    entries.map(({ shown, text }) => element('div.helpRow', {}, element('kbd', {}, shown), element('span', {}, text)));
  const column = (title: string, entries: readonly { shown: string; text: string }[]) =>
    element('section', {}, element('h3', {}, title), ...rows(entries));
  return popover(view, {
    id: 'help',
    title: 'Keys and gestures',
    wide: true,
    content: () => [
      element(
        'div.helpColumns',
        {},
        ...KEY_GROUPS.map(({ title, keys }) => column(title, keys)),
        column('Pointer', GESTURES),
        column('On the line of a stacked profile', HEAD_KEYS),
        element('section', {}, element('h3', {}, 'Reading the rows'), ...legend()),
      ),
      element('p.hint', {}, 'In VS Code every key is a command too (NKI Scope: Timeline …), to be bound to keys of your own.'),
    ],
  });
}

const legend = () =>
  [
    ['bar', 'An instruction or transfer, from start to end'],
    ['stall', 'The wait before it: from ready to start'],
    ['density', 'Several events in a pixel, as high as it is busy: hover for the count'],
    ['before', 'Arrow: depends on it; thick: decided its start'],
    ['after', 'Dashed arrow: waits for it'],
  ].map(([sample, text]) => element('div.helpRow', {}, element(`span.sample.${sample}` as 'span'), element('span', {}, text)));
