/**
 * PCG64 (XSL-RR 128/64) with the distributions of NumPy's `Generator`: the numbers of `np.random.default_rng(n)` scripts.
 * Sources: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms" (2014); Lemire, "Fast Random Integer
 * Generation in an Interval" (2019) for integers; the ziggurat of `ziggurat.ts` for normals.
 */
import { bitMask, cutWords, firstUpTo, type Generator, type Seed, unitOf24Bits } from './generator';
import { generateState, seedWords } from './seedSequence';
import { zigguratNormal } from './ziggurat';

const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;
const wrap128 = (x: bigint) => BigInt.asUintN(128, x);

export class Pcg64 implements Generator {
  private state: bigint;
  private readonly increment: bigint;
  /** The upper half of the last word that `uint32` split. */
  private spareHalf: number | null = null;

  constructor(seed: Seed) {
    const words = Array.isArray(seed) ? seed : seedWords(seed);
    const [stateHigh, stateLow, streamHigh, streamLow] = generateState(words, 4);
    this.increment = wrap128((((streamHigh << 64n) | streamLow) << 1n) | 1n);
    this.state = this.stepped(this.stepped(0n) + ((stateHigh << 64n) | stateLow));
  }

  private stepped(state: bigint): bigint {
    return wrap128(state * MULTIPLIER + this.increment);
  }

  uint64(): bigint {
    this.state = this.stepped(this.state);
    const mixed = BigInt.asUintN(64, (this.state >> 64n) ^ this.state);
    const turn = this.state >> 122n;
    return BigInt.asUintN(64, (mixed >> turn) | (mixed << (64n - turn)));
  }

  uint32(): number {
    if (this.spareHalf !== null) {
      const half = this.spareHalf;
      this.spareHalf = null;
      return half;
    }
    const word = this.uint64();
    this.spareHalf = Number(word >> 32n);
    return Number(word & 0xffffffffn);
  }

  double(): number {
    return Number(this.uint64() >> 11n) / 9007199254740992;
  }

  single(): number {
    return unitOf24Bits(this.uint32());
  }

  normal(): number {
    return zigguratNormal(this);
  }

  integers(range: number, bits: 1 | 8 | 16 | 32 | 64): () => number {
    if (range === 0) return () => 0;
    if (range > 0xffffffff) return () => this.wide(range);
    if (bits === 32 || bits === 64) return () => this.scaled(range);
    return this.chopped(range, bits);
  }

  interval(max: number): number {
    if (max === 0) return 0;
    const mask = bitMask(max);
    return firstUpTo(max, () => (max > 0xffffffff ? Number(this.uint64() & BigInt(mask)) : (this.uint32() & mask) >>> 0));
  }

  /** Lemire's multiplication: the high word of draw × (range + 1), redrawn where that would favour some results. */
  private scaled(range: number): number {
    if (range === 0xffffffff) return this.uint32();
    const buckets = BigInt(range) + 1n;
    const threshold = (0x100000000n - buckets) % buckets;
    for (;;) {
      const product = BigInt(this.uint32()) * buckets;
      if ((product & 0xffffffffn) >= threshold) return Number(product >> 32n);
    }
  }

  private wide(range: number): number {
    const buckets = BigInt(range) + 1n;
    const threshold = ((1n << 64n) - buckets) % buckets;
    for (;;) {
      const product = this.uint64() * buckets;
      if (BigInt.asUintN(64, product) >= threshold) return Number(product >> 64n);
    }
  }

  /** Small integers are cut from one 32-bit word, each scaled by Lemire's multiplication. */
  private chopped(range: number, bits: 1 | 8 | 16): () => number {
    const base = 2 ** bits;
    const threshold = (base - (range + 1)) % (range + 1);
    const cut = cutWords(bits, () => this.uint32());
    return () => {
      for (;;) {
        const draw = cut();
        if (range === base - 1) return draw;
        const product = draw * (range + 1);
        if (product % base >= threshold) return Math.floor(product / base);
      }
    };
  }
}
