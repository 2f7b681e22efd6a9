/**
 * Tensors as bytes: the bits of one dtype read and written as another (`NkiTensor.view(dtype)`, `ap(dtype=)`). Bits are copied unchanged.
 * Only reading and writing convert between bits and values. `packing.ts` has the bits of each value.
 */
import type { Dtype } from '../vocabulary/dtypes';
import { gather, scatter } from './moves';
import type { Pattern } from './patterns';
import { packBytes, unpackBytes } from './rounding';
import type { TensorStorage } from './storages';

const RAW = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;
type Raw = InstanceType<(typeof RAW)[keyof typeof RAW]>;

function raw(dtype: Dtype, bytes: Uint8Array): Raw {
  const make = RAW[dtype.sizeBytes as keyof typeof RAW];
  return new make(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength / dtype.sizeBytes);
}

/** Bytes of elements, in the machine's (little-endian) order. float32 keeps the bits of its NaNs. */
export function packBits(dtype: Dtype, elements: TensorStorage): Uint8Array {
  if (dtype.sizeBytes === 4) return new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength).slice();
  return packBytes(dtype.name, elements);
}

/** Elements of `bytes` in their own class. */
export function unpackBits(dtype: Dtype, bytes: Uint8Array): TensorStorage {
  const count = bytes.byteLength / dtype.sizeBytes;
  if (dtype.sizeBytes !== 4) return unpackBytes(dtype.name, bytes, count) as TensorStorage;
  const { buffer } = bytes.slice();
  if (dtype.storage === 'f32') return new Float32Array(buffer);
  return dtype.storage === 'i32' ? new Int32Array(buffer) : new Uint32Array(buffer);
}

/** Reads the elements of a pattern as `dtype` into `out`. */
export function readBits(dtype: Dtype, bytes: Uint8Array, pattern: Pattern, out: TensorStorage): void {
  const walked = new RAW[dtype.sizeBytes as keyof typeof RAW](out.length);
  gather(raw(dtype, bytes), pattern, walked);
  out.set(unpackBits(dtype, new Uint8Array(walked.buffer)));
}

/** Writes elements of `dtype` to a pattern. */
export function writeBits(dtype: Dtype, bytes: Uint8Array, pattern: Pattern, elements: TensorStorage): void {
  scatter(raw(dtype, packBits(dtype, elements)), pattern, raw(dtype, bytes));
}
