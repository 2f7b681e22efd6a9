/**
 * Sizes that kernels are written against: what `nl.tile_size` prints and what the front end checks calls with.
 * Times, rates and the full machines are in this folder's other files.
 * Source: aws-neuron-sdk nki/api/nki.language.tile_size.rst, nki/guides/architecture/*_arch.rst "Memory" (documented).
 */
import type { Generation } from '../isa/types';

const KIB = 1024;

export const tileLimits = {
  /** Partitions of SBUF and PSUM. */
  partitions: 128,
  /** One PSUM bank, per partition. */
  psumBankBytes: 2 * KIB,
  psumBanks: 8,
  /** Free elements of the operands of a matmul. */
  stationaryFree: 128,
  movingFree: 512,
  bnStatsFree: 512,
  /** Side of a transpose on VectorE. */
  vectorTransposeSide: 32,
  /** Partitions of one GpSimd core, and of a quadrant, within which VectorE moves data between partitions. */
  gpsimdPartitions: 16,
  quadrantPartitions: 32,
  /** Rows of a transpose by the DMA engines with hardware descriptors; free elements of any. */
  dmaTransposeRows: 16,
  dmaTransposeFree: 128,
  psumMinAlignBytes: 4,
  sbufMinAlignBytes: 1,
} as const;

/** SBUF capacity of one partition. */
export const sbufPartitionBytes: Readonly<Record<Generation, number>> = { v2: 192 * KIB, v3: 224 * KIB, v4: 256 * KIB };

/** Names of the targets, as `NEURON_PLATFORM_TARGET_OVERRIDE` spells them. */
export const targetNames: Readonly<Record<string, { target: string; generation: Generation }>> = {
  trn1: { target: 'trn1', generation: 'v2' },
  inf2: { target: 'trn1', generation: 'v2' },
  gen2: { target: 'trn1', generation: 'v2' },
  trn2: { target: 'trn2', generation: 'v3' },
  gen3: { target: 'trn2', generation: 'v3' },
  trn3: { target: 'trn3', generation: 'v4' },
  gen4: { target: 'trn3', generation: 'v4' },
};
