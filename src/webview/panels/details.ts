/** The drawer below the rows: the selected event in groups, why it waited with a way to whoever blocked it, and where it comes from. */
import { describeEvent, type EventDescription } from '../../simulator/analyze/events';
import { eventName } from '../../simulator/analyze/stallText';
import { iconButton } from '../components';
import { positionText, title } from '../data/describe';
import type { Model } from '../data/model';
import { onDrag } from '../input/drag';
import type { SourcePosition } from '../protocol/messages';
import { goTo } from '../state/selection';
import type { Panel, View } from '../state/view';
import { element } from './dom';
import { FIELD_GROUPS, type Field } from './fields';
import { icon } from './icons';

const LEAST_PX = 90;
const MOST_SHARE = 0.7;

export function details(view: View): Panel {
  const body = element('div.detailsBody', { tabindex: 0, role: 'region', 'aria-label': 'Details of the selected event' });
  const handle = element('div.handle', { title: 'Drag to resize' });
  const drawer = element('section.details', {}, handle, body);
  onDrag(handle, () => {
    const began = view.store.state.detailsPx;
    const clamp = (px: number) => Math.max(LEAST_PX, Math.min(window.innerHeight * MOST_SHARE, px));
    return { move: (_, __, dyPx) => view.store.update({ detailsPx: clamp(began - dyPx) }), end: () => {} };
  });
  return {
    element: drawer,
    draw(changed) {
      const { detailsOpen, detailsPx, selected } = view.store.state;
      drawer.hidden = !detailsOpen;
      drawer.style.flexBasis = `${detailsPx}px`;
      if (!detailsOpen || !['selected', 'model', 'detailsOpen', 'canOpenSource'].some(key => changed.has(key as 'model'))) return;
      body.replaceChildren(...(view.model && selected !== null ? content(view, view.model, selected) : [hint()]));
      body.scrollTop = 0;
    },
  };
}

const hint = () =>
  element('p.hint', {}, 'Click a bar to see its times, its operands, what it waited for and its source line. Press ? for all keys.');

function content(view: View, model: Model, event: number): HTMLElement[] {
  const d = describeEvent(model.profile, event);
  const heading = element(
    'header',
    {},
    element('h2', {}, title(d)),
    element('span.where', {}, `on ${d.track}`),
    iconButton('close', 'Hide details (Q)', () => view.store.update({ detailsOpen: false })),
  );
  const groups = FIELD_GROUPS.map(({ title: name, fields }) => group(name, fields, d)).filter(made => made !== null);
  const wait = d.stallText === '' ? null : waited(view, model, d);
  return [heading, element('div.groups', {}, wait, source(view, d), ...groups)];
}

function waited(view: View, model: Model, d: EventDescription): HTMLElement {
  const text = `${d.stallText.charAt(0).toUpperCase()}${d.stallText.slice(1)}.`;
  const { blocker } = d;
  const jump =
    blocker === null
      ? null
      : link(`Go to ${eventName(model.profile, blocker, d.position.file)}`, 'Selects the event it waited for ([)', () =>
          goTo(view, blocker),
        );
  return element('section.group.wait', {}, element('h3', {}, 'Why it waited'), element('p', {}, text), jump);
}

function source(view: View, d: EventDescription): HTMLElement {
  const stack = element('ol.stack');
  for (const entry of d.stack) stack.append(element('li', {}, place(view, entry), element('span.function', {}, ` in ${entry.function}`)));
  return element('section.group.source', {}, element('h3', {}, 'Source'), element('code.line', {}, d.sourceText || '(no text)'), stack);
}

function place(view: View, position: SourcePosition): HTMLElement {
  const text = positionText(position);
  return view.store.state.canOpenSource
    ? link(text, `${position.file}:${position.line}`, () => view.openSource(position))
    : element('span', { title: position.file }, text);
}

function group(name: string, fields: readonly Field[], d: EventDescription): HTMLElement | null {
  const list = element('dl');
  for (const field of fields) {
    const value = field.value(d);
    if (value === null) continue;
    const about = element('span.about', { title: field.about, tabindex: 0, role: 'note', 'aria-label': field.about }, icon('info'));
    const shown = field.code ? element('code', {}, value) : value;
    list.append(element('div.field', {}, element('dt', {}, field.name, about), element('dd', {}, shown)));
  }
  return list.children.length === 0 ? null : element(`section.group.${name.toLowerCase()}` as 'section', {}, element('h3', {}, name), list);
}

function link(text: string, about: string, onClick: () => void): HTMLElement {
  const made = element('button.link', { type: 'button', title: about }, text);
  made.addEventListener('click', onClick);
  return made;
}
