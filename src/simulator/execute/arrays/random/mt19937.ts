/**
 * MT19937 with the distributions of NumPy's frozen `RandomState`: the numbers of `np.random.seed(n)` scripts.
 * Sources: Matsumoto and Nishimura 1998 (generator, seeding by number and by array); Marsaglia's polar method (normal);
 * masked rejection (integers). The streams are checked against published NumPy outputs in the tests.
 */
import { bitMask, cutWords, firstUpTo, type Generator, type Seed, unitOf24Bits } from './generator';

const N = 624;
const M = 397;

export class Mt19937 implements Generator {
  private readonly state = new Uint32Array(N);
  private at = N;
  /** The polar method makes two normals at a time. */
  private spareNormal: number | null = null;

  constructor(seed: Seed) {
    if (Array.isArray(seed)) this.seedByArray(seed);
    else if (seed >= 0n && seed <= 0xffffffffn) this.seedByNumber(Number(seed));
    else throw new Error('a seed must be between 0 and 2**32 - 1');
  }

  private seedByNumber(seed: number) {
    const { state } = this;
    state[0] = seed;
    for (let i = 1; i < N; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    this.at = N;
  }

  private seedByArray(key: readonly number[]) {
    if (key.length === 0) throw new Error('a seed must not be an empty list');
    const { state } = this;
    this.seedByNumber(19650218);
    let i = 1;
    let j = 0;
    const advance = () => {
      if (++i < N) return;
      state[0] = state[N - 1];
      i = 1;
    };
    for (let k = Math.max(N, key.length); k > 0; k--) {
      state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1664525)) + key[j] + j;
      advance();
      j = (j + 1) % key.length;
    }
    for (let k = N - 1; k > 0; k--) {
      state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1566083941)) - i;
      advance();
    }
    state[0] = 0x80000000;
  }

  private refill() {
    const { state } = this;
    for (let i = 0; i < N; i++) {
      const y = (state[i] & 0x80000000) | (state[(i + 1) % N] & 0x7fffffff);
      state[i] = state[(i + M) % N] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.at = 0;
  }

  uint32(): number {
    if (this.at === N) this.refill();
    let y = this.state[this.at++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  double(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  single(): number {
    return unitOf24Bits(this.uint32());
  }

  normal(): number {
    if (this.spareNormal !== null) {
      const spare = this.spareNormal;
      this.spareNormal = null;
      return spare;
    }
    for (;;) {
      const x = 2 * this.double() - 1;
      const y = 2 * this.double() - 1;
      const r2 = x * x + y * y;
      if (r2 >= 1 || r2 === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(r2)) / r2);
      this.spareNormal = scale * x;
      return scale * y;
    }
  }

  integers(range: number, bits: 1 | 8 | 16 | 32 | 64): () => number {
    if (range === 0) return () => 0;
    if (bits === 64 && range > 0xffffffff) return () => this.wide(range);
    return bits < 32 ? this.chopped(range, bits) : () => this.interval(range);
  }

  interval(max: number): number {
    if (max === 0) return 0;
    if (max > 0xffffffff) return this.wide(max);
    const mask = bitMask(max);
    return firstUpTo(max, () => (this.uint32() & mask) >>> 0);
  }

  /** Small integers are cut from one 32-bit word. */
  private chopped(range: number, bits: number): () => number {
    const mask = bitMask(range);
    const cut = cutWords(bits, () => this.uint32());
    return () => firstUpTo(range, () => cut() & mask);
  }

  private wide(max: number): number {
    const highMask = Math.floor(bitMask(max) / 4294967296);
    return firstUpTo(max, () => ((this.uint32() & highMask) >>> 0) * 4294967296 + this.uint32());
  }
}
