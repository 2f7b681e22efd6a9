/**
 * The ladder of bounds as bars: how good the kernel could be. What a bound assumes is said for the one that is pointed at; its time opens
 * what it was computed from.
 */
import { percentText, timeText } from '../../simulator/analyze/format';
import { showSpan } from '../actions/navigation';
import { type NumberOrigin, resourceOrigin, tabOrigin } from '../actions/origins';
import { element } from '../dom/element';
import { link } from '../panels/links';
import type { Rung } from '../protocol/experiments';
import type { View } from '../view/view';
import { section } from './statistics';

const OFFER = 'Point at a bound to read what it assumes.';

const ROOFLINE = tabOrigin('summary', 'Shows the roofline', 'Roofline');
const WHAT_IF = tabOrigin('whatIf', 'Shows what it is without these waits', 'One thing faster');

/** What the times of bounds were computed from, by the name of the bound. */
const ORIGINS: Readonly<Record<string, (rung: Rung) => NumberOrigin>> = {
  'as it ran': () => tabOrigin('summary', 'Shows the summary'),
  'without start-up': () => BODY,
  'no buffer waits': () => WHAT_IF,
  'DMA starts hidden': () => WHAT_IF,
  'longest dependence chain': () => tabOrigin('path', 'Shows the critical path'),
  'busiest resource': ({ resource }) => (resource === undefined ? BODY : resourceOrigin(resource)),
  'HBM bandwidth': () => ROOFLINE,
  'FLOPs at peak': () => ROOFLINE,
};

const BODY: NumberOrigin = {
  about: 'Shows the kernel’s body',
  open: view => view.model && showSpan(view, { startNs: view.model.profile.bodyStartNs, endNs: view.model.profile.bodyEndNs }),
};

export function ladder(view: View, rungs: readonly Rung[]): HTMLElement {
  const longestNs = Math.max(...rungs.map(rung => rung.timeNs));
  const meaning = element('p.hint.meaning', {}, OFFER);
  const list = element('ol.ladder', { 'aria-label': 'Bounds of the time, from the whole profile down' });
  for (const rung of rungs) {
    const row = rungRow(view, rung, longestNs);
    const say = () => {
      meaning.textContent = `${rung.name}: ${rung.meaning}.`;
    };
    row.addEventListener('pointerenter', say);
    row.addEventListener('focus', say);
    list.append(row);
  }
  list.addEventListener('keydown', walk);
  return section('How good could it be', list, meaning);
}

function rungRow(view: View, rung: Rung, longestNs: number): HTMLElement {
  const { name, timeNs, meaning } = rung;
  const { about, open } = (ORIGINS[name] ?? (() => BODY))(rung);
  const fill = element('div.fill');
  fill.style.width = `${(timeNs / longestNs) * 100}%`;
  const share = percentText(timeNs / longestNs);
  return element(
    'li.rung',
    { tabindex: 0, 'aria-label': `${name}: ${timeText(timeNs)}, ${share}: ${meaning}` },
    element('span.name', {}, name),
    element('div.track', {}, fill),
    element(
      'span.value',
      {},
      link(timeText(timeNs), about, () => open(view)),
    ),
    element('span.share', {}, share),
  );
}

/** Up and down between the bounds. */
function walk(event: KeyboardEvent) {
  const row = event.target as HTMLElement;
  const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}
