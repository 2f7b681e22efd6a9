/**
 * What the view knows of one profile: the profile, its lanes, its analyses, and small answers about single events.
 * Made once when a profile arrives; immutable. No view state, no DOM.
 */

import { collectiveOf } from '../../simulator/analyze/collectives';
import { eventCount, eventValue, instructionRows, isTransfer, transferRow } from '../../simulator/analyze/eventAccess';
import { groupedChecks } from '../../simulator/analyze/groupedChecks';
import { LAYER_SEPARATOR } from '../../simulator/analyze/layers';
import { framePosition } from '../../simulator/analyze/places';
import type { TrackLanes } from '../../simulator/profile/lanes';
import { rowValue } from '../../simulator/profile/onDemand';
import type { Profile, ProfileDmaSlices } from '../../simulator/profile/profile';
import type { TimeSpan } from '../math/timeSpan';
import type { SourcePosition } from '../protocol/messages';
import { type Analysis, analysis } from './analysis';
import { CompactProfile } from './compactProfile';
import { releaseLater } from './releasing';
import { lanesOfTracks } from './sharedLanes';

export interface Model {
  profile: Profile;
  /** The profile's memory. */
  held: CompactProfile;
  tracks: TrackLanes[];
  analysis: Analysis;
  events: number;
  limits: TimeSpan;
  /** The kernel's body with some air: what one sees first. */
  bodySpan: TimeSpan;
  /** Its busy intervals of DMA engines are still to come (`completed`). */
  lacksSlices?: true;
  /** Of a system profile: with a row for each thread and core. */
  ungrouped?: Profile;
}

export function buildModel(source: Profile): Model {
  const held = new CompactProfile(source, () => releaseLater(held));
  const { profile } = held;
  const limits = { startNs: 0, endNs: Math.max(profile.totalTimeNs, 1) };
  return {
    profile,
    held,
    tracks: lanesOfTracks(held),
    analysis: analysis(profile),
    events: eventCount(profile),
    limits,
    bodySpan: bodySpan(profile, limits),
  };
}

/** The model with the busy intervals of DMA engines, which came later than the rest. Rows stay; everything else is worked out anew. */
export function completed(model: Model, slices: ProfileDmaSlices): Model {
  model.held.complete(slices);
  const { lacksSlices: _, ...rest } = model;
  const { profile } = model.held;
  return { ...rest, profile, analysis: analysis(profile, model.analysis) };
}

/** Before its first event, and behind its last. */
const BODY_AIR = 0.02;

function bodySpan({ bodyStartNs, bodyEndNs }: Profile, limits: TimeSpan): TimeSpan {
  if (!(bodyEndNs > bodyStartNs)) return limits;
  const airNs = (bodyEndNs - bodyStartNs) * BODY_AIR;
  return { startNs: Math.max(limits.startNs, bodyStartNs - airNs), endNs: Math.min(limits.endNs, bodyEndNs + airNs) };
}

export function eventSpan({ profile }: Model, id: number): TimeSpan {
  return { startNs: eventValue(profile, id, 'startNs'), endNs: eventValue(profile, id, 'endNs') };
}

/** The line the event is written on (its innermost frame). */
export function eventPosition({ profile }: Model, id: number): SourcePosition {
  return framePosition(profile, eventValue(profile, id, 'frame'));
}

/** What a bar says: the opcode, the tensor that a DMA moves, or the collective. */
export function eventLabel({ profile }: Model, id: number): string {
  const collective = collectiveOf(profile, id);
  if (collective) return collective.name;
  return isTransfer(profile, id)
    ? profile.strings[rowValue(profile.transfers, 'variable', transferRow(profile, id))]
    : profile.opcodes[rowValue(profile.instructions, 'opcode', id)];
}

/** The last part of the path of a span's layer. */
export function layerLabel({ analysis }: Model, span: number): string {
  const { name, names } = analysis.layerSpans();
  return names[name[span]].slice(names[name[span]].lastIndexOf(LAYER_SEPARATOR) + 1);
}

export const blockerOf = ({ profile }: Model, id: number) => eventValue(profile, id, 'blocker');

/** The events that waited for `id`, in order of start. A scan: asked for by a key, not by a frame. */
export function blockedBy({ profile, events }: Model, id: number): number[] {
  const found: number[] = [];
  const rows = instructionRows(profile);
  for (let event = 0; event < events; event++) {
    const blocker = event < rows ? profile.instructions.blocker[event] : profile.transfers.blocker[event - rows];
    if (blocker === id) found.push(event);
  }
  return found.sort((a, b) => eventValue(profile, a, 'startNs') - eventValue(profile, b, 'startNs'));
}

/** All that the tab of warnings has: those of the model, checks, and errors of a recorded run. */
export const warningCount = ({ profile, analysis: { warnings } }: Model) =>
  warnings().length + groupedChecks(profile.checks).length + (profile.recorded?.errors?.length ?? 0);
