/** What one rank alone does in `nki.collectives`; copies are `copy.ts`'s. */
import { ExecutionError } from '../errors';
import type { Step } from '../step';
import { arithmeticOf } from './elementwise';

/** `dst = op(src0, src1)` in float32. */
export function combine(step: Step): void {
  const f = arithmeticOf(step.text('op'));
  const counts = step.counts('dst');
  const [a, b] = [step.over('src0', counts), step.over('src1', counts)];
  for (let i = 0; i < a.length; i++) a[i] = f(a[i], b[i]);
  step.write(a);
}

/**
 * A chunk of `src` into `dst`, both flat: row 0 of the metadata is its size, row 1 where it starts, row 2 takes the size that
 * arrived unless the kernel knows it, row 3 says where it goes. Columns are ranks: one here.
 */
export function chunk(step: Step): void {
  const metadata = step.elementsThrough(step.operand('metadata'));
  const [size, from] = metadata;
  const to = step.attribute('has_rdispls') === true ? metadata[3] : 0;
  const [source, target] = [step.elementsThrough(step.operand('src')), step.elementsThrough(step.operand('dst'))];
  if (from + size > source.length || to + size > target.length)
    throw new ExecutionError(
      `${step.row.name}: a chunk of ${size} elements at ${from} of src (${source.length}) to ${to} of dst (${target.length}) does not fit`,
    );
  target.set(source.subarray(from, from + size), to);
  step.write(target);
  if (step.attribute('recv_counts_known') === true) return;
  metadata[2] = size;
  step.writeTo('metadata', metadata);
}
