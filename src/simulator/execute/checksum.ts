/** FNV-1a of 64 bits over the packed bytes of a tensor: equal checksums mean that two runs gave the same output. */
import { packBytes } from './rounding';

const OFFSET_BASIS = { high: 0xcbf29ce4, low: 0x84222325 };
/** The prime is 2^40 + 0x1b3: a product with it is a shift and a small multiple. */
const PRIME_LOW = 0x1b3;
const TWO_32 = 2 ** 32;

/** 16 hexadecimal digits. The state is held in two halves of 32 bits: BigInt would take a microsecond per byte. */
export function fnv1a64(bytes: Uint8Array): string {
  let { high, low } = OFFSET_BASIS;
  for (let i = 0; i < bytes.length; i++) {
    low = (low ^ bytes[i]) >>> 0;
    // 41 bits at most: exact in a double
    const product = low * PRIME_LOW;
    // the shift by 40: the low half lands 8 bits into the high one
    high = (Math.imul(high, PRIME_LOW) + (low << 8) + Math.trunc(product / TWO_32)) | 0;
    low = product >>> 0;
  }
  return [high >>> 0, low].map(half => half.toString(16).padStart(8, '0')).join('');
}

/** Checksum of a tensor's values as bytes of `dtype`. */
export function checksum(dtype: string, values: ArrayLike<number>): string {
  return fnv1a64(packBytes(dtype, values));
}
