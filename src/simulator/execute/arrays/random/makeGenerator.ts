/**
 * Random streams by NumPy's names. `mt19937` is behind `np.random.seed` and `RandomState`, `pcg64` behind `np.random.default_rng`;
 * both give NumPy's own numbers for a seed.
 */
import { number } from '../operation';
import type { Generator, Seed } from './generator';
import { Mt19937 } from './mt19937';
import { Pcg64 } from './pcg64';

const algorithms: Record<string, (seed: Seed) => Generator> = {
  mt19937: seed => new Mt19937(seed),
  pcg64: seed => new Pcg64(seed),
};

/** Attributes: `algorithm`, and `seed`: a decimal string, or a list of 32-bit words. */
export function makeGenerator(attributes: Record<string, unknown>): Generator {
  const make = algorithms[String(attributes.algorithm)];
  if (!make) throw new Error(`no random generator is called ${attributes.algorithm}`);
  const { seed } = attributes;
  return make(Array.isArray(seed) ? seed.map(word => number(word, 'seed') >>> 0) : BigInt(String(seed)));
}
