/** What to change: how good the kernel could be, and advice that was tried in the model, the largest gain first. */
import { percentText, signedPercentText, timeText } from '../../simulator/analyze/format';
import { valuesText } from '../../simulator/analyze/valuesText';
import type { Rerun } from '../../simulator/profile/profile';
import { askAdvice, askAdviceByRuns, stopExperiment } from '../actions/experiments';
import { linesOrigin, tabOrigin } from '../actions/origins';
import { markLines } from '../actions/searching';
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import { plural } from '../math/units';
import { link, place } from '../panels/links';
import { sentence } from '../panels/sentence';
import type { Advice, AdviceReport } from '../protocol/experiments';
import type { ExperimentsState } from '../state/experimentsState';
import type { View } from '../view/view';
import { answered, waiting } from './answered';
import { ladder } from './ladder';
import type { Tab } from './tab';

/** Lines of one advice beyond these are counted. */
const MOST_LINES = 6;

export function adviceTab(): Tab {
  const progress = waiting('advise');
  const moreRuns = waiting('adviseByRuns');
  return {
    id: 'advice',
    title: 'Advice',
    about: 'What to change, each change tried in the model (4)',
    count: ({ state: { experiments } }) => reportOf(experiments)?.advice.length ?? null,
    content: view =>
      answered(
        view,
        view.state.experiments.advice,
        progress,
        {
          doing: 'Trying changes in the model',
          cancel: () => stopExperiment(view, 'advise'),
          again: () => void askAdvice(view),
        },
        report => content(view, reportOf(view.state.experiments) ?? report, moreRuns.bar),
      ),
    move: ({ state }) => progress.move(state.experimentShares),
  };
}

/** The newest: what other runs have added stands among the rest. */
const reportOf = ({ advice, byRuns }: ExperimentsState): AdviceReport | undefined =>
  byRuns.is === 'answered' ? byRuns.answer : advice.is === 'answered' ? advice.answer : undefined;

/** What takes other runs of the kernel is tried when it is asked for. */
function otherRuns(view: View, bar: HTMLElement): HTMLElement | null {
  const { canRunAgain, experiments } = view.state;
  const { byRuns } = experiments;
  if (!canRunAgain) return runsElsewhere(view.model?.profile.rerun);
  if (byRuns.is === 'answered') return null;
  const ask = textButton('Try tile sizes and dtypes', () => void askAdviceByRuns(view));
  const about =
    'Runs the kernel again: with half and twice of the whole numbers of its file, and with matmul operands rounded where a narrower dtype is advised.';
  if (byRuns.is === 'unasked') return element('p.otherRuns', {}, ask, element('span.hint', {}, about));
  if (byRuns.is === 'refused') return element('div.otherRuns', {}, element('p.warned', {}, byRuns.reason), ask);
  const cancel = textButton('Cancel', () => stopExperiment(view, 'adviseByRuns'));
  return element('p.otherRuns', {}, bar, element('span.hint', {}, 'Running the kernel with other tile sizes and dtypes'), cancel);
}

/** The page of `view` and of a report runs no kernel: the command that does. */
function runsElsewhere(rerun: Rerun | undefined): HTMLElement | null {
  if (!rerun) return null;
  const { file, kernel, args, inputs } = rerun.request;
  const quoted = (text: unknown) => (/^[\w./:\\-]+$/.test(String(text)) ? String(text) : JSON.stringify(text));
  const command = ['nki-scope advise', quoted(file), ...(kernel ? ['--kernel', quoted(kernel)] : []), '--constants'].join(' ');
  const isGiven = Object.keys({ ...(args ?? {}), ...(inputs ?? {}) }).length > 0;
  return element(
    'p.otherRuns',
    {},
    element('span.hint', {}, 'Other tile sizes and dtypes take runs of the kernel, which this page does not start. In a terminal: '),
    element('code', {}, command),
    element('span.hint', {}, isGiven ? ' and the same --arg and --input as before.' : ''),
  );
}

function content(view: View, { headline, ladder: rungs, advice, rejected, noAdvice }: AdviceReport, bar: HTMLElement): Node[] {
  const list = element('ol.adviceList', { 'aria-label': 'Advice, the largest gain first' }, ...advice.map(one => adviceItem(view, one)));
  const found = advice.length > 0 ? list : element('p.hint', {}, noAdvice ?? 'Nothing that was tried gains 1 % or more of the time.');
  const columns = element(
    'div.adviceColumns',
    {},
    element('div', {}, found, rejected.length > 0 ? folded(view, rejected) : null, noAdvice ? null : otherRuns(view, bar)),
    ladder(view, rungs),
  );
  return [element('p.sentence', {}, ...sentence(view, headline.sentence, tabOrigin('path', 'Shows the critical path'))), columns];
}

function adviceItem(view: View, advice: Advice): HTMLElement {
  const { title, reason, sketch, tried, gainNs, gainShare, lines, ways, values } = advice;
  const show = link(title, 'Marks what these lines ask for', () => markLines(view, lines, false));
  const alone = (ns: number) => (lines.length > 1 ? element('span.where', {}, `${timeText(Math.max(0, ns))} alone`) : null);
  const said = (term: string, what: readonly (string | Node)[]) =>
    what.length === 0 ? [] : [element('dt', {}, term), element('dd', {}, ...what)];
  // but for "how", which is code: its numbers are not results
  const linked = (text: string) => sentence(view, text, linesOrigin(lines), advice.file);
  const shown = lines.slice(0, MOST_LINES).flatMap(line => [place(view, line), alone(line.gainNs)]);
  const more = lines.length > MOST_LINES ? element('span.where', {}, `and ${plural(lines.length - MOST_LINES, 'line')} more`) : null;
  return element(
    'li.adviceItem',
    {},
    element(
      'div.gain',
      { title: `${timeText(gainNs)} of the whole profile` },
      element('b', {}, `−${percentText(gainShare)}`),
      element('span', {}, timeText(gainNs)),
    ),
    element(
      'div.what',
      {},
      element('div.cardHead', {}, show, ...shown, more),
      element(
        'dl',
        {},
        ...said('why', linked(reason)),
        ...said('how', [sketch]),
        ...said('ways', linked(waysText(ways))),
        ...said('values', linked(values ? valuesText(values) : '')),
        ...said('tried', linked(tried)),
      ),
    ),
  );
}

/** Empty where there is one way only. */
const waysText = (ways: Advice['ways']) =>
  ways.length > 1 ? ways.map(({ name, gainShare }) => `${name}: ${signedPercentText(-gainShare)}`).join('; ') : '';

/** So that nobody tries it again. */
function folded(view: View, rejected: readonly Advice[]): HTMLElement {
  const rows = rejected.map(({ title, tried, gainShare, refused, values, lines: [first] }) =>
    element(
      'li',
      {},
      `${title}, ${refused ? `not possible: ${refused}` : percentText(gainShare)}${values && !values.allow ? `, but ${valuesText(values)}` : ''} `,
      place(view, first),
      element('span.where', {}, ` ${tried}`),
    ),
  );
  const summary = element('summary', {}, `Tried, and of no use: ${plural(rejected.length, 'change')}`);
  return element('details.rejected', {}, summary, element('ul', {}, ...rows));
}
