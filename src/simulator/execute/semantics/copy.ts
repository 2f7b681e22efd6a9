/** Copies with cast, fills, transposes on an engine. `dma.ts` has the semantics of DMA engines. */
import { isIndirect } from '../indirect';
import { permute, product } from '../patterns';
import type { Step } from '../step';
import { move } from './dma';

/** `dst = src`. Same dtype: elements as they are. Otherwise through float32 (nki/get-started/about/nki-dma-overview.rst). */
export function copy(step: Step): void {
  const source = ['src', 'value', 'x'].find(name => step.has(name)) ?? 'src';
  const rmw = step.attribute('dst_rmw_op');
  if (typeof rmw === 'string' || isIndirect(step, source) || isIndirect(step, 'dst')) {
    move(step, source, typeof rmw === 'string' ? rmw : null);
    return;
  }
  if (step.dtype(source) === step.dtype('dst')) step.copy(source);
  else step.write(step.over(source, step.counts('dst')));
}

/** `dst = value`; with `high`, the words of 64-bit integers: value, high, value, high. */
export function fill(step: Step): void {
  if (step.given('high')) {
    const words = [step.number('value'), step.number('high')];
    step.writeElements(Int32Array.from({ length: product(step.counts('dst')) }, (_, k) => words[k % words.length]));
    return;
  }
  const value = step.number(step.given('value') ? 'value' : 'fill_value');
  const mask = step.mask();
  const dst = step.operand('dst');
  if (mask) step.write(step.floats(product(dst.counts)).fill(value));
  else step.memory.writeConstant(dst, value);
}

/** `dst[f, p] = data[p, f]`, f over all free axes. */
export function transpose(step: Step): void {
  const data = step.operand(step.has('data') ? 'data' : 'x');
  const free = data.counts.slice(1).map((_, k) => k + 1);
  const turned = { ...data, ...permute(data, [...free, 0]) };
  if (data.dtype === step.dtype('dst')) step.writeElements(step.elementsThrough(turned));
  else step.write(step.through(turned));
}
