/** The single DMA engines as rows: each busy stretch of an engine is drawn as the transfer it belongs to. */
import { instructionRows } from '../../simulator/analyze/eventAccess';
import type { Lane, TrackLanes } from '../../simulator/profile/lanes';
import type { Profile } from '../../simulator/profile/profile';
import { buildPyramid } from '../../simulator/profile/pyramid';

/** `track` is the number of the DMA engine. */
export function dmaEngineLanes(profile: Profile): TrackLanes[] {
  const { engine } = profile.dmaSlices;
  const rows: number[][] = [];
  for (let i = 0; i < engine.length; i++) {
    rows[engine[i]] ??= [];
    rows[engine[i]].push(i);
  }
  return rows.flatMap((slices, track) => ({
    track,
    events: slices.length,
    lanes: stack(profile, slices).map(lane => fill(profile, lane)),
  }));
}

/** First fit, as for tracks: slices come in order of start. */
function stack({ dmaSlices: { startNs, endNs } }: Profile, slices: readonly number[]): number[][] {
  const lanes: number[][] = [];
  for (const slice of slices) {
    const free = lanes.find(lane => endNs[lane[lane.length - 1]] <= startNs[slice]);
    if (free) free.push(slice);
    else lanes.push([slice]);
  }
  return lanes;
}

function fill(profile: Profile, slices: readonly number[]): Lane {
  const { dmaSlices } = profile;
  const first = instructionRows(profile);
  const startNs = Float64Array.from(slices, i => dmaSlices.startNs[i]);
  const endNs = Float64Array.from(slices, i => dmaSlices.endNs[i]);
  const busyBeforeNs = new Float64Array(slices.length + 1);
  for (let i = 0; i < slices.length; i++) busyBeforeNs[i + 1] = busyBeforeNs[i] + endNs[i] - startNs[i];
  return {
    ids: Uint32Array.from(slices, i => first + dmaSlices.transfer[i]),
    startNs,
    endNs,
    leadNs: new Float32Array(slices.length),
    busyBeforeNs,
    longest: buildPyramid(startNs, endNs),
  };
}
