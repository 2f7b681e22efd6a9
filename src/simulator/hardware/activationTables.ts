/**
 * Which function table ScalarE needs for an activation. Functions of one set share a table; switching sets costs an
 * ACT_TABLE_LOAD. AWS does not publish the sets: that functions without a transcendental part need none is read off the
 * Trn2 traces (COPY and CAST never load a table), the grouping of the others is assumed to be one set per family.
 */
import type { ActivationFunction } from '../vocabulary/activationFunctions';

const SETS: Readonly<Record<string, readonly ActivationFunction[]>> = {
  exp: ['exp'],
  log: ['log', 'softplus'],
  sqrt: ['sqrt', 'rsqrt'],
  reciprocal: ['reciprocal'],
  tanh: ['tanh'],
  sigmoid: ['sigmoid'],
  gelu: ['gelu', 'gelu_dx', 'gelu_apprx_tanh', 'gelu_apprx_sigmoid', 'gelu_apprx_sigmoid_dx'],
  silu: ['silu', 'silu_dx'],
  mish: ['mish'],
  erf: ['erf', 'erf_dx'],
  trigonometric: ['sin', 'arctan'],
};

const setOf = new Map(Object.entries(SETS).flatMap(([set, functions]) => functions.map(f => [f as string, set])));

/** Name of the table set, or empty when none is needed (copy, square, abs, sign, relu). */
export function activationTable(name: string): string {
  return setOf.get(name) ?? '';
}
