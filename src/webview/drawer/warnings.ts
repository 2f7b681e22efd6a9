/**
 * What is worth looking at: what was tried first, by what it gained in the model, then what covers most of the time. The one pressed is
 * shown as bands over the rows, and its events are marked.
 */
import { percentText } from '../../simulator/analyze/format';
import { TRIED_BY, type Warning } from '../../simulator/analyze/warnings';
import { showSpan } from '../actions/navigation';
import { markEvents } from '../actions/searching';
import { hasSource } from '../data/describe';
import { checkbox } from '../dom/components';
import { element } from '../dom/element';
import { instantText, plural } from '../math/units';
import { link, place } from '../panels/links';
import type { View } from '../view/view';
import type { Tab } from './tab';

export const warningsTab = (): Tab => ({
  id: 'warnings',
  title: 'Warnings',
  about: 'What costs time, tied to its lines',
  count: view => view.state.warningCount,
  content(view) {
    const all = view.model!.analysis.warnings();
    const checks = view.model!.profile.checks.map(check =>
      element('li.warning', {}, element('b', {}, check.severity), ` ${check.message} `, hasSource(check) ? place(view, check) : null),
    );
    const errors = (view.model!.profile.recorded?.errors ?? []).map(({ timeNs, type, description }) =>
      element(
        'li.warning',
        {},
        element('b', {}, `error ${type}`),
        ` ${description} `,
        link(instantText(timeNs), 'Shows when', () => showAround(view, timeNs)),
      ),
    );
    if (all.length + checks.length + errors.length === 0) return [element('p.hint', {}, 'Nothing stands out.')];
    const bands = checkbox('Bands over the rows', view.state.warningBands, on => view.store.update({ warningBands: on }));
    return [
      element('header', {}, element('h2', {}, plural(all.length, 'warning')), bands),
      element(
        'ol.warnings',
        {},
        ...errors,
        ...checks,
        ...ranked(view, all).map(({ warning, index, gainShare }) => card(view, warning, index, gainShare)),
      ),
    ];
  },
});

/** A hundredth of the whole, with the moment in its middle. */
function showAround(view: View, timeNs: number) {
  const halfNs = (view.limits.endNs - view.limits.startNs) / 200;
  showSpan(view, { startNs: timeNs - halfNs, endNs: timeNs + halfNs });
}

interface Ranked {
  warning: Warning;
  /** In the order of the analysis: bands know it by that. */
  index: number;
  /** What its advice gained when it was tried, of the whole profile; null: it was not. */
  gainShare: number | null;
}

function ranked(view: View, all: readonly Warning[]): Ranked[] {
  const { advice } = view.state.experiments;
  const tried = advice.is === 'answered' ? [...advice.answer.advice, ...advice.answer.rejected] : [];
  const gainOf = ({ rule }: Warning) => {
    const gains = tried.filter(one => TRIED_BY[rule]?.includes(one.rule)).map(one => one.gainShare);
    return gains.length > 0 ? Math.max(...gains) : null;
  };
  // gains too small to tell apart come after what nobody tried
  const rank = ({ gainShare }: Ranked) => (gainShare === null ? 0 : gainShare >= LEAST_GAIN_SHARE ? gainShare : -1);
  return all.map((warning, index) => ({ warning, index, gainShare: gainOf(warning) })).sort((a, b) => rank(b) - rank(a));
}

/** As for advice. */
const LEAST_GAIN_SHARE = 0.01;
/** Lines beyond these are counted. */
const MOST_LINES = 4;

function card(view: View, warning: Warning, index: number, gainShare: number | null): HTMLElement {
  const { title, message, advice, lines, share, spans } = warning;
  const chosen = view.state.warning === index;
  const show = link(title, 'Shows where on the rows', () => toggle(view, warning, index));
  show.setAttribute('aria-pressed', String(chosen));
  const zoom =
    spans.startNs.length === 0
      ? null
      : link('Zoom', 'Shows all of it', () => showSpan(view, { startNs: spans.startNs[0], endNs: spans.endNs[spans.endNs.length - 1] }));
  const gain =
    gainShare === null ? null : element('b', { title: 'Of the whole time, when it was tried: see Advice' }, `−${percentText(gainShare)}`);
  const where = element('span.where', {}, `${percentText(share)} of the body `);
  const shown = lines
    .slice(0, MOST_LINES)
    .filter(hasSource)
    .map(line => place(view, line));
  const more = lines.length > MOST_LINES ? element('span.where', {}, `and ${plural(lines.length - MOST_LINES, 'line')} more`) : null;
  const head = element('div.cardHead', {}, gain, show, ...shown, more, where, zoom);
  return element(chosen ? 'li.warning.chosen' : 'li.warning', {}, head, element('p', {}, message), element('p.advice', {}, advice));
}

function toggle(view: View, { title, events, rule }: Warning, index: number) {
  const on = view.state.warning !== index;
  view.store.update({ warning: on ? index : null, marked: null });
  // a gap's event is what came after it, not what is wrong
  if (on && rule !== 'gap' && events.length > 0)
    markEvents(view, { ids: Uint32Array.from(events), label: `${plural(events.length, 'event')}: ${title}` }, false);
}
