/**
 * Seeds of `np.random.default_rng`: words of entropy mixed into a pool, and the words drawn from it.
 * Source: O'Neill, "Developing a seed_seq Alternative" (randutils); constants as NumPy documents them for SeedSequence.
 */
const POOL = 4;
const INIT_A = 0x43b0d7e5;
const MULT_A = 0x931e8875;
const INIT_B = 0x8b51f9dd;
const MULT_B = 0x58f38ded;
const MIX_L = 0xca01f9dd;
const MIX_R = 0x4973f715;

/** A hash whose constant changes with every word. */
function hasher(constant: number, multiplier: number) {
  return (word: number) => {
    const mixed = word ^ constant;
    constant = Math.imul(constant, multiplier);
    const value = Math.imul(mixed, constant);
    return (value ^ (value >>> 16)) >>> 0;
  };
}

function mix(x: number, y: number): number {
  const value = (Math.imul(MIX_L, x) - Math.imul(MIX_R, y)) | 0;
  return (value ^ (value >>> 16)) >>> 0;
}

/** 32-bit words of a seed, lowest first; zero is one word. */
export function seedWords(seed: bigint): number[] {
  if (seed < 0n) throw new Error('a seed must not be negative');
  const words = [];
  do {
    words.push(Number(seed & 0xffffffffn));
    seed >>= 32n;
  } while (seed > 0n);
  return words;
}

/** `count` 64-bit words for seeding a generator. */
export function generateState(entropy: readonly number[], count: number): bigint[] {
  const pool = makePool(entropy);
  const hash = hasher(INIT_B, MULT_B);
  const word = (i: number) => BigInt(hash(pool[i % POOL]));
  return Array.from({ length: count }, (_, i) => word(2 * i) | (word(2 * i + 1) << 32n));
}

function makePool(entropy: readonly number[]): number[] {
  const hash = hasher(INIT_A, MULT_A);
  const pool = Array.from({ length: POOL }, (_, i) => hash(entropy[i] ?? 0));
  for (let from = 0; from < POOL; from++) for (let to = 0; to < POOL; to++) if (from !== to) pool[to] = mix(pool[to], hash(pool[from]));
  for (const extra of entropy.slice(POOL)) for (let to = 0; to < POOL; to++) pool[to] = mix(pool[to], hash(extra));
  return pool;
}
