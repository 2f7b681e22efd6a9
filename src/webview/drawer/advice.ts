/** What to change: how good the kernel could be, and advice that was tried in the model, the largest gain first. */
import { percentText, timeText } from '../../simulator/analyze/format';
import { askAdvice, stopExperiment } from '../actions/experiments';
import { markLines } from '../actions/searching';
import { element } from '../dom/element';
import { plural } from '../math/units';
import { link, place } from '../panels/links';
import type { Advice, AdviceReport } from '../protocol/experiments';
import type { View } from '../view/view';
import { answered, waiting } from './answered';
import { ladder } from './ladder';
import type { Tab } from './tab';

/** Lines of one advice beyond these are counted. */
const MOST_LINES = 6;

export function adviceTab(): Tab {
  const progress = waiting('advise');
  return {
    id: 'advice',
    title: 'Advice',
    about: 'What to change, each change tried in the model (4)',
    count: ({ state: { experiments } }) => (experiments.advice.is === 'answered' ? experiments.advice.answer.advice.length : null),
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
        report => content(view, report),
      ),
    move: ({ state }) => progress.move(state.experimentShares),
  };
}

function content(view: View, { headline, ladder: rungs, advice, rejected }: AdviceReport): Node[] {
  const list = element('ol.adviceList', { 'aria-label': 'Advice, the largest gain first' }, ...advice.map(one => adviceItem(view, one)));
  const found = advice.length > 0 ? list : element('p.hint', {}, 'Nothing that was tried gains 1 % or more of the time.');
  const columns = element(
    'div.adviceColumns',
    {},
    element('div', {}, found, rejected.length > 0 ? folded(view, rejected) : null),
    ladder(rungs),
  );
  return [element('p.sentence', {}, headline.sentence), columns];
}

function adviceItem(view: View, advice: Advice): HTMLElement {
  const { title, reason, sketch, tried, gainNs, gainShare, lines, ways } = advice;
  const show = link(title, 'Marks what these lines ask for', () => markLines(view, lines, false));
  const alone = (ns: number) => (lines.length > 1 ? element('span.where', {}, `${timeText(Math.max(0, ns))} alone`) : null);
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
      element('dl', {}, ...said('why', reason), ...said('how', sketch), ...said('ways', waysText(ways)), ...said('tried', tried)),
    ),
  );
}

/** Empty where there is one way only. */
const waysText = (ways: Advice['ways']) =>
  ways.length > 1 ? ways.map(({ name, gainShare }) => `−${percentText(gainShare)} ${name}`).join('; ') : '';

const said = (term: string, text: string) => (text === '' ? [] : [element('dt', {}, term), element('dd', {}, text)]);

/** So that nobody tries it again. */
function folded(view: View, rejected: readonly Advice[]): HTMLElement {
  const rows = rejected.map(({ title, tried, gainShare, lines: [first] }) =>
    element('li', {}, `${title}, ${percentText(gainShare)} `, place(view, first), element('span.where', {}, ` ${tried}`)),
  );
  const summary = element('summary', {}, `Tried, and less than 1 %: ${plural(rejected.length, 'change')}`);
  return element('details.rejected', {}, summary, element('ul', {}, ...rows));
}
