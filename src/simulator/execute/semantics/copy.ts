/** Data movement: copies with cast, fills, transposes. */
import { permute, product } from '../patterns';
import type { Step } from '../step';
import { arithmeticOf } from './elementwise';

/** `dst = src`. Same dtype: elements as they are. Otherwise through float32 (nki/get-started/about/nki-dma-overview.rst). */
export function copy(step: Step): void {
  const source = ['src', 'value', 'x'].find(name => step.has(name)) ?? 'src';
  const counts = step.counts('dst');
  const combine = step.attribute('dst_rmw_op');
  if (typeof combine === 'string') {
    step.write(combined(step, combine, source));
    return;
  }
  if (step.dtype(source) === step.dtype('dst')) step.writeElements(step.exactOver(source, counts));
  else step.write(step.over(source, counts));
}

/** `dst = dst op src`: a DMA that combines with what is there. */
function combined(step: Step, op: string, source: string): Float32Array {
  const f = arithmeticOf(op);
  const [values, added] = [step.values('dst'), step.over(source, step.counts('dst'))];
  for (let i = 0; i < values.length; i++) values[i] = f(values[i], added[i]);
  return values;
}

/** `dst = value`. */
export function fill(step: Step): void {
  const value = step.number(step.given('value') ? 'value' : 'fill_value');
  const mask = step.mask();
  const { tensor, ...pattern } = step.operand('dst');
  if (mask) step.write(step.floats(product(pattern.counts)).fill(value));
  else step.memory.writeConstant(tensor, pattern, value);
}

/** `dst[f, p] = data[p, f]`, f over all free axes. */
export function transpose(step: Step): void {
  const data = step.operand(step.has('data') ? 'data' : 'x');
  const free = data.counts.slice(1).map((_, k) => k + 1);
  const turned = { tensor: data.tensor, ...permute(data, [...free, 0]) };
  if (step.memory.dtype(data.tensor) === step.dtype('dst')) step.writeElements(step.elementsThrough(turned));
  else step.write(step.through(turned));
}
