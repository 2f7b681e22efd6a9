/**
 * What is worth looking at: what was tried first, by what it gained in the model, then what covers most of the time. The one pressed is
 * shown as bands over the rows, and its events are marked.
 */
import { percentText } from '../../simulator/analyze/format';
import { type GroupedCheck, groupedChecks } from '../../simulator/analyze/groupedChecks';
import type { Position } from '../../simulator/analyze/places';
import { TRIED_BY, type Warning } from '../../simulator/analyze/warnings';
import type { Check } from '../../simulator/profile/profile';
import { showMoment, showSpan } from '../actions/navigation';
import { eventsOrigin, linesOrigin, type NumberOrigin } from '../actions/origins';
import { goTo } from '../actions/selection';
import { hideWarning, showWarning } from '../actions/warnings';
import { hasSource } from '../data/describe';
import { checkbox } from '../dom/components';
import { element } from '../dom/element';
import { instantText, plural } from '../math/units';
import { link, place } from '../panels/links';
import { sentence } from '../panels/sentence';
import type { View } from '../view/view';
import type { Tab } from './tab';

export const warningsTab = (): Tab => ({
  id: 'warnings',
  title: 'Warnings',
  about: 'What costs time, tied to its lines',
  count: view => view.state.warningCount,
  content(view) {
    const all = view.model!.analysis.warnings();
    const checks = groupedChecks(view.model!.profile.checks).map(group => checkItem(view, group));
    const errors = (view.model!.profile.recorded?.errors ?? []).map(({ timeNs, type, description }) =>
      element(
        'li.warning',
        {},
        element('b', {}, `error ${type}`),
        ` ${description} `,
        link(instantText(timeNs), 'Shows when', () => showMoment(view, timeNs)),
      ),
    );
    if (all.length + checks.length + errors.length === 0) return [element('p.hint', {}, 'Nothing stands out.')];
    const bands = checkbox('Bands over the rows', view.state.warningBands, on => view.store.update({ warningBands: on }));
    return [
      element('header', {}, element('h2', {}, plural(errors.length + checks.length + all.length, 'warning')), bands),
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

/** What was found in the code or in its values. */
function checkItem(view: View, { check, alsoLines }: GroupedCheck): HTMLElement {
  const { severity, message, file } = check;
  if (!hasSource(check)) return element('li.warning', {}, element('b', {}, severity), ` ${message}`);
  const said = sentence(view, message, checkOrigin(view, check), check.file);
  const lines = [check.line, ...alsoLines].map(line => ({ file, line }));
  return element('li.warning', {}, element('b', {}, severity), ' ', ...said, ' ', ...placesOf(view, lines));
}

/** Links to the first lines, and how many more there are. */
function placesOf(view: View, lines: readonly Position[]): (HTMLElement | null | string)[] {
  const shown = lines
    .slice(0, MOST_LINES)
    .filter(hasSource)
    .flatMap(line => [place(view, line), ' ']);
  const more = lines.length > MOST_LINES ? element('span.where', {}, `and ${plural(lines.length - MOST_LINES, 'line')} more`) : null;
  return [...shown, more];
}

/** The event at which it is shown on the rows; else its line. */
function checkOrigin({ model }: View, check: Check): NumberOrigin {
  const found = model!.analysis.findings().find(({ message }) => message === check.message);
  return found ? { about: 'Selects the instruction', open: view => goTo(view, found.event) } : linesOrigin([check]);
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
  const show = link(title, 'Shows where on the rows', () => (view.state.warning === index ? hideWarning(view) : showWarning(view, index)));
  show.setAttribute('aria-pressed', String(chosen));
  const zoom =
    spans.startNs.length === 0
      ? null
      : link('Zoom', 'Shows all of it', () => showSpan(view, { startNs: spans.startNs[0], endNs: spans.endNs[spans.endNs.length - 1] }));
  const gain =
    gainShare === null ? null : element('b', { title: 'Of the whole time, when it was tried: see Advice' }, `−${percentText(gainShare)}`);
  const where = element('span.where', {}, `${percentText(share)} of the body `);
  const origin = warning.events.length > 0 ? eventsOrigin(warning.events, title) : linesOrigin(lines);
  const head = element('div.cardHead', {}, gain, show, ...placesOf(view, lines), where, zoom);
  return element(
    chosen ? 'li.warning.chosen' : 'li.warning',
    {},
    head,
    element('p', {}, ...sentence(view, message, origin, warning.position?.file)),
    element('p.advice', {}, ...sentence(view, advice, origin, warning.position?.file)),
  );
}
