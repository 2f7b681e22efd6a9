/** The rules of advice there are. A new one is a file of `rules/`, or a part of one, and a row here. */
import type { AdviceRule } from './rule';
import { doubleBuffer, pipelinedLoop } from './rules/buffers';
import { delayedScaling, fusedActivations, idleEngine, widerInstructions } from './rules/compute';
import { hardwareDescriptors, longerRuns, mergedDmas, rowsForColumns, secondQueue } from './rules/dma';
import { interchangedLoops, unrolledLoop } from './rules/loops';
import { fusedLoops, keptResults, keptTiles } from './rules/reuse';
import { fp8Matmuls, narrowMatmuls, sumsInPsum, transposesElsewhere } from './rules/tensor';
import { smallerTiles } from './rules/tiles';

export const RULES: readonly AdviceRule[] = [
  doubleBuffer,
  pipelinedLoop,
  keptTiles,
  keptResults,
  interchangedLoops,
  unrolledLoop,
  fusedLoops,
  smallerTiles,
  hardwareDescriptors,
  mergedDmas,
  longerRuns,
  rowsForColumns,
  secondQueue,
  idleEngine,
  widerInstructions,
  fusedActivations,
  delayedScaling,
  narrowMatmuls,
  fp8Matmuls,
  transposesElsewhere,
  sumsInPsum,
];
