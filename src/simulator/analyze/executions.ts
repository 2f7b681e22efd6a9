/**
 * Executions of models in a system profile, and the device profiles of them: found by the ids that AWS's documents give to files of device profiles
 * and to events. A device profile does not say which of several executions of its model it is of.
 */

import { rowValue } from '../profile/onDemand';
import type { EventId, Profile } from '../profile/profile';
import { operandListText } from '../profile/profile';
import { eventCount, eventValue } from './eventAccess';
import { EXECUTION } from './systemSummary';

/** Absent: the name does not say it. */
export interface DeviceIds {
  modelId?: string;
  /** Logical NeuronCore. */
  ncIdx?: string;
  instanceId?: string;
  processId?: string;
}

/** `device_profile_model_12.json`, `i-0f2_pid_701/12_instid_0_vnc_1.ntff`, `profile_nc_1_session_2.ntff`. */
export function deviceIds(name: string): DeviceIds {
  const model = /device_profile_model_(\d+)|(\d{4,})_instid_\d+/.exec(name);
  const core = /_vnc_(\d+)|profile_nc_(\d+)_/.exec(name);
  const process = /(i-[0-9a-f]{6,})_pid_(\d+)/.exec(name);
  return {
    ...(model && { modelId: model[1] ?? model[2] }),
    ...(core && { ncIdx: core[1] ?? core[2] }),
    ...(process && { instanceId: process[1], processId: process[2] }),
  };
}

export const isExecution = (p: Profile, event: EventId) =>
  p.system !== undefined && p.opcodes[rowValue(p.instructions, 'opcode', event)] === EXECUTION;

/** In order of time. */
export function executionsOf(p: Profile): EventId[] {
  const found: EventId[] = [];
  for (let event = 0, events = eventCount(p); event < events; event++) if (isExecution(p, event)) found.push(event);
  return found;
}

/** Whether a device profile with these ids can be of this execution: none of the ids that both have is another, and both have one. */
export function canBeOf(p: Profile, event: EventId, ids: DeviceIds): boolean {
  const row = p.tracks[eventValue(p, event, 'track')].system;
  if (!row) return false;
  const text = operandListText(p, rowValue(p.instructions, 'operands', event));
  const own: DeviceIds = {
    modelId: /(?:^| )model_id=(\S+)/.exec(text)?.[1],
    ncIdx: row.ncIdx || undefined,
    instanceId: row.instanceId || undefined,
    processId: row.processId || undefined,
  };
  const shared = (Object.keys(ids) as (keyof DeviceIds)[]).filter(id => ids[id] !== undefined && own[id] !== undefined);
  return shared.length > 0 && shared.every(id => ids[id] === own[id]);
}
