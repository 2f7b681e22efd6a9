/** Analyses of one profile for panels. Each is computed at its first use and kept. */
import { type ActiveTime, activeTimeOf, trackActiveNs } from '../../simulator/analyze/activeTime';
import { bounds, type UtilizationBounds } from '../../simulator/analyze/bounds';
import { criticalPath } from '../../simulator/analyze/criticalPath';
import { Producers } from '../../simulator/analyze/dependencies';
import { type Finding, findings } from '../../simulator/analyze/findings';
import { type HierarchyNode, hierarchy } from '../../simulator/analyze/hierarchy';
import { idleNs, knowsUses } from '../../simulator/analyze/idleAllocations';
import { type LaunchRow, launchTable } from '../../simulator/analyze/launches';
import { type LayerSpans, layerSpans } from '../../simulator/analyze/layerSpans';
import { type LayerRow, layerRows } from '../../simulator/analyze/layers';
import { type Line, lines } from '../../simulator/analyze/lines';
import { type PathReport, pathReport } from '../../simulator/analyze/pathReport';
import { type TensorTraffic, tensorTraffic } from '../../simulator/analyze/tensorTraffic';
import { type ProfileTotals, totals } from '../../simulator/analyze/totals';
import { type Warning, warnings } from '../../simulator/analyze/warnings';
import type { Lane, TrackLanes } from '../../simulator/profile/lanes';
import { ofCore } from '../../simulator/profile/ofCore';
import { Packets } from '../../simulator/profile/packets';
import type { Profile } from '../../simulator/profile/profile';
import { Counters } from './counters';
import { dmaEngineLanes, dmaPacketLanes } from './dmaSlices';
import { findingLanes, isOfRow } from './findingLanes';
import { layerLanes } from './layerLanes';

export interface Analysis {
  producers(): Producers;
  totals(): ProfileTotals;
  bounds(): UtilizationBounds;
  lines(): readonly Line[];
  /** Of a run of several kernel calls. */
  launches(): readonly LaunchRow[];
  layers(): readonly LayerRow[];
  layerSpans(): LayerSpans;
  /** One for each depth of layers. */
  layerLanes(): readonly TrackLanes[];
  /** The critical path, to be read. */
  path(): PathReport;
  /** Events on it, each once, in order of start. */
  pathEvents(): Uint32Array;

  /** Of each track of the profile. */
  trackActiveNs(): Float64Array;
  hierarchy(): HierarchyNode;
  tensors(): readonly TensorTraffic[];
  warnings(): readonly Warning[];
  counters(): Counters;
  /** One per DMA engine that moved anything. */
  dmaEngines(): readonly TrackLanes[];
  /** One per queue. */
  dmaPackets(): readonly TrackLanes[];
  /** Of the pieces that rows of DMA engines and of packets are made of. */
  packets(): Packets;
  /** Of each allocation on chip, how long nothing used it; null: not known. */
  idleNs(): Float64Array | null;
  findings(): readonly Finding[];
  findingLanes(): Lane[];
  /** When a row with these lanes was busy. */
  active(lanes: readonly Lane[]): ActiveTime;
  /** One core's part of a run over several, and the same of it. */
  ofCore(core: number): { profile: Profile; analysis: Analysis };
  /** Compacts the data for drawing, so that it takes less memory. */
  compact(): void;
}

/** @param before of the same profile without its busy intervals of DMA engines: when rows were busy does not depend on those */
export function analysis(profile: Profile, before?: Analysis): Analysis {
  const known = once(() => totals(profile));
  const found = once(() => findings(profile));
  const active = new WeakMap<readonly Lane[], ActiveTime>();
  const spans = once(() => layerSpans(profile));
  const counters = once(() => new Counters(profile));
  const cores = new Map<number, ReturnType<Analysis['ofCore']>>();
  // members of `active` to compact; null after that
  let large: ActiveTime[] | null = [];
  return {
    producers: once(() => new Producers(profile)),
    totals: known,
    bounds: once(() => bounds(profile, known())),
    lines: once(() => lines(profile)),
    launches: once(() => launchTable(profile)),
    layers: once(() => layerRows(profile)),
    layerSpans: spans,
    layerLanes: once(() => layerLanes(spans())),
    path: once(() => pathReport(profile)),
    pathEvents: once(() => new Uint32Array(new Set(criticalPath(profile).event.filter(event => event >= 0)))),
    trackActiveNs: once(() => trackActiveNs(profile)),
    hierarchy: once(() => hierarchy(profile)),
    tensors: once(() => tensorTraffic(profile)),
    warnings: once(() => warnings(profile)),
    counters,
    dmaEngines: once(() => dmaEngineLanes(profile)),
    dmaPackets: once(() => dmaPacketLanes(profile)),
    packets: once(() => new Packets(profile)),
    idleNs: once(() => (knowsUses(profile) ? idleNs(profile) : null)),
    findings: found,
    findingLanes: once(() => findingLanes(found().filter(isOfRow))),
    ofCore(core) {
      const known = cores.get(core);
      if (known) return known;
      const part = ofCore(profile, core);
      const made = { profile: part, analysis: analysis(part) };
      cores.set(core, made);
      return made;
    },
    active(lanes) {
      const known = active.get(lanes);
      if (known) return known;
      const made = before?.active(lanes) ?? activeTimeOf(profile, lanes);
      active.set(lanes, made);
      if (large) large.push(made);
      else made.compact();
      return made;
    },
    compact() {
      counters().compact();
      for (const made of large ?? []) made.compact();
      large = null;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
