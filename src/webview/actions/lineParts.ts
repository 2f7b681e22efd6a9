/** Shows what a number came from that the editor has beside a line: some of the line's events, a warning, an experiment. */
import { eventCount, eventValue, isTransfer } from '../../simulator/analyze/eventAccess';
import { framePosition } from '../../simulator/analyze/places';
import { stallShort } from '../../simulator/analyze/stallText';
import { STALL_REASONS, type StallReason } from '../../simulator/profile/profile';
import type { Model } from '../data/model';
import { plural } from '../math/units';
import type { LinePart, SourcePosition } from '../protocol/messages';
import type { View } from '../view/view';
import { tabOrigin } from './origins';
import { onlyWish } from './ownExperiment';
import { markEvents } from './searching';
import { showWarning } from './warnings';

const EXPERIMENT = tabOrigin('whatIf', 'Shows the experiment', 'Your own experiment');

export function showPart(view: View, position: SourcePosition, of: LinePart): void {
  const { model } = view;
  if (!model) return;
  if (of.part === 'whatIf') {
    EXPERIMENT.open(view);
    void onlyWish(view, { line: position }, of.savedShare);
  } else if (of.part === 'warning') {
    const index = model.analysis.warnings().findIndex(({ rule, title }) => rule === of.rule && title === of.title);
    view.store.update({ tab: 'warnings', detailsOpen: true });
    if (index >= 0) showWarning(view, index);
  } else {
    const ids = eventsOfPart(model, position, of);
    const where = `${position.file.split(/[\\/]/).pop()}:${position.line}`;
    markEvents(view, { ids, label: `${plural(ids.length, NOUNS[of.part])} of ${where}${rest(of)}` }, ids.length > 0);
  }
}

type EventPart = Exclude<LinePart, { part: 'whatIf' | 'warning' }>;

const NOUNS: Readonly<Record<EventPart['part'], string>> = {
  path: 'event',
  instructions: 'instruction',
  transfers: 'DMA transfer',
  engine: 'event',
  waits: 'event',
};

function rest(of: EventPart): string {
  if (of.part === 'path') return ' on the critical path';
  if (of.part === 'engine') return ` on ${of.name}`;
  return of.part === 'waits' ? ` that waited: ${stallShort(of.reason as StallReason) || of.reason}` : '';
}

/** In order of start. */
export function eventsOfPart({ analysis, profile }: Model, { file, line }: SourcePosition, of: EventPart): Uint32Array {
  const isOfLine = Uint8Array.from(profile.frames.line, (_, frame) => {
    const place = framePosition(profile, frame);
    return Number(place.line === line && place.file === file);
  });
  const isPart = partTest(profile, of);
  const candidates = of.part === 'path' ? analysis.pathEvents() : Uint32Array.from({ length: eventCount(profile) }, (_, event) => event);
  return candidates
    .filter(event => isOfLine[eventValue(profile, event, 'frame')] === 1 && isPart(event))
    .sort((a, b) => eventValue(profile, a, 'startNs') - eventValue(profile, b, 'startNs'));
}

function partTest(profile: Model['profile'], of: EventPart): (event: number) => boolean {
  if (of.part === 'path') return () => true;
  if (of.part === 'waits') {
    const reason = STALL_REASONS.indexOf(of.reason as StallReason);
    return event => eventValue(profile, event, 'stall') === reason;
  }
  if (of.part === 'transfers' || (of.part === 'engine' && of.name === 'DMA')) return event => isTransfer(profile, event);
  if (of.part === 'engine') return event => profile.tracks[eventValue(profile, event, 'track')].name === of.name;
  return event => !isTransfer(profile, event);
}
