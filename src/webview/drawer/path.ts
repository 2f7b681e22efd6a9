/** The critical path to be read: what repeats folded, its shares, and the path that is left when the hottest line is mended. */
import type { PathPart } from '../../simulator/analyze/bounds';
import type { PathStep, ShownPiece } from '../../simulator/analyze/foldedPath';
import { percentText, timeText } from '../../simulator/analyze/format';
import { type PathReport, slackSummary } from '../../simulator/analyze/pathReport';
import { stallShort } from '../../simulator/analyze/stallText';
import { modelledChangeText } from '../../simulator/analyze/tellsApart';
import type { StallReason } from '../../simulator/profile/profile';
import { showPart } from '../actions/lineParts';
import { linesOrigin } from '../actions/origins';
import { markEvents, markLines } from '../actions/searching';
import { hasSource } from '../data/describe';
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import { countText, plural } from '../math/units';
import { link, place } from '../panels/links';
import { sentence } from '../panels/sentence';
import type { View } from '../view/view';
import { section } from './statistics';
import type { Tab } from './tab';

export const pathTab = (): Tab => ({
  id: 'path',
  title: 'Path',
  about: 'The critical path: the events that decide the time, with what repeats folded',
  content(view) {
    const { analysis, profile } = view.model!;
    const report = analysis.path();
    const events = analysis.pathEvents();
    const mark = () => markEvents(view, { ids: events, label: `${plural(events.length, 'event')} on the critical path` }, false);
    const { without, events: all } = slackSummary(profile);
    const slack = link(`${countText(without)} of ${plural(all, 'event')}`, 'Colours the events by their slack', () =>
      view.store.update({ colourBy: 'slack' }),
    );
    return [
      element(
        'header',
        {},
        textButton('Mark on the timeline', mark),
        textButton('Colour by slack', () => view.store.update({ colourBy: 'slack' })),
        element('span.hint', {}, slack, ' have no slack: each delay of one delays the kernel.'),
      ),
      element(
        'ol.path',
        { 'aria-label': 'Steps of the critical path' },
        ...report.pieces.map(piece => pieceItem(view, piece, report.bodyNs)),
      ),
      element('div.blocks', {}, shares('Runs', 'run', report), shares('Waits', 'wait', report), lines(view, report), next(view)),
    ];
  },
});

function pieceItem(view: View, piece: ShownPiece, bodyNs: number): HTMLElement {
  const share = element('span.share', { title: timeText(piece.ns) }, percentText(piece.ns / bodyNs));
  if ('steps' in piece) return element('li', {}, share, element('span.where', {}, plural(piece.steps, 'other step')));
  if (!('times' in piece)) return element('li', {}, share, ...step(view, piece));
  const { times, pieces } = piece;
  const [first] = pieces;
  if (pieces.length === 1 && !('times' in first) && !('steps' in first))
    return element('li', {}, share, element('b', {}, `${times} ×`), ...step(view, first));
  const inner = element('ol', {}, ...pieces.map(one => pieceItem(view, one, bodyNs)));
  return element('li', {}, share, element('b', {}, `${times} ×`), inner);
}

function step(view: View, { name, file, line, ns, waitsNs }: PathStep): Node[] {
  const position = { file, line };
  const show = hasSource(position) ? link(name, 'Marks what this line asks for', () => markLines(view, [position], false)) : name;
  const waits = Object.entries(waitsNs).map(([reason, waitNs]) => `${stallShort(reason as StallReason)} ${timeText(waitNs)}`);
  const text = waits.length > 0 ? `${timeText(ns)}, of which waiting: ${waits.join(', ')}` : timeText(ns);
  const named = typeof show === 'string' ? element('span', {}, show) : show;
  return [named, ...(hasSource(position) ? [place(view, position)] : []), element('span.where', {}, text)];
}

function shares(title: string, kind: PathPart['kind'], { parts }: PathReport): HTMLElement | null {
  const own = parts.filter(part => part.kind === kind && part.ns > 0);
  if (own.length === 0) return null;
  const rows = own.map(({ name, share, ns }) => element('li', {}, element('span.share', {}, percentText(share)), `${name} `, where(ns)));
  return section(title, element('ul.path', {}, ...rows));
}

const where = (ns: number) => element('span.where', {}, timeText(ns));

/** Lines beyond these are in the tab Lines. */
const MOST_LINES = 8;

function lines(view: View, { lines: all }: PathReport): HTMLElement | null {
  if (all.length === 0) return null;
  const rows = all.slice(0, MOST_LINES).map(line => {
    const source = element('code', {}, line.text);
    return element('li', {}, element('span.share', {}, percentText(line.share)), place(view, line), source);
  });
  return section('Lines', element('ul.path', {}, ...rows));
}

/** Comes with the advice: the model has to time the kernel again. */
function next(view: View): HTMLElement | null {
  const { advice } = view.state.experiments;
  if (advice.is !== 'answered' || advice.answer.next === null) return null;
  const { mended, text, timeNs, deltaShare } = advice.answer.next;
  const when = element(
    'p',
    {},
    'When ',
    place(view, mended),
    ' is free: ',
    link(`${timeText(timeNs)} (${modelledChangeText(deltaShare)})`, 'Shows the experiment', () =>
      showPart(view, mended, { part: 'whatIf', savedShare: 1 }),
    ),
    '. The path is then',
  );
  return section('The next path', when, element('p.next', {}, ...sentence(view, text, linesOrigin([mended]), mended.file)));
}
