/**
 * Finds a machine by the name of a target, as users, files and the environment spell it. Only requests, profiles and captures look up
 * machines by name. The stages of a simulation get the machine as a value.
 */
import type { Machine } from './machine';
import { DEFAULT_MACHINE, MACHINES } from './machines';

export const TARGETS: readonly string[] = MACHINES.map(({ instanceType }) => instanceType);
export const DEFAULT_TARGET = DEFAULT_MACHINE.instanceType;

const BY_NAME = new Map(MACHINES.flatMap(machine => [machine.instanceType, ...machine.aliases].map(name => [name, machine] as const)));

/** Every spelling of a target that `NEURON_PLATFORM_TARGET_OVERRIDE` accepts. */
export const TARGET_NAMES: readonly string[] = [...BY_NAME.keys()];

/** @throws Error for a name that is no target; the message lists all targets. */
export function machineFor(target: string): Machine {
  const machine = BY_NAME.get(target);
  if (!machine) throw new Error(`unknown target ${target}; known: ${TARGET_NAMES.join(', ')}`);
  return machine;
}

/** The target that an instance type belongs to, `trn2.48xlarge` or `inf2.xlarge`; undefined for an unknown one. */
export const targetOfInstance = (instanceType: string): string | undefined =>
  BY_NAME.get(instanceType.toLowerCase().split('.')[0])?.instanceType;
