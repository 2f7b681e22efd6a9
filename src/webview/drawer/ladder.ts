/** The ladder of bounds as bars: how good the kernel could be. What a bound assumes is said for the one that is pointed at. */
import { percentText, timeText } from '../../simulator/analyze/format';
import { element } from '../dom/element';
import type { Rung } from '../protocol/experiments';
import { section } from './statistics';

const OFFER = 'Point at a bound to read what it assumes.';

export function ladder(rungs: readonly Rung[]): HTMLElement {
  const longestNs = Math.max(...rungs.map(rung => rung.timeNs));
  const meaning = element('p.hint.meaning', {}, OFFER);
  const list = element('ol.ladder', { 'aria-label': 'Bounds of the time, from the whole profile down' });
  for (const rung of rungs) {
    const row = rungRow(rung, longestNs);
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

function rungRow({ name, timeNs, meaning }: Rung, longestNs: number): HTMLElement {
  const fill = element('div.fill');
  fill.style.width = `${(timeNs / longestNs) * 100}%`;
  const share = percentText(timeNs / longestNs);
  return element(
    'li.rung',
    { tabindex: 0, 'aria-label': `${name}: ${timeText(timeNs)}, ${share}: ${meaning}` },
    element('span.name', {}, name),
    element('div.track', {}, fill),
    element('span.value', {}, timeText(timeNs)),
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
