/** What the selected event depends on and what depends on it, as cards: type, who, by which semaphore, how long between. */
import type { Dependency } from '../../simulator/analyze/dependencies';
import { eventValue } from '../../simulator/analyze/eventAccess';
import { timeText } from '../../simulator/analyze/format';
import { eventName } from '../../simulator/analyze/stallText';
import { type Direction, dependenciesOf } from '../actions/dependencies';
import { goTo } from '../actions/selection';
import { element } from '../dom/element';
import { plural } from '../math/units';
import { link } from '../panels/links';
import type { View } from '../view/view';

const MOST_CARDS = 24;
const TYPES = {
  flow: { badge: 'Flow', about: 'Flow: the one reads what the other has written.' },
  anti: { badge: 'Anti', about: 'Anti: the one overwrites what the other had to read first.' },
  output: { badge: 'Output', about: 'Output: both write the same memory.' },
} as const;
const CHAIN = { badge: 'Chain', about: 'A step of one chain: from the framework through the runtime to the device.' };
const UNKNOWN = { badge: 'Order', about: 'The semaphore orders them; their operands do not tell which memory they share.' };

/** Cards for both directions; nothing for an event without dependences. */
export function dependencyCards(view: View, event: number): HTMLElement[] {
  return (['predecessors', 'successors'] as const).map(direction => cards(view, event, direction)).filter(section => section !== null);
}

function cards(view: View, event: number, direction: Direction): HTMLElement | null {
  const list = dependenciesOf(view, event, direction);
  if (list.length === 0) return null;
  const name = `${direction.charAt(0).toUpperCase()}${direction.slice(1)}`;
  const copy = link('Copy JSON', 'Copies this list', () => copyJson(view, event, direction, list));
  const shown = list.slice(0, MOST_CARDS).map(dependency => card(view, event, dependency));
  const rest = list.length > MOST_CARDS ? element('p.hint', {}, `and ${list.length - MOST_CARDS} more`) : null;
  const heading = element('h3', {}, `${name} (${list.length}) `, copy);
  return element(`section.dependencies.${direction}` as 'section', {}, heading, element('div.cards', {}, ...shown), rest);
}

function card(view: View, from: number, { event, type, via, gapNs, blocking }: Dependency): HTMLElement {
  const { profile } = view.model!;
  const { badge, about } = profile.system ? CHAIN : type ? TYPES[type] : UNKNOWN;
  const track = profile.tracks[eventValue(profile, event, 'track')].name;
  const besideFile = profile.files[profile.frames.file[eventValue(profile, from, 'frame')]].path;
  const name = eventName(profile, event, besideFile);
  const go = link(name.replace(/^the /, ''), 'Selects it', () => goTo(view, event));
  const gap = gapNs >= 0 ? `${timeText(gapNs)} between` : `overlap ${timeText(-gapNs)}`;
  return element(
    blocking && !profile.system ? 'div.card.blocking' : 'div.card',
    {},
    element('div.cardHead', {}, element('span.badge', { title: about }, badge), go),
    element('div', {}, `${track}, ${gap}`),
    ...(profile.system ? [] : [element('code', {}, via), blocking ? element('div.decided', {}, 'decided the start') : null]),
  );
}

function copyJson(view: View, event: number, direction: Direction, list: readonly Dependency[]) {
  const text = JSON.stringify({ event, [direction]: list }, null, 1);
  navigator.clipboard.writeText(text).then(
    () => view.announce(`${plural(list.length, 'dependency').replace('dependencys', 'dependencies')} copied.`),
    () => view.announce('The clipboard is not open to this page.'),
  );
}
