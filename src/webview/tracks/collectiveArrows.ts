/**
 * Arrows between the ranks of a collective: of one from rank to rank, from the sender's start to the receiver's end; of the others from the
 * rank that came last to those that waited for it. Pure.
 */
import { eventValue, instructionRows } from '../../simulator/analyze/eventAccess';
import { arrivalNs } from '../../simulator/analyze/straggler';
import { placeOf } from '../../simulator/profile/lanes';
import type { RankCollective } from '../../simulator/profile/profile';
import type { Viewport } from '../../simulator/profile/windowMarks';
import { collectivePart } from '../data/collectiveParts';
import type { Stack, StackedProfile } from '../data/stack';
import { timeToPx } from '../math/timeSpan';
import type { Arrow } from '../render/arrows';
import type { Box } from '../render/shapes';
import { barPx, type Layout, laneTopPx } from './layout';

/** Arrows beyond these say nothing any more. */
const MOST_ARROWS = 128;
/** Far outside the view a canvas loses precision: boxes are cut a little beyond the edges. */
const BEYOND_PX = 1000;

export interface ArrowInput {
  layout: Layout;
  scrollTop: number;
  widthPx: number;
  viewportOf(profile: number): Viewport;
}

interface Part {
  rank: number;
  own: RankCollective;
  arrivalNs: number;
  /** Without width: where it starts, and where it ends. */
  start: Box;
  end: Box;
}

export function collectiveArrows(stack: Stack, number: number, input: ArrowInput): Arrow[] {
  const parts = stack.flatMap(profile => partOf(profile, number, input) ?? []);
  if (parts.length < 2) return [];
  const arrows = parts.some(({ own }) => own.sendsTo) ? messages(parts) : waits(parts);
  return arrows.slice(0, MOST_ARROWS);
}

function messages(parts: readonly Part[]): Arrow[] {
  const byRank = new Map(parts.map(part => [part.rank, part]));
  return parts.flatMap(({ own, start }) =>
    (own.sendsTo ?? []).flatMap(to => {
      const receiver = byRank.get(to);
      return receiver ? [{ from: start, to: receiver.end, kind: 'after' as const }] : [];
    }),
  );
}

function waits(parts: readonly Part[]): Arrow[] {
  const last = parts.reduce((a, b) => (b.arrivalNs > a.arrivalNs ? b : a));
  const waiting = parts.filter(({ arrivalNs }) => arrivalNs < last.arrivalNs);
  return waiting.map(({ start }) => ({ from: last.start, to: start, kind: 'blocker' as const }));
}

/** Null where it takes no part, or its row is hidden. */
function partOf({ number: profile, model }: StackedProfile, collective: number, input: ArrowInput): Part | null {
  const own = collectivePart(model.profile, collective);
  if (!own) return null;
  const event = instructionRows(model.profile) + own.transfer;
  const place = placeOf(model.tracks, model.profile, event);
  const row = place && input.layout.rows.find(each => each.profile === profile && each.track === place.track);
  if (!row) return null;
  const viewport = input.viewportOf(profile);
  const boxAt = (time: 'startNs' | 'endNs'): Box => {
    const xPx = timeToPx(eventValue(model.profile, event, time), viewport, input.widthPx);
    const cutPx = Math.max(-BEYOND_PX, Math.min(input.widthPx + BEYOND_PX, xPx));
    return { xPx: cutPx, yPx: laneTopPx(row, place.lane, input.scrollTop), widthPx: 0, heightPx: barPx(row) };
  };
  return {
    rank: model.profile.rank!.rank,
    own,
    arrivalNs: arrivalNs(model.profile, own.transfer),
    start: boxAt('startNs'),
    end: boxAt('endNs'),
  };
}
