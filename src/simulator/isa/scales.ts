/**
 * The partitions with the scales of MX tiles: those of a quadrant are in its first partitions, and the others are empty
 * (aws-neuron-sdk nki/deep-dives/mxfp-matmul.rst "Scale Tensor").
 */
import type { Machine } from '../hardware/machine';

/** Partitions, of 4 packed elements each, that share a scale (OCP Microscaling Formats v1.0). */
export const GROUP_PARTITIONS = 8;

/** Partition of the scale of a group: inside the quadrant that its elements are in. */
export const scalePartition = (partition: number, { quadrantPartitions }: Pick<Machine, 'quadrantPartitions'>) =>
  partition - (partition % quadrantPartitions.value) + Math.floor((partition % quadrantPartitions.value) / GROUP_PARTITIONS);

/** Operands with scales, by row: scale operand -> the operand that they scale. */
export const scaleOperands: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'nki.isa.nc_matmul_mx': { stationary_scale: 'stationary', moving_scale: 'moving' },
};
