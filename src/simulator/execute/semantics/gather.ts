/** GpSimd's index patterns and gathers, and VectorE's moves between partitions (aws-neuron-sdk nki/api/nki/isa). */
import { ExecutionError, OutOfBoundsError } from '../errors';
import { rounder } from '../formats';
import { product } from '../patterns';
import type { Step } from '../step';

const outOfBounds = ({ row }: Step, index: number, width: number) =>
  new OutOfBoundsError(
    `index ${index} is out of bounds for axis 0 with size ${width}`,
    `${row.name}: index ${index} is out of bounds for ${width} elements per partition`,
  );

/** `dst[c, w, z, y, x] = offset + c * channel_multiplier + w * step_w + ...` in 32-bit integers. */
export function iota(step: Step): void {
  const pattern = (step.attribute('pattern') as number[][]) ?? [];
  const offset = step.given('offset') ? step.number('offset') : 0;
  const multiplier = step.given('channel_multiplier') ? step.number('channel_multiplier') : 0;
  const [partitions] = step.counts('dst');
  const run = product(pattern.map(([, count]) => count));
  const row = Int32Array.from({ length: run }, (_, i) => offset + inner(pattern, i));
  const out = new Int32Array(partitions * run);
  for (let c = 0; c < partitions; c++) for (let i = 0; i < run; i++) out[c * run + i] = row[i] + c * multiplier;
  const type = step.dtype('dst');
  step.write(type.class === 'float' ? step.floatsOf(out) : out.map(rounder(type.name)));
}

/** Contribution of the pattern at flattened position i. */
function inner(pattern: number[][], i: number): number {
  let [sum, rest] = [0, i];
  for (let k = pattern.length - 1; k >= 0; k--) {
    const [stride, count] = pattern[k];
    sum += (rest % count) * stride;
    rest = Math.floor(rest / count);
  }
  return sum;
}

/** `dst[p, i] = data[p, indices[p, i]]`; outside the partition an error, or (nl.gather_flattened) an undefined value. */
export function gather(step: Step): void {
  const [data, indices] = [step.elementsThrough(step.operand('data')), step.elementsThrough(step.operand('indices'))];
  const [partitions] = step.counts('data');
  const [width, run] = [data.length / partitions, indices.length / partitions];
  const out = step.elementArray(step.dtype('data'), indices.length);
  for (let i = 0; i < indices.length; i++) {
    const inside = indices[i] >= 0 && indices[i] < width;
    if (!inside && step.attribute('lenient') !== true) throw outOfBounds(step, indices[i], width);
    out[i] = inside ? data[Math.floor(i / run) * width + indices[i]] : Number.NaN;
  }
  writeLike(step, 'data', out);
}

/** Elements of the input's dtype into `dst`, cast through float32 where it has another. */
function writeLike(step: Step, name: string, elements: ReturnType<Step['elementArray']>): void {
  step.write(step.dtype(name) === step.dtype('dst') ? elements : step.floatsOf(elements));
}

/** Runs of `num_elem_per_idx` elements at the indices of each group of 16 partitions, partition by partition. */
export function localGather(step: Step): void {
  const group = step.machine.gpsimdPartitions.value;
  const [source, index] = [step.elementsThrough(step.operand('src_buffer')), step.elementsThrough(step.operand('index'))];
  const [partitions] = step.counts('src_buffer');
  const [width, columns] = [source.length / partitions, index.length / partitions];
  const [valid, run] = [step.number('num_valid_indices'), step.number('num_elem_per_idx')];
  const out = step.elementArray(step.dtype('src_buffer'), partitions * valid * run);
  for (let p = 0; p < partitions; p++)
    for (let k = 0; k < valid; k++) {
      const holder = Math.floor(p / group) * group + (k % group);
      const from = index[holder * columns + Math.floor(k / group)];
      if (from + run > width) throw outOfBounds(step, from, width);
      for (let e = 0; e < run; e++) out[(p * valid + k) * run + e] = source[p * width + from + e];
    }
  writeLike(step, 'src_buffer', out);
}

const UNCHANGED = 255;

/** Partition i of each quadrant of `dst` from partition `shuffle_mask[i]` of the same quadrant of `src`. */
export function streamShuffle(step: Step): void {
  const mask = step.attribute('shuffle_mask') as number[];
  const [source, before] = [step.elementsThrough(step.operand('src')), step.elementsThrough(step.operand('dst'))];
  const [rows] = step.counts('src');
  const run = source.length / rows;
  const [partitions] = step.counts('dst');
  for (let p = 0; p < partitions; p++) {
    const from = mask[p % mask.length];
    if (from === UNCHANGED) continue;
    const row = p - (p % mask.length) + from;
    if (row >= rows) throw new ExecutionError(`${step.row.name}: shuffle_mask takes partition ${row} of src, which has ${rows}`);
    before.set(source.subarray(row * run, (row + 1) * run), p * run);
  }
  step.write(before);
}

/** First index of each element's segment, then the index after its last; n and -1 for padding. */
export function sequenceBounds(step: Step): void {
  const ids = step.values('segment_ids');
  const n = ids.length;
  const out = step.own(2 * n);
  for (let i = 0; i < n; i++) out[i] = ids[i] === 0 ? n : i > 0 && ids[i] === ids[i - 1] ? out[i - 1] : i;
  for (let i = n - 1; i >= 0; i--) out[n + i] = ids[i] === 0 ? -1 : i < n - 1 && ids[i] === ids[i + 1] ? out[n + i + 1] : i + 1;
  step.write(out);
}
