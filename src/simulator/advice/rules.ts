/** The rules of advice there are. A new one is a file of `rules/`, or a part of one, and a row here. */
import type { AdviceRule } from './rule';
import { doubleBuffer } from './rules/buffers';
import { delayedScaling, fusedActivations, idleEngine, widerInstructions } from './rules/compute';
import { hardwareDescriptors, mergedDmas, secondQueue } from './rules/dma';
import { fusedLoops, keptResults, keptTiles, smallerTiles } from './rules/reuse';
import { narrowMatmuls, sumsInPsum, transposesElsewhere } from './rules/tensor';

export const RULES: readonly AdviceRule[] = [
  doubleBuffer,
  keptTiles,
  keptResults,
  fusedLoops,
  smallerTiles,
  hardwareDescriptors,
  mergedDmas,
  secondQueue,
  idleEngine,
  widerInstructions,
  fusedActivations,
  delayedScaling,
  narrowMatmuls,
  transposesElsewhere,
  sumsInPsum,
];
