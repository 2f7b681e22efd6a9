/** All machines. A new generation is a file of its own in this folder, and a row here. */
import type { Machine } from './machine';
import { neuronCoreV2 } from './neuroncoreV2';
import { neuronCoreV3 } from './neuroncoreV3';
import { neuronCoreV4 } from './neuroncoreV4';

export const MACHINES: readonly Machine[] = [neuronCoreV2, neuronCoreV3, neuronCoreV4];

/** The target when none is given: the generation that was measured. */
export const DEFAULT_MACHINE: Machine = neuronCoreV3;
