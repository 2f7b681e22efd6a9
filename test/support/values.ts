/** Runs the values of small programs, and compares numbers: what the tests of `execute/` share. */
import assert from 'node:assert/strict';
import { Execution } from '../../src/simulator/execute/execute';
import { roundTo } from '../../src/simulator/execute/rounding';
import type { ProgramBuilder, Tensor } from './programs';

/** Executes what was recorded, keeping every tensor, and returns the tensor's values as numbers. */
export function valuesOf(b: ProgramBuilder, tensor: Tensor, inputs: Map<Tensor, ArrayLike<number>> = new Map()): number[] {
  return [...executed(b, inputs).tensor(tensor.index)];
}

export function executed(b: ProgramBuilder, inputs: Map<Tensor, ArrayLike<number>> = new Map()): Execution {
  const byIndex = new Map([...inputs].map(([tensor, values]) => [tensor.index, Float64Array.from(values)]));
  const execution = new Execution(b.finish(), index => byIndex.get(index) ?? null, { keep: () => true });
  execution.run();
  return execution;
}

/** Numbers from a seed (mulberry32), uniform in [low, high), rounded to the dtype. */
export function random(seed: number, count: number, dtype = 'float32', low = -2, high = 2): number[] {
  let state = seed >>> 0;
  return Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return roundTo(dtype, low + (((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * (high - low));
  });
}

/** Distance of a float32 from a double, in units of the float32 spacing at the double. */
export function ulps(got: number, want: number): number {
  if (Object.is(got, want) || got === want || (Number.isNaN(got) && Number.isNaN(want))) return 0;
  const spacing = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(want) || 2 ** -126)), -126) - 23);
  return Math.abs(got - want) / spacing;
}

/** Every value within `limit` units in the last place of a double-precision result. */
export function assertUlps(got: ArrayLike<number>, want: ArrayLike<number>, limit: number): void {
  assert.equal(got.length, want.length);
  for (let i = 0; i < got.length; i++) assert.ok(ulps(got[i], want[i]) <= limit, `element ${i}: ${got[i]}, not ${want[i]}`);
}
