/** The ? overlay: every key and gesture, printed from the tables that the handlers obey. */
import { iconButton } from '../components';
import { GESTURES, KEYS } from '../input/keymap';
import type { Panel, View } from '../state/view';
import { element } from './dom';

export function help(view: View): Panel {
  const close = () => view.store.update({ helpOpen: false });
  const rows = (entries: readonly { shown: string; text: string }[]) =>
    entries.map(({ shown, text }) => element('div.helpRow', {}, element('kbd', {}, shown), element('span', {}, text)));
  const box = element(
    'div.helpBox',
    { role: 'dialog', 'aria-label': 'Keys and gestures', tabindex: -1 },
    element('header', {}, element('h2', {}, 'Keys and gestures'), iconButton('close', 'Close (Esc)', close)),
    element('div.helpColumns', {}, element('div', {}, ...rows(KEYS)), element('div', {}, ...rows(GESTURES), ...legend())),
  );
  const overlay = element('div.help', { hidden: true }, box);
  overlay.addEventListener('click', event => event.target === overlay && close());
  return {
    element: overlay,
    draw(changed) {
      if (!changed.has('helpOpen')) return;
      overlay.hidden = !view.store.state.helpOpen;
      if (view.store.state.helpOpen) box.focus();
    },
  };
}

const legend = () => [
  element('h3', {}, 'Reading the rows'),
  element('div.helpRow', {}, element('span.sample.bar'), element('span', {}, 'An instruction or transfer, from start to end')),
  element('div.helpRow', {}, element('span.sample.stall'), element('span', {}, 'The wait before it: from ready to start')),
  element(
    'div.helpRow',
    {},
    element('span.sample.density'),
    element('span', {}, 'Several events in a pixel, as high as it is busy: hover for the count'),
  ),
];
