/**
 * What bounds the kernel: who runs on the critical path, the busiest engine, the DMA's share, what the matmuls reach of their peak, as
 * numbers and as sentences. Shares are fractions of the kernel's body.
 */
import { rowValue } from '../profile/onDemand';
import { type Profile, STALL_REASONS } from '../profile/profile';
import { ENGINES } from '../vocabulary/engines';
import { activeIntervals, busyByTrack, dmaIntervals, engineTracks } from './activeTime';
import { collectiveOf, resourceOf } from './collectives';
import { type CriticalPath, criticalPath } from './criticalPath';
import { eventCount, isTransfer } from './eventAccess';
import { percentText, teraText } from './format';
import { clipped, type Intervals, lengthNs } from './intervals';
import { launchSentences } from './launches';
import { machineOf } from './machineOf';
import { arithmeticIntensity } from './metrics';
import { hbmNs, peakFlops, peakNs, usedWidths } from './roofline';
import { stallShort } from './stallText';
import { type ProfileTotals, totals } from './totals';

export interface PathPart {
  /** Engine that ran, `DMA`, or what was waited for. */
  name: string;
  kind: 'run' | 'wait' | 'unknown';
  ns: number;
  share: number;
}

/** Engine -> its name in AWS's guides, used in verdicts. */
const BOUND_NAMES: Readonly<Record<string, string>> = {
  Tensor: 'TensorE',
  Vector: 'VectorE',
  Scalar: 'ScalarE',
  GpSimd: 'GpSimdE',
  Sync: 'SyncE',
};

export const boundName = (resource: string) => BOUND_NAMES[resource] ?? resource;

export interface BoundVerdict {
  /** `TensorE`, `VectorE`, …, `DMA`, `HBM`, `collectives`, `Dependence` or `waiting`. */
  bound: string;
  /** Share of the critical path: of the bound resource; for `Dependence` of the longest resource, for `waiting` of all waits. */
  share: number;
}

export interface UtilizationBounds {
  bodyNs: number;
  busiest: { engine: string; activeNs: number; share: number };
  dma: { activeNs: number; share: number };
  /** Longest first; they sum to the body. */
  path: PathPart[];
  verdict: BoundVerdict;
  sentences: string[];
}

export function bounds(p: Profile, known: ProfileTotals = totals(p)): UtilizationBounds {
  const bodyNs = Math.max(0, p.bodyEndNs - p.bodyStartNs);
  const share = (ns: number) => (bodyNs > 0 ? ns / bodyNs : 0);
  const busy = busyByTrack(p);
  const engines = ENGINES.map(engine => ({ engine, activeNs: inBodyNs(p, activeIntervals(p, engineTracks(p, engine), busy)) }));
  const busiest = engines.reduce((a, b) => (b.activeNs > a.activeNs ? b : a));
  const dmaNs = inBodyNs(p, dmaIntervals(p));
  const path = pathParts(p, criticalPath(p));
  const memoryShare = share(memoryNs(known));
  const result = {
    bodyNs,
    busiest: { ...busiest, share: share(busiest.activeNs) },
    dma: { activeNs: dmaNs, share: share(dmaNs) },
    path,
    verdict: verdict(path, memoryShare),
  };
  if (p.launches) return { ...result, sentences: launchSentences(p) };
  const sentences = [verdictSentence(result.verdict, memoryShare), boundSentence(result), ...flopsSentences(known, bodyNs)];
  // a summary alone says nothing of when things ran
  return { ...result, sentences: eventCount(p) === 0 ? [] : sentences };
}

/** HBM traffic at the rate that all DMA engines reach; 0 where a capture does not say where its bytes went. */
function memoryNs({ profile: { target, machine }, hbmReadBytes, hbmWriteBytes }: ProfileTotals): number {
  if (hbmReadBytes === null || hbmWriteBytes === null) return 0;
  return hbmNs({ hbmReadBytes, hbmWriteBytes }, machineOf({ target }), machine.cores ?? 1);
}

const inBodyNs = (p: Profile, busy: Intervals) => lengthNs(clipped(busy, p.bodyStartNs, p.bodyEndNs));

/** Longest first; they sum to the body. */
export function pathParts(p: Profile, path: CriticalPath): PathPart[] {
  const bodyNs = p.bodyEndNs - p.bodyStartNs;
  const share = (ns: number) => (bodyNs > 0 ? ns / bodyNs : 0);
  const parts = new Map<string, PathPart>();
  const partFor = (event: number, reason: number): PathPart => {
    const [name, kind] = partOf(p, event, reason);
    const part = parts.get(`${kind} ${name}`) ?? { name, kind, ns: 0, share: 0 };
    parts.set(`${kind} ${name}`, part);
    return part;
  };
  // a path has as many segments as a profile has events: names are made once for what is of one kind
  const ofKind = new Map<number, PathPart>();
  for (let s = 0; s < path.event.length; s++) {
    const kind = kindOf(p, path.event[s], path.reason[s]);
    const part = ofKind.get(kind) ?? partFor(path.event[s], path.reason[s]);
    part.ns += path.endNs[s] - path.startNs[s];
    ofKind.set(kind, part);
  }
  return [...parts.values()].map(part => ({ ...part, share: share(part.ns) })).sort((a, b) => b.ns - a.ns || (a.name < b.name ? -1 : 1));
}

