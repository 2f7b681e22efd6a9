/** The possible counter rows of a profile: name, text of values, full scale, and the series, which is made when it is first shown. */

import { dmaRates, memoryUsage, pendingDmas, runningSum, tensorMatrixUtilisation, type Weighted } from '../../simulator/analyze/counters';
import { cumulativeFlops, hardwareUtilization, modelUtilization } from '../../simulator/analyze/flopsSeries';
import { bytesText, percentText } from '../../simulator/analyze/format';
import { ratesOf } from '../../simulator/analyze/hbmSeries';
import { type HostCopies, hostCopies } from '../../simulator/analyze/hostCopies';
import { bankUsage, clockHeldBack, cumulativeBytes, partitionUsage, semaphoreValue } from '../../simulator/analyze/memorySeries';
import { SAMPLED_PARTITIONS } from '../../simulator/analyze/partitionUsage';
import { coresOf } from '../../simulator/profile/ofCore';
import { CORE_PARTITIONS, DIRECTIONS, type Profile } from '../../simulator/profile/profile';
import type { SystemSamples, SystemTrace } from '../../simulator/profile/system';
import type { StepSeries } from '../../simulator/profile/windowCounters';
import { rateText } from '../math/units';
import { slicesWithin } from './compactProfile';
import { HeldCounter } from './heldCounter';

export interface CounterKind {
  /** Kept in settings. */
  id: string;
  name: string;
  group: 'DMA and HBM' | 'Engines' | 'SBUF' | 'PSUM' | 'Semaphores' | 'Host and HBM';
  about: string;
  text(value: number): string;
  /** Full scale; null: the counter's own maximum. */
  full: number | null;
  /** The one core of several that it is of; absent: of the run. */
  core?: number;
  series(profile: Profile): StepSeries;
  /** Its series is the running sum of these: it depends on nothing but the stretches of DMA engines at each moment. */
  rates?(profile: Profile): Weighted;
}

/** 2 KiB each: eight of them are the 16 KiB of a partition (NKI architecture guide, PSUM). */
const PSUM_BANKS = 8;

const countText = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
const flopsText = (value: number) => `${value.toPrecision(3)} FLOPs`;
const way = (p: Profile, test: (direction: string) => boolean) => (t: number) => test(DIRECTIONS[p.transfers.direction[t]]);
const reads = (direction: string) => direction.startsWith('hbm->');
const writes = (direction: string) => direction.endsWith('->hbm');

const summed = (rates: (profile: Profile) => Weighted) => ({
  rates,
  series(profile: Profile) {
    const { intervals, weight } = rates(profile);
    return runningSum(intervals, weight);
  },
});

const FIXED: readonly CounterKind[] = [
  { id: 'dma', name: 'DMA throughput', group: 'DMA and HBM', about: 'Bytes per second over all DMA engines.', text: rateText, full: null, ...summed(dmaRates) },
  { id: 'pending', name: 'Pending DMAs', group: 'DMA and HBM', about: 'Transfers triggered and not yet seen to be done.', text: countText, full: null, series: pendingDmas },
  { id: 'hbmRead', name: 'HBM read', group: 'DMA and HBM', about: 'Bytes per second that DMA reads from HBM.', text: rateText, full: null, ...summed(p => ratesOf(p, way(p, reads))) },
  { id: 'hbmWrite', name: 'HBM write', group: 'DMA and HBM', about: 'Bytes per second that DMA writes to HBM.', text: rateText, full: null, ...summed(p => ratesOf(p, way(p, writes))) },
  { id: 'hbmTotal', name: 'Cumulative HBM', group: 'DMA and HBM', about: 'Bytes read from and written to HBM so far.', text: value => bytesText(Math.round(value)), full: null, series: p => cumulativeBytes(p, way(p, d => reads(d) || writes(d))) },
  { id: 'dmaTotal', name: 'Cumulative DMA', group: 'DMA and HBM', about: 'Bytes moved by DMA so far.', text: value => bytesText(Math.round(value)), full: null, series: p => cumulativeBytes(p, () => true) },
  { id: 'matrix', name: 'TensorMatrix utilization', group: 'Engines', about: 'Share of the time in which a matmul streams through the PE array.', text: percentText, full: 1, series: tensorMatrixUtilisation },
  { id: 'hfu', name: 'HFU', group: 'Engines', about: 'FLOPs of all matmuls over those of the PE array at its peak.', text: percentText, full: null, series: hardwareUtilization },
  { id: 'mfu', name: 'MFU', group: 'Engines', about: 'FLOPs of matmuls that are no transposes over those of the PE array at its peak.', text: percentText, full: null, series: modelUtilization },
  { id: 'flopsTotal', name: 'Cumulative FLOPs', group: 'Engines', about: 'FLOPs of the matmuls that have ended so far.', text: flopsText, full: null, series: cumulativeFlops },
  { id: 'clock', name: 'PE clock held back', group: 'Engines', about: 'Share of the time in which a matmul is ready and only the clock of the PE array holds it back.', text: percentText, full: 1, series: clockHeldBack },
  { id: 'sbuf', name: 'SBUF usage', group: 'SBUF', about: 'Bytes that are allocated in all partitions together.', text: value => bytesText(Math.round(value)), full: null, series: p => memoryUsage(p, 'sbuf') },
]; // biome-ignore format: a table

