/** Predicates (`Program.predicates`) over a destination's dimensions: which of its elements an instruction writes. */
import type { Predicate } from '../program/program';
import { product } from './patterns';

/** 1 where the predicate holds, in row-major order of `counts`. */
export function evaluatePredicate(predicate: Predicate, counts: readonly number[]): Uint8Array {
  const holds = new Uint8Array(product(counts)).fill(1);
  for (const { coefficients, constant } of predicate.terms) {
    const index = counts.map(() => 0);
    let sum = constant;
    for (let i = 0; i < holds.length; i++) {
      if (sum < 0) holds[i] = 0;
      for (let k = counts.length - 1; k >= 0; k--) {
        sum += coefficients[k] ?? 0;
        if (++index[k] < counts[k]) break;
        sum -= (coefficients[k] ?? 0) * counts[k];
        index[k] = 0;
      }
    }
  }
  return holds;
}
