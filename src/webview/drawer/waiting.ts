/** Why the selected event waited: in words, with a way to its blocker, and the chain of who waited for whom before that. */
import type { EventDescription } from '../../simulator/analyze/events';
import { timeText } from '../../simulator/analyze/format';
import { eventName, stallShort } from '../../simulator/analyze/stallText';
import { waitChain } from '../../simulator/analyze/waitChain';
import { showSpan } from '../actions/navigation';
import { goTo } from '../actions/selection';
import { element } from '../dom/element';
import { link } from '../panels/links';
import { sentence } from '../panels/sentence';
import type { View } from '../view/view';

const MOST_LINKS = 6;

/** null when it started at once. */
export function waitGroup(view: View, d: EventDescription): HTMLElement | null {
  if (d.stallText === '' || !view.model) return null;
  const { profile } = view.model;
  const text = `${d.stallText.charAt(0).toUpperCase()}${d.stallText.slice(1)}.`;
  const { blocker } = d;
  const waited = { about: 'Shows the time that it waited', open: () => showSpan(view, { startNs: d.readyNs, endNs: d.startNs }) };
  const jump =
    blocker === null
      ? null
      : link(`Go to ${eventName(profile, blocker, d.position.file)}`, 'Selects the event it waited for ([)', () => goTo(view, blocker));
  return element(
    'section.group.wait',
    {},
    element('h3', {}, 'Why it waited'),
    element('p', {}, ...sentence(view, text, waited, d.position.file)),
    jump,
    chain(view, d),
  );
}

/** Only when there is more than the blocker itself. */
function chain(view: View, d: EventDescription): HTMLElement | null {
  const { profile } = view.model!;
  const links = waitChain(profile, d.event).slice(2);
  if (links.length === 0) return null;
  const items = links.slice(0, MOST_LINKS).map(({ event, reason, waitNs }) => {
    const name = eventName(profile, event, d.position.file);
    return element(
      'li',
      {},
      `${timeText(waitNs)} (${stallShort(reason)}) for `,
      link(name, 'Selects it', () => goTo(view, event)),
    );
  });
  const more = links.length - items.length;
  const rest = more > 0 ? element('li', {}, `and ${more} more before`) : null;
  return element(
    'details.chain',
    {},
    element('summary', {}, `which itself waited: ${links.length} more`),
    element('ol', {}, ...items, rest),
  );
}
