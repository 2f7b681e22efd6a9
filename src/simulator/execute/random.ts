/**
 * The engines' random numbers: XORWOW (Marsaglia 2003, "Xorshift RNGs"), whose state of six words is what
 * `nki.isa.rand_set_state` and `rand_get_state` move. Each partition has generators of its own: one on GpSimd, four on Vector, which give
 * numbers in rotation (6 and 24 words per partition). How a NeuronCore makes states from a seed, and the order of its generators, is not
 * documented: our sequences are the same for the same seed, but not those of the hardware.
 */

export const STATE_WORDS = 6;
const COUNTER_STEP = 362437;

/** Generators per partition. */
export const LANES = { GpSimd: 1, Vector: 4 } as const;
export type RandomEngine = keyof typeof LANES;

export class RandomEngineState {
  /** Words of all generators: partition, generator, word. */
  private readonly words: Uint32Array;
  private readonly perPartition: number;

  constructor(engine: RandomEngine, partitions: number) {
    this.perPartition = LANES[engine] * STATE_WORDS;
    this.words = new Uint32Array(partitions * this.perPartition);
    this.seed(0);
  }

  /** States of every generator from one number (splitmix32). */
  seed(seed: number): void {
    let state = seed >>> 0;
    for (let i = 0; i < this.words.length; i++) {
      state = (state + 0x9e3779b9) >>> 0;
      let t = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
      t = Math.imul(t ^ (t >>> 13), 0xc2b2ae35);
      this.words[i] = t ^ (t >>> 16);
    }
  }

  /** The words of one partition: a view, for reading and writing. */
  partition(partition: number): Uint32Array {
    return this.words.subarray(partition * this.perPartition, (partition + 1) * this.perPartition);
  }

  /** Fills `out` with 32-bit numbers of a partition. */
  fill(partition: number, out: Uint32Array): void {
    const words = this.partition(partition);
    for (let i = 0; i < out.length; i++) out[i] = next(words, (i * STATE_WORDS) % this.perPartition);
  }
}

/** One number of the generator whose six words start at `at`. */
function next(words: Uint32Array, at: number): number {
  const t = words[at] ^ (words[at] >>> 2);
  const last = words[at + 4];
  words.copyWithin(at, at + 1, at + 5);
  words[at + 4] = last ^ (last << 4) ^ t ^ (t << 1);
  words[at + 5] += COUNTER_STEP;
  return (words[at + 4] + words[at + 5]) >>> 0;
}
