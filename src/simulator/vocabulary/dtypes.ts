/**
 * Data types of NKI: names as `nki.language` spells them, size, class and the typed array that holds their values in the simulator.
 * `execute/` rounds values. Source: aws-neuron-sdk nki/api/nki/language (dtype list), nki/get-started/nki-language-guide.rst "Data
 * types".
 */

export type DtypeClass = 'float' | 'int' | 'bool' | 'packed';

export interface Dtype {
  /** Index in programs' dtype columns: the order of this list is part of the program format. */
  readonly code: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly class: DtypeClass;
  /** Typed array that holds its values exactly: every narrow float is held as float32. */
  readonly storage: 'f32' | 'i32' | 'u32';
}

const row = (code: number, name: string, sizeBytes: number, cls: DtypeClass, storage: Dtype['storage']): Dtype => ({
  code,
  name,
  sizeBytes,
  class: cls,
  storage,
});

export const dtypes: readonly Dtype[] = [
  row(0, 'float32', 4, 'float', 'f32'),
  row(1, 'bfloat16', 2, 'float', 'f32'),
  row(2, 'float16', 2, 'float', 'f32'),
  row(3, 'tfloat32', 4, 'float', 'f32'),
  row(4, 'float8_e4m3', 1, 'float', 'f32'),
  row(5, 'float8_e5m2', 1, 'float', 'f32'),
  row(6, 'float8_e3m4', 1, 'float', 'f32'),
  row(7, 'float8_e4m3fn', 1, 'float', 'f32'),
  row(8, 'int8', 1, 'int', 'i32'),
  row(9, 'int16', 2, 'int', 'i32'),
  row(10, 'int32', 4, 'int', 'i32'),
  row(11, 'uint8', 1, 'int', 'u32'),
  row(12, 'uint16', 2, 'int', 'u32'),
  row(13, 'uint32', 4, 'int', 'u32'),
  row(14, 'bool', 1, 'bool', 'u32'),
  // powers of two: the shared scales of MX types
  row(15, 'float8_e8m0fnu', 1, 'float', 'f32'),
  // four elements of an MX type as one, stored as bits: only nc_matmul_mx and quantize_mx read the single elements
  row(16, 'float8_e5m2_x4', 4, 'packed', 'u32'),
  row(17, 'float8_e4m3fn_x4', 4, 'packed', 'u32'),
  row(18, 'float4_e2m1fn_x4', 2, 'packed', 'u32'),
];

const byName = new Map(dtypes.map(d => [d.name, d]));

/** @throws Error for a name that is not in the table. */
export function dtype(name: string): Dtype {
  const found = byName.get(name);
  if (!found) throw new Error(`unknown dtype ${name}`);
  return found;
}

/** Names of dtypes in Neuron profiles, where they differ from NKI's. `bf16` is read, never written. */
const PROFILE_NAMES: readonly (readonly [name: string, inProfiles: string])[] = [
  ['float32', 'fp32'],
  ['float16', 'fp16'],
  ['tfloat32', 'fp32r'],
];
const inProfiles = new Map(PROFILE_NAMES);
const byProfileName = new Map([
  ...PROFILE_NAMES.map(([name, other]) => [other, dtype(name)] as const),
  ['bf16', dtype('bfloat16')] as const,
]);

/** The name of a dtype in operands of Neuron profiles: `fp32`. */
export const profileName = ({ name }: Dtype): string => inProfiles.get(name) ?? name;

/** A dtype by its NKI name or its profile name; undefined if the name is not known. */
export const dtypeOfProfile = (name: string): Dtype | undefined => byProfileName.get(name) ?? byName.get(name);
