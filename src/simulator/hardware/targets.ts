/** From what a user calls a target to its machine. */
import type { Generation } from '../isa/types';
import { targetNames } from './limits';
import type { Machine } from './machine';
import { neuronCoreV2 } from './neuroncoreV2';
import { neuronCoreV3 } from './neuroncoreV3';
import { neuronCoreV4 } from './neuroncoreV4';

const MACHINES: Readonly<Record<Generation, Machine>> = { v2: neuronCoreV2, v3: neuronCoreV3, v4: neuronCoreV4 };

export const TARGETS: readonly string[] = ['trn1', 'trn2', 'trn3'];

/** @throws Error for a name that is no target; it lists those there are. */
export function machineFor(target: string): Machine {
  if (!Object.hasOwn(targetNames, target)) throw new Error(`unknown target ${target}; known: ${Object.keys(targetNames).join(', ')}`);
  return MACHINES[targetNames[target].generation];
}
