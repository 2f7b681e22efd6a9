/**
 * From what a user, a file or the environment calls a target to its machine. Only those look a machine up by its name that begin with a
 * name: a request, a profile, a capture. The stages of a simulation are given the machine.
 */
import type { Machine } from './machine';
import { DEFAULT_MACHINE, MACHINES } from './machines';

export const TARGETS: readonly string[] = MACHINES.map(({ instanceType }) => instanceType);
export const DEFAULT_TARGET = DEFAULT_MACHINE.instanceType;

const BY_NAME = new Map(MACHINES.flatMap(machine => [machine.instanceType, ...machine.aliases].map(name => [name, machine] as const)));

/** Every spelling of a target, as `NEURON_PLATFORM_TARGET_OVERRIDE` knows them. */
export const TARGET_NAMES: readonly string[] = [...BY_NAME.keys()];

/** @throws Error for a name that is no target; it lists those there are. */
export function machineFor(target: string): Machine {
  const machine = BY_NAME.get(target);
  if (!machine) throw new Error(`unknown target ${target}; known: ${TARGET_NAMES.join(', ')}`);
  return machine;
}

/** The target that an instance type belongs to, `trn2.48xlarge` or `inf2.xlarge`; undefined for one that is not known. */
export const targetOfInstance = (instanceType: string): string | undefined =>
  BY_NAME.get(instanceType.toLowerCase().split('.')[0])?.instanceType;
