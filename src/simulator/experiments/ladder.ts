/**
 * How good could it be: bounds of a kernel's time, from as it ran down to what its bytes and FLOPs alone need. Each is computed from the
 * machine code; none is more than the time it bounds.
 *
 * The first four are schedules, each without one more kind of waiting. The others each look at one thing alone, and have no order
 * among themselves: no program that moves these bytes and executes these instructions on this machine is faster than the largest.
 */

import { hbmNs, peakNs } from '../analyze/roofline';
import { totals } from '../analyze/totals';
import type { Schedulable } from '../compile/compiled';
import type { Profile } from '../profile/profile';
import { bounds } from '../schedule/bounds';
import { ENGINES } from '../vocabulary/engines';
import type { Change } from './changes';
import type { Experiment } from './experiment';

export type RungName =
  | 'as it ran'
  | 'without start-up'
  | 'no buffer waits'
  | 'DMA starts hidden'
  | 'longest dependence chain'
  | 'busiest resource'
  | 'HBM bandwidth'
  | 'FLOPs at peak';

export interface Rung {
  name: RungName;
  timeNs: number;
  /** The assumption of the bound. */
  meaning: string;
  /** Name of the resource, for `busiest resource`. */
  resource?: string;
}

/** Waits that each rung removes, in addition to those of the rungs before it. */
const WITHOUT_WAITS: readonly { name: RungName; change: Change; meaning: string }[] = [
  { name: 'no buffer waits', change: { kind: 'buffers' }, meaning: 'nothing waits until a buffer is free, as if each had enough copies' },
  { name: 'DMA starts hidden', change: { kind: 'dma starts' }, meaning: 'also, data moves as soon as a DMA is triggered' },
];

/** Slowest first. Times are of the kernel's body, except the first, which is of the whole profile. */
export function ladder(experiment: Experiment): Rung[] {
  const { profile, bodyNs } = experiment;
  const rungs: Rung[] = [
    { name: 'as it ran', timeNs: profile.totalTimeNs, meaning: 'the whole profile' },
    { name: 'without start-up', timeNs: bodyNs, meaning: 'the kernel’s body: from its first instruction to its last result' },
  ];
  const changes: Change[] = [];
  for (const { name, change, meaning } of WITHOUT_WAITS) {
    changes.push(change);
    const { bodyStartNs, bodyEndNs } = experiment.schedule(...changes);
    // A schedule with less waiting can be longer by its order; the one before stays possible.
    rungs.push({ name, timeNs: Math.min(bodyEndNs - bodyStartNs, rungs.at(-1)!.timeNs), meaning });
  }
  return [
    ...rungs,
    ...independentBounds(
      profile,
      experiment.changed(),
      Math.max(...experiment.changed({ kind: 'buffers' }).map(code => bounds(code).criticalPathNs)),
    ),
  ];
}

/**
 * Each by itself.
 * @param codes of its cores
 * @param chainNs the longest dependence chain; absent: it is not known
 */
export function independentBounds(profile: Profile, codes: readonly Schedulable[], chainNs?: number): Rung[] {
  const { hbmReadBytes, hbmWriteBytes, traffic } = totals(profile);
  const { machine } = codes[0];
  const cores = profile.machine.cores ?? 1;
  const resources = codes.flatMap(code => {
    const { engineNs, dmaNs } = bounds(code);
    return [...ENGINES.map((name, k) => ({ name: name as string, ns: engineNs[k] })), { name: 'DMA', ns: dmaNs }];
  });
  const busiest = resources.reduce((a, b) => (b.ns > a.ns ? b : a));
  const chain: Rung = {
    name: 'longest dependence chain',
    timeNs: chainNs ?? 0,
    meaning: 'any number of engines and queues: each instruction waits for its operands only',
  };
  const found: Rung[] = [
    ...(chainNs === undefined ? [] : [chain]),
    {
      name: 'busiest resource',
      timeNs: busiest.ns,
      resource: busiest.name,
      meaning: `${busiest.name === 'DMA' ? 'the DMA engines' : busiest.name} at work without a pause`,
    },
    {
      name: 'HBM bandwidth',
      timeNs: hbmNs({ hbmReadBytes: hbmReadBytes ?? 0, hbmWriteBytes: hbmWriteBytes ?? 0 }, machine, cores),
      meaning: 'the bytes that go to and from HBM, at the rate at which the DMA engines can move them',
    },
    // Transposes left out: in fp32 they go faster than products.
    {
      name: 'FLOPs at peak',
      timeNs: peakNs({ flops: traffic.usefulFlops }, machine, cores),
      meaning: 'the FLOPs of its matmuls at the peak of the PE array for the dtypes that they stream',
    },
  ];
  return found.filter(rung => rung.name !== 'FLOPs at peak' || rung.timeNs > 0);
}

/** The largest of what no order of this work can beat, ns. */
export function reachableNs(rungs: readonly Rung[]): number {
  const names: readonly RungName[] = ['longest dependence chain', 'busiest resource', 'HBM bandwidth', 'FLOPs at peak'];
  return Math.max(...rungs.filter(rung => names.includes(rung.name)).map(rung => rung.timeNs));
}
