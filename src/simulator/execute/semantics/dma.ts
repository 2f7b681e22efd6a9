/**
 * DMA operations other than plain copies: operands addressed by indices, read-modify-write, sums of several sources, transposes. They
 * compute in float32 if dtypes differ (aws-neuron-sdk nki/get-started/about/nki-dma-overview.rst).
 */
import { ExecutionError } from '../errors';
import { combineIndirect, isIndirect, readIndirect, writeIndirect } from '../indirect';
import type { TensorStorage } from '../memory';
import { addresses, permute } from '../patterns';
import type { Step } from '../step';
import { arithmeticOf } from './elementwise';

interface Source {
  values: TensorStorage;
  /** Which of them exist; null: all. */
  holds: Uint8Array | null;
}

/** An operand's elements, unchanged if `dst` has the same dtype, else as float32. */
function source(step: Step, name: string): Source {
  const same = step.has(name) && step.dtype(name) === step.dtype('dst');
  if (!isIndirect(step, name)) {
    const counts = step.has(name) ? step.counts(name) : step.counts('dst');
    return { values: same ? step.exactOver(name, counts) : step.over(name, counts), holds: null };
  }
  const { elements, holds } = readIndirect(step, name);
  return { values: same ? elements : step.floatsOf(elements), holds };
}

function both(a: Uint8Array | null, b: Uint8Array | null): Uint8Array | null {
  return a && b ? a.map((holds, i) => holds & b[i]) : (a ?? b);
}

/** `dst = src`, or `dst = dst op src` with `rmw`; either side may be indirect. */
export function move(step: Step, name: string, rmw: string | null): void {
  const { values, holds } = source(step, name);
  const mask = both(holds, step.mask());
  if (rmw) modify(step, step.floatsOf(values), mask, arithmeticOf(rmw));
  else if (isIndirect(step, 'dst')) writeIndirect(step, 'dst', values, mask);
  else step.writeTo('dst', values, mask);
}

function modify(step: Step, values: Float32Array, mask: Uint8Array | null, f: (a: number, b: number) => number): void {
  if (isIndirect(step, 'dst')) {
    combineIndirect(step, 'dst', values, mask, f);
    return;
  }
  const before = step.values('dst');
  for (let i = 0; i < values.length; i++) values[i] = f(before[i], values[i]);
  step.writeTo('dst', values, mask);
}

/** `nl.atomic_rmw(dst, value, op)`. */
export function atomicUpdate(step: Step): void {
  move(step, 'value', step.text('op'));
}

/** Sources of `nki.isa.dma_compute` that are given. */
const sources = (step: Step) => Object.keys(step.row.operands).filter(name => /^src\d+$/.test(name) && step.has(name));

/**
 * `dst = srcs[0] + srcs[1] + ...` in float32. With indices on a source that is `dst` itself: `dst[indices] += other`.
 * An element that is left out of one source (`oob_mode.skip`) stays as it was.
 */
export function dmaCompute(step: Step): void {
  const f = arithmeticOf(step.text('reduce_op'));
  const names = sources(step);
  if (isIndirect(step, 'dst')) {
    const others = names.filter(name => step.operand(name).tensor !== step.operand('dst').tensor);
    if (others.length !== 1) throw new ExecutionError(`${step.row.name}: an indirect dst takes itself and one other source`);
    move(step, others[0], step.text('reduce_op'));
    return;
  }
  const [first, ...rest] = names.map(name => source(step, name));
  const sum = step.floatsOf(first.values);
  let { holds } = first;
  for (const next of rest) {
    for (let i = 0; i < sum.length; i++) sum[i] = f(sum[i], next.values[i]);
    holds = both(holds, next.holds);
  }
  step.writeTo('dst', sum, holds);
}

/** Order of the source's axes in the result, by rank (`nki.isa.dma_transpose`). */
const ORDERS: Readonly<Record<number, readonly number[]>> = { 2: [1, 0], 3: [2, 1, 0], 4: [3, 1, 2, 0] };

/** First and last axis change places. */
export function dmaTranspose(step: Step): void {
  const name = step.has('src') ? 'src' : 'x';
  const { counts } = step.operand(name);
  const order = ORDERS[counts.length];
  if (!order) throw new ExecutionError(`${step.row.name} takes 2 to 4 dimensions, not [${counts}]`);
  const { values, holds } = source(step, name);
  const dense = { offset: 0, counts, strides: counts.map((_, k) => counts.slice(k + 1).reduce((n, c) => n * c, 1)) };
  const at = addresses(permute(dense, [...order]));
  const turned = values.map((_, i) => values[at[i]]);
  const kept = holds ? Uint8Array.from(at, from => holds[from]) : null;
  step.writeTo('dst', turned, both(kept, step.mask()));
}
