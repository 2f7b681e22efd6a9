/**
 * MX types: groups of 8 partitions times 4 packed elements share one power of two (OCP Microscaling Formats v1.0;
 * aws-neuron-sdk nki/api/nki/isa quantize_mx, nc_matmul_mx; nki/deep-dives/mxfp-matmul.rst "Scale Tensor").
 */
import { GROUP_PARTITIONS, scalePartition } from '../../isa/scales';
import { ExecutionError } from '../errors';
import { exponentOf, type FloatFormat, packedElements, powerOfTwo, roundFloat, scaleBits, scaleOf } from '../formats';
import { decode, encode } from '../packing';
import { product } from '../patterns';
import type { Step } from '../step';
import { writeProduct } from './matmul';

const PACKED = 4;
const LOWEST_SCALE = -127;

function formatOf(step: Step, name: string): { format: FloatFormat; bits: number } {
  const dtype = step.dtype(name);
  return { format: packedElements[dtype.name], bits: (dtype.sizeBytes * 8) / PACKED };
}

/** The scales of a tile as numbers, [partitions of the scale tile, columns]. */
function scalesOf(step: Step, name: string): Float64Array {
  const values = step.values(name);
  const asBits = step.dtype(name).name === 'uint8';
  return Float64Array.from(values, x => (asBits ? scaleOf(x) : x));
}

/** [4 * partitions, columns] of numbers: packed element 4 p + e is element e of partition p. */
function dequantized(step: Step, data: string, scale: string): Float32Array {
  const { format, bits } = formatOf(step, data);
  const [partitions] = step.counts(data);
  const columns = step.elements(data) / partitions;
  const [elements, scales] = [step.elementsThrough(step.operand(data)), scalesOf(step, scale)];
  const needed = scalePartition(partitions - 1, step.machine) + 1;
  const [have] = step.counts(scale);
  if (have < needed || product(step.counts(scale)) / have !== columns)
    throw new ExecutionError(
      `${step.row.name}: ${scale} [${step.counts(scale)}] does not go with ${data}; it takes [${needed}, ${columns}]`,
    );
  const out = step.own(PACKED * elements.length);
  for (let p = 0; p < partitions; p++)
    for (let c = 0; c < columns; c++) {
      const word = elements[p * columns + c];
      const factor = scales[scalePartition(p, step.machine) * columns + c];
      for (let e = 0; e < PACKED; e++)
        out[(PACKED * p + e) * columns + c] = decode(format, Math.floor(word / 2 ** (bits * e)) % 2 ** bits) * factor;
    }
  return out;
}

export function matmulMx(step: Step): void {
  const rows = PACKED * step.counts('stationary')[0];
  if (step.counts('moving')[0] * PACKED !== rows)
    throw new ExecutionError(`${step.row.name}: stationary and moving have another number of partitions`);
  writeProduct(step, dequantized(step, 'stationary', 'stationary_scale'), dequantized(step, 'moving', 'moving_scale'), rows);
}

/** Exponent of a group's scale: that of its largest value less the format's own highest, and one more for rounding up. */
function scaleExponent(largest: number, format: FloatFormat): number {
  return largest === 0 ? LOWEST_SCALE : Math.max(LOWEST_SCALE, exponentOf(largest) - (exponentOf(format.largest) - 1));
}

export function quantizeMx(step: Step): void {
  const { format, bits } = formatOf(step, 'dst');
  const [partitions] = step.counts('src');
  const values = step.values('src');
  const columns = values.length / partitions / PACKED;
  const words = new Uint32Array(partitions * columns);
  const [scalePartitions] = step.counts('dst_scale');
  const scales = step.own(scalePartitions * columns);
  const written = new Uint8Array(scales.length);
  const asBits = step.dtype('dst_scale').name === 'uint8';
  const element = (p: number, c: number, e: number) => values[(p * columns + c) * PACKED + e];
  for (let group = 0; group < partitions; group += GROUP_PARTITIONS)
    for (let c = 0; c < columns; c++) {
      const last = Math.min(partitions, group + GROUP_PARTITIONS);
      let largest = 0;
      for (let p = group; p < last; p++) for (let e = 0; e < PACKED; e++) largest = Math.max(largest, Math.abs(element(p, c, e)));
      const scale = powerOfTwo(scaleExponent(largest, format));
      const at = scalePartition(group, step.machine) * columns + c;
      scales[at] = asBits ? scaleBits(scale) : scale;
      written[at] = 1;
      for (let p = group; p < last; p++) {
        let word = 0;
        for (let e = 0; e < PACKED; e++) word += encode(format, roundFloat(format, element(p, c, e) / scale)) * 2 ** (bits * e);
        words[p * columns + c] = word;
      }
    }
  step.writeTo('dst', words);
  step.writeTo('dst_scale', scales, written);
}