/** Of one core's memories. @param named what names say of the core when there are several */
function memories(core: number, named: string): CounterKind[] {
  const first = core * CORE_PARTITIONS;
  const kind = (id: string, name: string, group: CounterKind['group'], series: CounterKind['series']) =>
    // settings keep ids: the first core's are those of one
    ({ ...usage(core === 0 ? id : `${id}${named}`, `${name}${named}`, group, series), ...(named !== '' && { core }) });
  return [
    ...SAMPLED_PARTITIONS.map(n => kind(`sbuf${n}`, `SBUF partition ${n}`, 'SBUF', p => partitionUsage(p, 'sbuf', first + n))),
    kind('psum', 'PSUM usage', 'PSUM', p => partitionUsage(p, 'psum', first)),
    ...Array.from({ length: PSUM_BANKS }, (_, bank) =>
      kind(`psum${bank}`, `PSUM bank ${bank}`, 'PSUM', p => bankUsage(p, bank, PSUM_BANKS, core)),
    ),
  ];
}

function usage(id: string, name: string, group: CounterKind['group'], series: CounterKind['series']): CounterKind {
  return { id, name, group, about: 'Share of its bytes that is allocated.', text: percentText, full: 1, series };
}

/** What a system profile has samples of. An instance that is the only one is not named, as in the names of rows. */
function sampledKinds({ samples }: SystemTrace, tracks: Profile['tracks']): CounterKind[] {
  const [only, ...others] = new Set(tracks.flatMap(({ system }) => system?.instanceId ?? []));
  const common = only && others.length === 0 ? `${only}/` : '';
  return samples.map(each => ({ ...sampled(each), name: each.name.startsWith(common) ? each.name.slice(common.length) : each.name }));
}

/** A quantity that a system profile has samples of: each holds until the next. */
const sampled = ({ name, unit, timesNs, values }: SystemSamples): CounterKind => ({
  id: name,
  name,
  group: 'Host and HBM',
  about: unit === 'share' ? 'Share of the time in which this CPU was busy, since the sample before.' : 'Bytes in use, at each sample.',
  text: unit === 'share' ? percentText : value => bytesText(Math.round(value)),
  full: unit === 'share' ? 1 : null,
  series: () => ({ timesNs: Float64Array.from(timesNs), values: Float64Array.from(values) }),
});

const copied = ({ name, series }: HostCopies): CounterKind => ({
  id: name,
  name,
  group: 'Host and HBM',
  about: 'Bytes per second of the copies between host and device that run at a time.',
  text: rateText,
  full: null,
  series,
});

/** `GpSimd (nc1)` counts on core 1. */
function coreIn(name: string): Pick<CounterKind, 'core'> {
  const core = / \(nc(\d+)\)$/.exec(name)?.[1];
  return core === undefined ? {} : { core: Number(core) };
}

/** Fixed ones, then one for each semaphore of the profile. */
export function counterKinds(profile: Profile): CounterKind[] {
  if (profile.system) return [...hostCopies(profile).map(copied), ...sampledKinds(profile.system, profile.tracks)];
  // what moves within a kernel call is in the profile of the call
  if (profile.launches) return [];
  const cores = coresOf(profile);
  const semaphores = profile.semaphores.map(
    ({ id, name }, index): CounterKind => ({
      // each core counts its own
      id: / \(nc[1-9]\d*\)$/.test(name) ? `S${id} ${name}` : `S${id}`,
      name: `S[${id}] (${name})`,
      group: 'Semaphores',
      about: `Value of the semaphore that ${name} raises.`,
      text: countText,
      full: null,
      series: p => semaphoreValue(p, index),
      ...coreIn(name),
    }),
  );
  const memory = cores.length > 1 ? cores.flatMap(core => memories(core, ` (nc${core})`)) : memories(0, '');
  return [...FIXED, ...memory, ...semaphores];
}

export interface NamedCounter extends CounterKind {
  counter: HeldCounter;
  /** Value at the top of the row. */
  top: number;
}

/** The profile with the stretches of DMA engines that touch a window, and no others. */
const around = (profile: Profile, fromNs: number, toNs: number): Profile =>
  // not a copy: that would read all that is made when it is read
  Object.create(profile, { dmaSlices: { value: slicesWithin(profile.dmaSlices, fromNs, toNs) } });

/** The counters of a profile by id, each computed once. */
export class Counters {
  readonly kinds: readonly CounterKind[];
  private readonly made = new Map<string, NamedCounter>();
  private small = false;

  constructor(private readonly profile: Profile) {
    this.kinds = counterKinds(profile);
  }

  /** null: this profile has no such counter. */
  get(id: string): NamedCounter | null {
    const kind = this.kinds.find(known => known.id === id);
    if (!kind) return null;
    const counter = this.made.get(id) ?? this.make(kind);
    this.made.set(id, counter);
    return counter;
  }

  /** Counters take less memory from now on. */
  compact(): void {
    this.small = true;
    for (const { counter } of this.made.values()) counter.compact();
  }

  private make(kind: CounterKind): NamedCounter {
    const counter = kind.rates
      ? HeldCounter.ofSum(kind.rates(this.profile), (fromNs, toNs) => kind.series(around(this.profile, fromNs, toNs)))
      : HeldCounter.of(kind.series(this.profile));
    if (this.small) counter.compact();
    return { ...kind, counter, top: kind.full ?? (counter.maximum > 0 ? counter.maximum : 1) };
  }
}
