/** The rules of advice there are. A new one is a file of `rules/`, or a part of one, and a row here. */
import type { AdviceRule } from './rule';
import { doubleBuffer } from './rules/buffers';
import { fusedReductions, idleEngine, widerInstructions } from './rules/compute';
import { hardwareDescriptors, keptTiles, mergedDmas, secondQueue } from './rules/dma';
import { narrowMatmuls, sumsInPsum, transposesElsewhere } from './rules/tensor';

export const RULES: readonly AdviceRule[] = [
  doubleBuffer,
  keptTiles,
  hardwareDescriptors,
  mergedDmas,
  secondQueue,
  idleEngine,
  widerInstructions,
  fusedReductions,
  narrowMatmuls,
  transposesElsewhere,
  sumsInPsum,
];
