/**
 * How long a kernel is likely to take on hardware: its modelled time, times what kernels of authors took whom the model had not seen. Those of
 * its pipeline and target, and of its kind where enough of these are published (`hardware/likelyFactors.ts`, written by scripts/accuracy.mjs).
 */
import { LIKELY_FACTORS, SMALL_DMA_FACTORS } from '../hardware/likelyFactors';
import { APART, type KernelKind, SMALL_DMA, TWO_CORES } from '../vocabulary/kernelKinds';
import { COMPARED_WITH } from '../vocabulary/pipelines';
import type { LikelyTime, Profile } from './profile';

const SMALL_PACKET_BYTES = 64;

function smallDmaSentence(): string {
  const { low, high, rows, authors } = SMALL_DMA_FACTORS;
  return `Most of its DMA packets have less than ${SMALL_PACKET_BYTES} bytes: on hardware ${rows} such kernels of ${authors} authors, on which nothing in the model rests, took ${low} to ${high} times as long.`;
}

/** What bounds a kernel of one core; that it has small DMAs counts on two cores, too. */
export function kernelKind(p: Profile): KernelKind {
  const kind = boundBy(p);
  return kind !== SMALL_DMA && p.tracks.some(({ core = 0 }) => core > 0) ? TWO_CORES : kind;
}

/** The busiest of the DMA engines, TensorE and the other engines, whose DMA triggers do not count; none of them where start and end take longer than the body. */
function boundBy(p: Profile): KernelKind {
  const bodyNs = p.bodyEndNs - p.bodyStartNs;
  if (bodyNs < p.totalTimeNs - bodyNs) return 'fixed cost';
  const engines = busyByTrack(p);
  const most = (ofTensor: boolean) =>
    Math.max(
      0,
      ...p.tracks.map(({ kind, engine }, track) => (kind === 'engine' && (engine === 'Tensor') === ofTensor ? engines[track] : 0)),
    );
  const dmaNs = coveredNs(p.transfers, () => 0, 1)[0];
  const tensorNs = most(true);
  const busiestNs = Math.max(tensorNs, most(false));
  if (hasSmallPackets(p) && dmaNs * SMALL_DMA_FACTORS.high >= busiestNs) return SMALL_DMA;
  if (dmaNs >= busiestNs) return 'DMA';
  return tensorNs >= most(false) ? 'TensorE' : 'vector work';
}

function hasSmallPackets({ transfers: { bytes, packets } }: Profile): boolean {
  let [all, small] = [0, 0];
  for (let row = 0; row < bytes.length; row++) {
    all += packets[row];
    if (bytes[row] < SMALL_PACKET_BYTES * packets[row]) small += packets[row];
  }
  return small * 2 > all;
}

/** What engines compute. Their triggers overlap each other, and move data as their DMAs do: they are in a group of their own, the last. */
function busyByTrack(p: Profile) {
  const triggers = p.tracks.length;
  const group = Uint16Array.from(p.instructions.track);
  for (const row of p.transfers.trigger) if (row >= 0) group[row] = triggers;
  return coveredNs(p.instructions, row => group[row], triggers + 1);
}

/** By group of rows: the time in which any of them runs. Rows are in the order of their starts. */
function coveredNs(
  { startNs, endNs }: { startNs: Float64Array; endNs: Float64Array },
  groupOf: (row: number) => number,
  groups: number,
): Float64Array {
  const covered = new Float64Array(groups);
  const until = new Float64Array(groups);
  for (let row = 0; row < startNs.length; row++) {
    const group = groupOf(row);
    covered[group] += Math.max(0, endNs[row] - Math.max(startNs[row], until[group]));
    until[group] = Math.max(until[group], endNs[row]);
  }
  return covered;
}

/** Kernels of the kind, in words. */
const KERNELS: Readonly<Record<Exclude<KernelKind, typeof SMALL_DMA>, string>> = {
  DMA: 'kernels bound by DMA',
  TensorE: 'kernels bound by TensorE',
  'vector work': 'kernels bound by an engine besides TensorE',
  'fixed cost': 'kernels whose start and end take longer than their body',
  'two cores': 'kernels over two cores',
};

/** The profile with its range, also in words. Without one where too few of the kind are published (Trn3, small DMAs), which it says. */
export function withLikelyTime(p: Profile): Profile {
  const said = (sentence: string) => ({ ...p, accuracy: `${p.accuracy} ${sentence}` });
  const name = `${COMPARED_WITH[p.pipeline]} ${p.target}`;
  const kind = kernelKind(p);
  if (kind === SMALL_DMA) return said(smallDmaSentence());
  const ofKind = LIKELY_FACTORS[`${name} ${kind}`];
  const kernels = ofKind || APART.includes(kind) ? KERNELS[kind] : 'kernels';
  const factors = ofKind ?? (APART.includes(kind) ? undefined : LIKELY_FACTORS[name]);
  if (!factors) return said(`No likely range is known: too few authors have published such ${kernels}.`);
  const { low, high, rows, authors, heldPercent } = factors;
  const likely: LikelyTime = { lowNs: p.totalTimeNs * low, highNs: p.totalTimeNs * high, heldPercent };
  const sentence = `With each of ${authors} authors left out of the model, their ${rows} such ${kernels} took ${low} to ${high} times as long on hardware; a range like this, of the other authors, held ${heldPercent} % of them.`;
  return { ...said(sentence), likely };
}
