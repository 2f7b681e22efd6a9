/** FNV-1a of 64 bits over the packed bytes of a tensor: tells whether two runs gave the same output. */
import { packBytes } from './rounding';

const OFFSET_BASIS = 0xcbf29ce484222325n;
/** The prime is 2^40 + 0x1b3: a product with it is a shift and a small multiple. */
const PRIME_LOW = 0x1b3;

/**
 * 16 hexadecimal digits. The state is held as four 16-bit limbs, lowest first: BigInt would take a microsecond per byte.
 */
export function fnv1a64(bytes: Uint8Array): string {
  let [a, b, c, d] = [0, 16, 32, 48].map(shift => Number((OFFSET_BASIS >> BigInt(shift)) & 0xffffn));
  for (let i = 0; i < bytes.length; i++) {
    a ^= bytes[i];
    // the shift by 40: limb a lands 8 bits into limb c, limb b 8 bits into limb d
    const low = a * PRIME_LOW;
    const second = b * PRIME_LOW + (low >>> 16);
    const third = c * PRIME_LOW + (second >>> 16) + ((a << 8) & 0xffff);
    const fourth = d * PRIME_LOW + Math.floor(third / 65536) + (a >>> 8) + ((b << 8) & 0xffff);
    a = low & 0xffff;
    b = second & 0xffff;
    c = third & 0xffff;
    d = fourth & 0xffff;
  }
  return [d, c, b, a].map(limb => limb.toString(16).padStart(4, '0')).join('');
}

/** Checksum of a tensor's values as bytes of `dtype`. */
export function checksum(dtype: string, values: ArrayLike<number>): string {
  return fnv1a64(packBytes(dtype, values));
}
