/**
 * Access patterns of an instruction, written as neuron-profile writes them: `src=fp32@0x36500[1,0,0][128,1,1]`, steps and sizes by
 * dimension. They are known for the opcodes in public recordings, and agree with AWS's summaries of these (bytes read and written on
 * chip). PSUM begins at 0x2000000.
 */

import { accessWord } from '../../../compile/operands/text';

interface Pattern {
  name: string;
  /** Byte offset of its address; steps and sizes, i16 and u16, follow. */
  at: number;
  dimensions: number;
  /** Position of its data type; null: the text has none. */
  dtypeAt: number | null;
  /** Data types of two operands share a byte. */
  half?: 'low' | 'high';
}

const MOVING: Pattern = { name: 'src', at: 16, dimensions: 3, dtypeAt: 32 };
const COPIED: readonly Pattern[] = [
  { name: 'src', at: 12, dimensions: 4, dtypeAt: 32 },
  { name: 'dst', at: 44, dimensions: 4, dtypeAt: 33 },
];

const ACTIVATE = 33;

/** By opcode. */
const PATTERNS: Readonly<Record<number, readonly Pattern[]>> = {
  1: [MOVING],
  2: [MOVING, { name: 'dst', at: 48, dimensions: 3, dtypeAt: null }],
  [ACTIVATE]: [
    { name: 'src', at: 16, dimensions: 3, dtypeAt: 32, half: 'low' },
    { name: 'dst', at: 48, dimensions: 3, dtypeAt: 33 },
  ],
  65: [
    { name: 'src0', at: 16, dimensions: 3, dtypeAt: 12, half: 'low' },
    { name: 'src1', at: 32, dimensions: 3, dtypeAt: 12, half: 'high' },
    { name: 'dst', at: 48, dimensions: 3, dtypeAt: 13 },
  ],
  70: COPIED,
  71: COPIED,
};

/** Others are shown by their numbers. */
const DTYPES: Readonly<Record<number, string>> = { 6: 'bf16', 7: 'fp16', 10: 'fp32' };

/** Offset of the flag of matmuls that only transpose. */
const TRANSPOSE_AT = 34;
const ON_ARRAY = new Set([1, 2]);

/** Empty for other opcodes. */
export function patternsText(word: Uint8Array): string {
  const patterns = PATTERNS[word[0]] ?? [];
  const transposing = ON_ARRAY.has(word[0]) && word[TRANSPOSE_AT] === 1 ? ['transpose_mode=ENABLED'] : [];
  return [...transposing, ...sideValues(word), ...patterns.map(pattern => patternText(word, pattern))].join(' ');
}

/** Scale and bias of an ACTIVATE: numbers, or addresses of values in SBUF. */
const SIDES = [
  { name: 'bias', number: 'imm', at: 40, isPointer: (word: Uint8Array) => word[12] === 0 },
  { name: 'scale', number: 'scale', at: 36, isPointer: (word: Uint8Array) => word[13] === 1 },
];

function sideValues(word: Uint8Array): string[] {
  if (word[0] !== ACTIVATE) return [];
  const view = new DataView(word.buffer, word.byteOffset);
  return SIDES.map(({ name, number, at, isPointer }) =>
    isPointer(word) ? `${name}_ptr=fp32@0x${view.getUint32(at, true).toString(16)}` : `${number}=${view.getFloat32(at, true).toFixed(6)}`,
  );
}

function patternText(word: Uint8Array, { name, at, dimensions, dtypeAt, half }: Pattern): string {
  const view = new DataView(word.buffer, word.byteOffset + at);
  const indices = Array.from({ length: dimensions }, (_, k) => k);
  const steps = indices.map(k => view.getInt16(4 + 2 * k, true));
  const counts = indices.map(k => view.getUint16(4 + 2 * (dimensions + k), true));
  const dtype = dtypeAt === null ? null : dtypeName(word[dtypeAt], half);
  return accessWord({ name, dtype, addressBytes: view.getUint32(0, true), steps, counts });
}

function dtypeName(byte: number, half: Pattern['half']): string {
  const code = half === 'high' ? byte >> 4 : byte & 15;
  return DTYPES[code] ?? `dtype${code}`;
}
