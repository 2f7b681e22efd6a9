/**
 * When each layer was entered: a span for each visit, from the start of its first event to the end of its last. Events are one visit while
 * they follow one another in the program (in a capture: in time); visits may overlap, as engines work side by side.
 */
import { ColumnBuilder } from '../columns/builder';
import { orderOf } from '../columns/order';
import type { Profile } from '../profile/profile';
import { eventCount, eventValue } from './eventAccess';
import { layerAtDepth, layerDepth } from './layers';

/** Columns. */
export interface LayerSpans {
  /** From 1. */
  depth: Uint8Array;
  /** Index in `names`. */
  name: Uint32Array;
  startNs: Float64Array;
  endNs: Float64Array;
  /** EventId of its first event. */
  event: Uint32Array;
  /** Paths down to a depth, each once. */
  names: string[];
}

/** Deeper layers have no spans of their own. */
export const MOST_LAYER_DEPTH = 6;

export function layerSpans(p: Profile): LayerSpans {
  const names = new Map<string, number>();
  const made = {
    depth: new ColumnBuilder(Uint8Array),
    name: new ColumnBuilder(Uint32Array),
    startNs: new ColumnBuilder(Float64Array),
    endNs: new ColumnBuilder(Float64Array),
    event: new ColumnBuilder(Uint32Array),
  };
  const { paths, ofFrame } = p.layers ?? { paths: [], ofFrame: [] };
  const deepest = Math.min(MOST_LAYER_DEPTH, layerDepth(p));
  // most profiles have no layers: then nothing is sorted
  const order = deepest > 0 ? programOrder(p) : new Uint32Array(0);
  for (let depth = 1; depth <= deepest; depth++) {
    const ofPath = paths.map(path => (path.split('/').length < depth ? -1 : numberOf(names, layerAtDepth(path, depth))));
    let open = -1;
    let span = { startNs: 0, endNs: 0, event: 0 };
    const close = () => {
      if (open < 0) return;
      made.depth.push(depth);
      made.name.push(open);
      made.startNs.push(span.startNs);
      made.endNs.push(span.endNs);
      made.event.push(span.event);
    };
    for (const event of order) {
      const layer = ofFrame[eventValue(p, event, 'frame')] ?? -1;
      const name = layer < 0 ? -1 : ofPath[layer];
      const [startNs, endNs] = [eventValue(p, event, 'startNs'), eventValue(p, event, 'endNs')];
      if (name !== open) {
        close();
        open = name;
        span = { startNs, endNs, event };
        continue;
      }
      if (startNs < span.startNs) span = { ...span, startNs, event };
      span.endNs = Math.max(span.endNs, endNs);
    }
    close();
  }
  return {
    depth: made.depth.finish(),
    name: made.name.finish(),
    startNs: made.startNs.finish(),
    endNs: made.endNs.finish(),
    event: made.event.finish(),
    names: [...names.keys()],
  };
}

/** Events by the instruction of the program that they come from; where that is not known, by their start. */
function programOrder(p: Profile): Uint32Array {
  const count = eventCount(p);
  const column = p.simulated && !p.launches ? 'origin' : 'startNs';
  const keys = Float64Array.from({ length: count }, (_, event) => eventValue(p, event, column));
  // those of the machine itself have no origin, and no layer
  return orderOf(keys).filter(event => keys[event] >= 0);
}

function numberOf(names: Map<string, number>, name: string): number {
  const known = names.get(name) ?? names.size;
  names.set(name, known);
  return known;
}
