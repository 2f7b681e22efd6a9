/**
 * What bounds the kernel: the busiest engine, the DMA's share, and what the critical path is made of, as numbers and as
 * two sentences. Shares are fractions of the kernel's body.
 */
import { type Profile, STALL_REASONS } from '../profile/profile';
import { ENGINES } from '../vocabulary/engines';
import { activeIntervals, busyByTrack, dmaIntervals, engineTracks } from './activeTime';
import { type CriticalPath, criticalPath } from './criticalPath';
import { eventValue, isTransfer } from './eventAccess';
import { percentText } from './format';
import { clipped, type Intervals, lengthNs } from './intervals';
import { arithmeticIntensity, machineBalance } from './metrics';
import { stallShort } from './stallText';
import { type ProfileTotals, totals } from './totals';

export interface PathPart {
  /** Engine that ran, `DMA`, or what was waited for. */
  name: string;
  kind: 'run' | 'wait' | 'unknown';
  ns: number;
  share: number;
}

export interface UtilizationBounds {
  bodyNs: number;
  busiest: { engine: string; activeNs: number; share: number };
  dma: { activeNs: number; share: number };
  /** Longest first; they sum to the body. */
  path: PathPart[];
  /** By arithmetic intensity; null for a kernel without matmuls. */
  roofline: 'memory' | 'compute' | null;
  sentences: string[];
}

export function bounds(p: Profile, known: ProfileTotals = totals(p)): UtilizationBounds {
  const bodyNs = Math.max(0, p.bodyEndNs - p.bodyStartNs);
  const share = (ns: number) => (bodyNs > 0 ? ns / bodyNs : 0);
  const busy = busyByTrack(p);
  const engines = ENGINES.map(engine => ({ engine, activeNs: inBodyNs(p, activeIntervals(p, engineTracks(p, engine), busy)) }));
  const busiest = engines.reduce((a, b) => (b.activeNs > a.activeNs ? b : a));
  const dmaNs = inBodyNs(p, dmaIntervals(p));
  const result = {
    bodyNs,
    busiest: { ...busiest, share: share(busiest.activeNs) },
    dma: { activeNs: dmaNs, share: share(dmaNs) },
    path: pathParts(p, criticalPath(p), share),
    roofline: roofline(known),
  };
  return { ...result, sentences: [rooflineSentence(known, result.roofline), boundSentence(result)] };
}

const inBodyNs = (p: Profile, busy: Intervals) => lengthNs(clipped(busy, p.bodyStartNs, p.bodyEndNs));

function pathParts(p: Profile, path: CriticalPath, share: (ns: number) => number): PathPart[] {
  const parts = new Map<string, PathPart>();
  for (let s = 0; s < path.event.length; s++) {
    const [name, kind] = partOf(p, path.event[s], path.reason[s]);
    const part = parts.get(`${kind} ${name}`) ?? { name, kind, ns: 0, share: 0 };
    part.ns += path.endNs[s] - path.startNs[s];
    parts.set(`${kind} ${name}`, part);
  }
  return [...parts.values()].map(part => ({ ...part, share: share(part.ns) })).sort((a, b) => b.ns - a.ns || (a.name < b.name ? -1 : 1));
}

function partOf(p: Profile, event: number, reason: number): [name: string, kind: PathPart['kind']] {
  if (event < 0) return ['nothing recorded', 'unknown'];
  if (reason !== 0) return [stallShort(STALL_REASONS[reason]), 'wait'];
  return [isTransfer(p, event) ? 'DMA' : p.tracks[eventValue(p, event, 'track')].engine, 'run'];
}

function roofline(f: ProfileTotals): UtilizationBounds['roofline'] {
  const [intensity, balance] = [arithmeticIntensity(f), machineBalance(f)];
  if (f.hardwareFlops <= f.transposeFlops || intensity === null || balance === null) return null;
  return intensity < balance ? 'memory' : 'compute';
}

function rooflineSentence(f: ProfileTotals, bound: UtilizationBounds['roofline']): string {
  if (bound === null) return 'No matmuls, so arithmetic intensity does not apply.';
  const [intensity, balance] = [arithmeticIntensity(f)!, machineBalance(f)!].map(n => n.toFixed(1));
  return `${bound === 'memory' ? 'Memory' : 'Compute'} bound: ${intensity} FLOPs per byte of HBM traffic, the machine's balance is ${balance}.`;
}

function boundSentence({ busiest, dma, path }: Pick<UtilizationBounds, 'busiest' | 'dma' | 'path'>): string {
  const engines = `${busiest.engine} is the busiest engine, ${percentText(busiest.share)} of the kernel's body; DMA moves data for ${percentText(dma.share)}`;
  if (path.length === 0) return `${engines}.`;
  const name = ({ name, kind, share }: PathPart) => `${kind === 'wait' ? `waiting (${name})` : name} ${percentText(share)}`;
  return `${engines}. The critical path is ${path.slice(0, 3).map(name).join(', ')}.`;
}
