/**
 * Reads NumPy's .npy format (versions 1 to 3) into packed C-order bytes: inputs that the user gives as files; writes numbers in it. It does
 * not access the disk.
 */

export interface NpyArray {
  dtype: string;
  shape: number[];
  /** C order, little-endian. */
  bytes: Uint8Array;
}

/** The file is not a readable .npy file; the message is for the user. */
export class NpyError extends Error {
  override name = 'NpyError';
}

/** NumPy's type string without its byte order -> our dtype and its size. ml_dtypes saves bfloat16 as `V2` and float8_e4m3 as `V1`. */
const TYPES: Record<string, [dtype: string, sizeBytes: number]> = {
  f2: ['float16', 2],
  f4: ['float32', 4],
  f8: ['float64', 8],
  i1: ['int8', 1],
  i2: ['int16', 2],
  i4: ['int32', 4],
  i8: ['int64', 8],
  u1: ['uint8', 1],
  u2: ['uint16', 2],
  u4: ['uint32', 4],
  u8: ['uint64', 8],
  b1: ['bool', 1],
  V2: ['bfloat16', 2],
  V1: ['float8_e4m3', 1],
};

const MAGIC = '\x93NUMPY';

/** @throws NpyError */
export function readNpy(file: Uint8Array): NpyArray {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 12 || String.fromCharCode(...file.subarray(0, 6)) !== MAGIC) throw new NpyError('it is not a .npy file');
  const wide = file[6] >= 2;
  const headerStart = wide ? 12 : 10;
  const dataStart = headerStart + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  if (dataStart > file.length) throw new NpyError('the .npy file is cut short');
  const { descr, fortran, shape } = parseHeader(new TextDecoder().decode(file.subarray(headerStart, dataStart)));
  const type = Object.hasOwn(TYPES, descr.slice(1)) ? TYPES[descr.slice(1)] : undefined;
  if (!type) throw new NpyError(`its dtype ${descr} is not one that NKI Scope reads`);
  if (descr[0] === '>' && type[1] > 1) throw new NpyError('it is big-endian: save it in the native byte order');
  const [dtype, sizeBytes] = type;
  const data = file.subarray(dataStart, dataStart + shape.reduce((n, d) => n * d, 1) * sizeBytes);
  if (data.length !== shape.reduce((n, d) => n * d, sizeBytes)) throw new NpyError('the .npy file is cut short');
  return { dtype, shape, bytes: fortran ? toRowMajor(data, shape, sizeBytes) : data };
}

/** Of where the numbers begin, as NumPy has it. */
const ALIGNMENT = 64;

/** A file (version 1) with these numbers: as float32 where that holds them all, else as float64. @param values row-major */
export function writeNpy(shape: readonly number[], values: ArrayLike<number>): Uint8Array {
  const narrow = Float32Array.from(values);
  const isExact = narrow.every((value, k) => Object.is(value, values[k]) || value === values[k]);
  const numbers = isExact ? narrow : Float64Array.from(values);
  const listed = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const header = `{'descr': '${isExact ? '<f4' : '<f8'}', 'fortran_order': False, 'shape': (${listed}), }`;
  const dataStart = Math.ceil((10 + header.length + 1) / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(dataStart + numbers.byteLength);
  const text = `${MAGIC}\x01\x00${String.fromCharCode((dataStart - 10) & 255, (dataStart - 10) >> 8)}${header.padEnd(dataStart - 11)}\n`;
  for (let k = 0; k < dataStart; k++) file[k] = text.charCodeAt(k);
  file.set(new Uint8Array(numbers.buffer), dataStart);
  return file;
}

function parseHeader(text: string): { descr: string; fortran: boolean; shape: number[] } {
  const descr = /'descr':\s*'([<>|=][A-Za-z]\d+)'/.exec(text)?.[1];
  const fortran = /'fortran_order':\s*(True|False)/.exec(text)?.[1];
  const shape = /'shape':\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (!descr || !fortran || shape === undefined) throw new NpyError('its header does not parse (only plain arrays can be read)');
  return { descr, fortran: fortran === 'True', shape: shape.split(',').flatMap(d => (d.trim() ? [Number(d)] : [])) };
}

/** Column-major to row-major. */
function toRowMajor(data: Uint8Array, shape: number[], sizeBytes: number): Uint8Array {
  const result = new Uint8Array(data.length);
  const strides = shape.map((_, k) => shape.slice(0, k).reduce((n, d) => n * d, sizeBytes));
  const index = shape.map(() => 0);
  for (let to = 0; to < result.length; to += sizeBytes) {
    const from = index.reduce((sum, i, k) => sum + i * strides[k], 0);
    for (let b = 0; b < sizeBytes; b++) result[to + b] = data[from + b];
    for (let k = shape.length - 1; k >= 0 && ++index[k] === shape[k]; k--) index[k] = 0;
  }
  return result;
}
