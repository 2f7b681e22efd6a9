/**
 * The named layers of a profile as a tree: when each ran, how long, its FLOPs and bytes. Paths name layers, with "/" between one and what
 * lies in it; an event belongs to the layer of the frame that asked for it, and to all around that one.
 */
import { peakFlopsOf } from '../profile/ofCore';
import type { Profile } from '../profile/profile';
import { criticalPath } from './criticalPath';
import { eventCount, eventValue, instructionRows } from './eventAccess';
import { framePosition, type Position } from './places';

export const LAYER_SEPARATOR = '/';

/** Path of a frame's layer; empty: none. */
export const layerOfFrame = ({ layers }: Pick<Profile, 'layers'>, frame: number): string =>
  layers && layers.ofFrame[frame] >= 0 ? layers.paths[layers.ofFrame[frame]] : '';

/** The part of a path down to a depth, from 1. */
export const layerAtDepth = (path: string, depth: number) => path.split(LAYER_SEPARATOR).slice(0, depth).join(LAYER_SEPARATOR);

/** Of the deepest layer; 0 without layers. */
export const layerDepth = ({ layers }: Pick<Profile, 'layers'>) =>
  (layers?.paths ?? []).reduce((most, path) => Math.max(most, path.split(LAYER_SEPARATOR).length), 0);

export interface LayerRow {
  /** Path; the last part is its name. */
  path: string;
  name: string;
  /** 1: in no other layer. */
  depth: number;
  /** From its first event to the end of its last. */
  startNs: number;
  endNs: number;
  /** On the critical path, with what lies in it. */
  timeNs: number;
  /** Of the kernel's body. */
  share: number;
  instructions: number;
  transfers: number;
  flops: number;
  /** Payload of DMA transfers; of a run of several kernel calls, of theirs. */
  bytes: number;
  /** FLOPs over what the peak gives in its time; 0 without FLOPs. */
  mfu: number;
  /** Of its first event. */
  position: Position;
}

/** Every layer and what lies around it, in the order of their first events, each before what lies in it. */
export function layerRows(p: Profile): LayerRow[] {
  if (!p.layers) return [];
  const rows = new Map<string, LayerRow>();
  const around = p.layers.paths.map(pathsAround);
  const owners = p.layers.ofFrame.map(layer => (layer < 0 ? [] : around[layer]));
  addEvents(p, owners, rows);
  addTime(p, owners, rows);
  const peak = peakFlopsOf(p);
  const bodyNs = p.bodyEndNs - p.bodyStartNs;
  for (const row of rows.values()) {
    row.share = bodyNs > 0 ? row.timeNs / bodyNs : 0;
    row.mfu = row.timeNs > 0 && peak > 0 ? row.flops / ((row.timeNs / 1e9) * peak) : 0;
  }
  return inTree([...rows.values()]);
}

function pathsAround(path: string): string[] {
  const names = path.split(LAYER_SEPARATOR);
  return names.map((_, k) => names.slice(0, k + 1).join(LAYER_SEPARATOR));
}

type Owners = readonly (readonly string[])[];

function addEvents(p: Profile, owners: Owners, rows: Map<string, LayerRow>) {
  const first = instructionRows(p);
  const launched = new Map(p.launches?.map(({ instruction, bytes }) => [instruction, bytes]));
  for (let event = 0; event < eventCount(p); event++) {
    const frame = eventValue(p, event, 'frame');
    const [startNs, endNs] = [eventValue(p, event, 'startNs'), eventValue(p, event, 'endNs')];
    for (const path of owners[frame]) {
      const row = rows.get(path) ?? emptyRow(path, framePosition(p, frame), startNs);
      rows.set(path, row);
      row.startNs = Math.min(row.startNs, startNs);
      row.endNs = Math.max(row.endNs, endNs);
      if (event < first) {
        row.instructions++;
        row.flops += p.instructions.flops[event];
        row.bytes += launched.get(event) ?? 0;
      } else {
        row.transfers++;
        row.bytes += p.transfers.bytes[event - first];
      }
    }
  }
}

function addTime(p: Profile, owners: Owners, rows: Map<string, LayerRow>) {
  const path = criticalPath(p);
  for (let s = 0; s < path.event.length; s++) {
    if (path.event[s] < 0) continue;
    for (const layer of owners[eventValue(p, path.event[s], 'frame')]) rows.get(layer)!.timeNs += path.endNs[s] - path.startNs[s];
  }
}

function emptyRow(path: string, position: Position, startNs: number): LayerRow {
  const names = path.split(LAYER_SEPARATOR);
  const none = { timeNs: 0, share: 0, instructions: 0, transfers: 0, flops: 0, bytes: 0, mfu: 0 };
  return { path, name: names[names.length - 1], depth: names.length, startNs, endNs: startNs, ...none, position };
}

/** Each row before those that lie in it; beside one another by their first events. */
function inTree(rows: readonly LayerRow[]): LayerRow[] {
  const inside = new Map<string, LayerRow[]>();
  for (const row of rows) {
    const outer = row.path.slice(0, Math.max(0, row.path.length - row.name.length - LAYER_SEPARATOR.length));
    const list = inside.get(outer) ?? [];
    list.push(row);
    inside.set(outer, list);
  }
  const below = (path: string): LayerRow[] =>
    (inside.get(path) ?? []).sort((a, b) => a.startNs - b.startNs || a.endNs - b.endNs).flatMap(row => [row, ...below(row.path)]);
  return below('');
}
