/**
 * The data about machines for the Python front end, as JSON: names, sizes that kernels use, and features. The build writes it into
 * `table.json`. A job of an experiment contains the data of its own machine. Times are not included.
 */
import type { Fact } from './facts';
import type { FeatureName, Machine } from './machine';
import { DEFAULT_MACHINE, MACHINES } from './machines';
import { MOST_RANKS } from './network';

/** Sizes by their names in Python's `LIMITS`. */
function limits(m: Machine) {
  return {
    partitions: m.partitions.value,
    psumBankBytes: m.psumBankBytes.value,
    psumBanks: m.psumBytesPerPartition.value / m.psumBankBytes.value,
    sbufPartitionBytes: m.sbufBytesPerPartition.value,
    sbufReservedBytes: m.sbufReservedBytesPerPartition.value,
    stationaryFree: m.maxStationaryColumns.value,
    movingFree: m.gemmMovingColumns.value,
    /** In fp32 elements. Larger than `movingFree` if a product may cover several banks. */
    widestMovingFree: m.maxMovingColumns.value,
    arrayTileSizes: m.arrayTileSizes.value,
    bnStatsColumns: m.bnStatsColumns.value,
    vectorTransposeSide: m.vectorTransposeSize.value,
    gpsimdPartitions: m.gpsimdPartitions.value,
    quadrantPartitions: m.quadrantPartitions.value,
    dmaTransposeRows: m.dmaTransposeRows.value,
    dmaTransposeFree: m.dmaTransposeColumns.value,
    psumMinAlignBytes: m.psumAlignmentBytes.value,
    sbufMinAlignBytes: m.sbufMinAlignmentBytes.value,
  };
}

/** The features of the machine, and that of its DMA engines. */
function features(m: Machine): Record<FeatureName | 'hardwareDescriptors', boolean> {
  const own = Object.entries(m.features).map(([name, { value }]: [string, Fact<boolean>]) => [name, value]);
  return { ...Object.fromEntries(own), hardwareDescriptors: m.dma.triggers.hardware !== undefined };
}

export type MachineForPython = ReturnType<typeof machineForPython>;

export const machineForPython = (machine: Machine) => ({
  generation: machine.generation,
  target: machine.instanceType,
  aliases: machine.aliases,
  instructionSet: machine.instructionSet,
  limits: limits(machine),
  features: features(machine),
});

export const machinesForPython = () => ({
  machines: MACHINES.map(machineForPython),
  defaultTarget: DEFAULT_MACHINE.instanceType,
  mostRanks: MOST_RANKS,
});
