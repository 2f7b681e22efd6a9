/** Colours of layers down to a depth: in the order in which they are first entered, so that neighbours differ. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import { layerAtDepth } from '../../simulator/analyze/layers';
import type { Profile } from '../../simulator/profile/profile';
import { SERIES } from '../render/theme';

/** The series of events, without a legend: a row of layers says their names. */
interface LayerSeries {
  seriesOf(event: number): number;
  legend: never[];
}

/** Of what lies in no layer: the last one, which no layer has. */
const OUTSIDE = SERIES - 1;

/** Of each frame, the number of its layer down to the depth, and their names; those in no layer have the last number. */
export function layerGroups({ layers }: Pick<Profile, 'layers'>, depth: number): { ofFrame: (frame: number) => number; names: string[] } {
  const { paths, ofFrame } = layers ?? { paths: [], ofFrame: [] };
  const names = [...new Set(paths.map(path => layerAtDepth(path, depth)))];
  const ofPath = paths.map(path => names.indexOf(layerAtDepth(path, depth)));
  return { ofFrame: frame => (ofFrame[frame] >= 0 ? ofPath[ofFrame[frame]] : names.length), names };
}

export const layerSeries = (group: number, groups: number) => (group >= groups ? OUTSIDE : group % OUTSIDE);

const known = new WeakMap<Profile, LayerSeries[]>();

/** Of a row of layers of this depth. */
export function layerColouring(profile: Profile, depth: number): LayerSeries {
  const made = known.get(profile) ?? [];
  known.set(profile, made);
  made[depth] ??= coloured(profile, depth);
  return made[depth];
}

function coloured(profile: Profile, depth: number): LayerSeries {
  const { ofFrame, names } = layerGroups(profile, depth);
  return { seriesOf: event => layerSeries(ofFrame(eventValue(profile, event, 'frame')), names.length), legend: [] };
}