/** A number that segments share only if `partOf` says the same of them. */
function kindOf(p: Profile, event: number, reason: number): number {
  if (event < 0) return -1;
  if (reason !== 0) return reason;
  if (isTransfer(p, event)) return collectiveOf(p, event) ? -2 : -3;
  return STALL_REASONS.length + rowValue(p.instructions, 'track', event);
}

function partOf(p: Profile, event: number, reason: number): [name: string, kind: PathPart['kind']] {
  if (event < 0) return ['nothing recorded', 'unknown'];
  if (reason !== 0) return [stallShort(STALL_REASONS[reason]), 'wait'];
  return [resourceOf(p, event), 'run'];
}

/** An engine or the DMAs that run for this share of the critical path bound the kernel, unless waits are more of it; else it is the dependences between them. */
const BOUND_SHARE = 0.5;
/** DMA is HBM where the bytes alone take this share of the time in which it is on the path. */
const MEMORY_SHARE = 0.5;

function verdict(path: readonly PathPart[], memoryShare: number): BoundVerdict {
  const waits = sum(path.filter(part => part.kind === 'wait'));
  const longest = path.find(part => part.kind === 'run');
  if (!longest || waits > longest.share) return { bound: 'waiting', share: waits };
  if (longest.share < BOUND_SHARE) return { bound: 'Dependence', share: longest.share };
  const isMemory = longest.name === 'DMA' && memoryShare >= MEMORY_SHARE * longest.share;
  return { bound: isMemory ? 'HBM' : boundName(longest.name), share: longest.share };
}

const sum = (parts: readonly PathPart[]) => parts.reduce((share, part) => share + part.share, 0);

function verdictSentence({ bound, share }: BoundVerdict, memoryShare: number): string {
  const ofPath = `${percentText(share)} of the critical path`;
  const bytes = `its HBM traffic alone takes ${percentText(memoryShare)} of the body at the rate of all DMA engines`;
  if (bound === 'waiting') return `Bound by waiting: waits are ${ofPath}.`;
  if (bound === 'Dependence')
    return `Dependence-bound: engines take turns on the critical path, the longest for ${percentText(share)} of it.`;
  if (bound === 'collectives') return `Bound by collectives: they run for ${ofPath}.`;
  if (bound === 'HBM') return `HBM-bound: DMAs move data for ${ofPath}; ${bytes}.`;
  if (bound === 'DMA') return `DMA-bound: DMAs move data for ${ofPath}, though ${bytes}.`;
  return `${bound}-bound: it runs for ${ofPath}.`;
}

/** The share of the peak that the matmuls reach, for each width of their operands. Empty without matmuls. */
function flopsSentences(known: ProfileTotals, bodyNs: number): string[] {
  const { target, machine } = known.profile;
  const [chip, cores, flops] = [machineOf({ target }), machine.cores ?? 1, known.traffic.usefulFlops];
  const roofs = usedWidths(flops).map(width => `${width}: ${teraText(peakFlops(chip, width, cores))}`);
  if (roofs.length === 0 || bodyNs === 0) return [];
  const intensity = arithmeticIntensity(known);
  const traffic = intensity === null ? '' : `, ${intensity.toFixed(1)} FLOPs per byte of HBM traffic`;
  return [
    `The matmuls' FLOPs take ${percentText(peakNs({ flops }, chip, cores) / bodyNs)} of the body at peak (${roofs.join(', ')})${traffic}.`,
  ];
}

/** A smaller share is printed as 0.0 %. */
const LEAST_SAID_SHARE = 0.0005;
const isSaid = ({ share }: PathPart) => share >= LEAST_SAID_SHARE;

function boundSentence({ busiest, dma, path }: Pick<UtilizationBounds, 'busiest' | 'dma' | 'path'>): string {
  const engines = `${busiest.engine} is the busiest engine, ${percentText(busiest.share)} of the kernel's body; DMA moves data for ${percentText(dma.share)}`;
  if (path.length === 0) return `${engines}.`;
  const name = ({ name, kind, share }: PathPart) => `${kind === 'wait' ? `waiting (${name})` : name} ${percentText(share)}`;
  return `${engines}. The critical path is ${path.slice(0, 3).filter(isSaid).map(name).join(', ')}.`;
}
