/** Largest values and where values are, partition by partition (aws-neuron-sdk nki/api/nki/isa: the functions' own pages). */
import type { Step } from '../step';

const ABSENT = { uint16: 0xffff, uint32: 0xffffffff } as const;

/** Calls `each(elements of the partition, partition)`. */
function eachPartition(values: Float32Array, partitions: number, each: (run: Float32Array, partition: number) => void): void {
  const run = values.length / partitions;
  for (let p = 0; p < partitions; p++) each(values.subarray(p * run, (p + 1) * run), p);
}

export function max8(step: Step): void {
  const partitions = step.counts('src')[0];
  const out = step.floats(partitions * 8);
  eachPartition(step.values('src'), partitions, (run, p) => largest(run, out.subarray(p * 8, (p + 1) * 8)));
  step.write(out);
}

/** The largest values in descending order, of at least as many; for a run with NaNs in the order of sorting. */
function largest(run: Float32Array, out: Float32Array): void {
  const first = run.some(Number.isNaN) ? run : run.subarray(0, out.length);
  out.set(first.slice().sort(descending).subarray(0, out.length));
  const last = out.length - 1;
  for (let i = first.length; i < run.length; i++) {
    const value = run[i];
    if (value <= out[last]) continue;
    let at = last;
    for (; at > 0 && out[at - 1] < value; at--) out[at] = out[at - 1];
    out[at] = value;
  }
}

const descending = (a: number, b: number) => b - a;

const absentIn = (step: Step, name: string) => ABSENT[step.dtype(name).name as keyof typeof ABSENT];

/** Equal values among the 8 match successive occurrences. */
export function findIndex8(step: Step): void {
  const partitions = step.counts('data')[0];
  const wanted = step.values('vals');
  const out = new Uint32Array(partitions * 8).fill(absentIn(step, 'dst'));
  eachPartition(step.values('data'), partitions, (run, p) => {
    const taken = new Map<number, number>();
    for (let k = p * 8; k < (p + 1) * 8; k++) {
      const found = run.indexOf(wanted[k], taken.get(wanted[k]) ?? 0);
      if (found < 0) continue;
      out[k] = found;
      taken.set(wanted[k], found + 1);
    }
  });
  step.write(out);
}

/** The last of the 8 values is searched first, so that equal values match occurrences from the last slot on. */
export function matchReplace8(step: Step): void {
  const partitions = step.counts('data')[0];
  const [values, wanted, imm] = [step.values('data'), step.values('vals'), step.number('imm')];
  const found = new Uint32Array(partitions * 8);
  if (step.has('dst_idx')) found.fill(absentIn(step, 'dst_idx'));
  eachPartition(values, partitions, (run, p) => {
    const free = new Uint8Array(run.length).fill(1);
    for (let k = (p + 1) * 8 - 1; k >= p * 8; k--) {
      const at = run.findIndex((x, i) => free[i] === 1 && x === wanted[k]);
      if (at < 0) continue;
      found[k] = at;
      free[at] = 0;
    }
    for (let i = 0; i < run.length; i++) if (!free[i]) run[i] = imm;
  });
  step.write(values);
  if (step.has('dst_idx')) step.writeTo('dst_idx', found);
}

/** Only the first partition of each core takes part; the others of `dst` stay as they are. */
export function nonzeroWithCount(step: Step): void {
  const partitions = step.counts('src')[0];
  const corePartitions = step.machine.gpsimdPartitions.value;
  const width = step.elements('dst') / partitions;
  const out = new Int32Array(partitions * width).fill(Number(step.attribute('padding_val') ?? -1));
  const holds = new Uint8Array(out.length);
  const offset = Number(step.attribute('index_offset') ?? 0);
  eachPartition(step.values('src'), partitions, (run, p) => {
    if (p % corePartitions !== 0) return;
    let count = 0;
    run.forEach((x, i) => {
      if (x !== 0) out[p * width + count++] = i + offset;
    });
    out[(p + 1) * width - 1] = count;
    holds.fill(1, p * width, (p + 1) * width);
  });
  step.writeTo('dst', out, holds);
}

/** Element i of a core's sequence is in partition i % 16 of its 16, column i / 16. All of them get the core's result. */
export function topk(step: Step): void {
  const [partitions] = step.counts('src');
  const corePartitions = step.machine.gpsimdPartitions.value;
  const [values, n, k] = [step.values('src'), step.number('n'), step.elements('val_dst') / partitions];
  const columns = values.length / partitions;
  const largest = step.floats(partitions * k);
  const indices = new Uint32Array(partitions * k);
  for (let core = 0; core < partitions; core += corePartitions) {
    const at = (i: number) => values[(core + (i % corePartitions)) * columns + Math.floor(i / corePartitions)];
    const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => at(b) - at(a) || a - b);
    const chosen = order.slice(0, k).reverse();
    for (let p = core; p < core + corePartitions; p++) {
      largest.set(chosen.map(at), p * k);
      indices.set(chosen, p * k);
    }
  }
  step.writeTo('val_dst', largest);
  step.writeTo('idx_dst', indices);
}
