/**
 * Where a stacked profile stands on the clock of the page's own one. Kernels begin together. A device profile stands at an execution of a system
 * profile, and two system profiles by their Unix times. Pure.
 */
import { eventCount, eventValue } from '../../simulator/analyze/eventAccess';
import { canBeOf, deviceIds, executionsOf } from '../../simulator/analyze/executions';
import { rowValue } from '../../simulator/profile/onDemand';
import type { Profile } from '../../simulator/profile/profile';
import { collectivePart } from './collectiveParts';

export interface OnClock {
  /** Offset of its time from the page's own profile. */
  shiftNs: number;
  /** How they are aligned; absent for kernels. */
  clock?: string;
  /** Event of the system profile that the device profile stands at. */
  execution?: number;
}

export interface Named {
  title: string;
  profile: Profile;
}

/** @param chosen the execution that a person chose; else the first that can be the device profile's */
export function onClock(own: Named, other: Named, chosen?: number): OnClock {
  const [isOwn, isOther] = [own.profile.system, other.profile.system];
  if (isOwn && isOther) return byUnixTime(own.profile, other.profile);
  if (isOwn) return atExecution(own.profile, other, chosen, (systemNs, deviceNs) => deviceNs - systemNs);
  if (isOther) return atExecution(other.profile, own, chosen, (systemNs, deviceNs) => systemNs - deviceNs);
  return { shiftNs: shiftOf(own.profile, other.profile) };
}

function atExecution(
  system: Profile,
  device: Named,
  chosen: number | undefined,
  shift: (systemNs: number, deviceNs: number) => number,
): OnClock {
  const deviceNs = firstNs(device.profile);
  const executions = executionsOf(system);
  const ids = deviceIds(device.title);
  const matching = executions.filter(event => canBeOf(system, event, ids));
  const execution = chosen ?? matching[0];
  if (execution === undefined)
    return {
      shiftNs: shift(firstNs(system), deviceNs),
      clock: 'clock not known: no execution has the ids of its name; both begin together',
    };
  const among = matching.includes(execution) ? matching : executions;
  const place = `at execution ${among.indexOf(execution) + 1} of ${among.length}`;
  const why = matching.includes(execution) ? (among.length > 1 ? ', which of them was recorded is not known' : '') : ', as chosen';
  return { shiftNs: shift(eventValue(system, execution, 'startNs'), deviceNs), clock: `${place}${why}`, execution };
}

function byUnixTime(own: Profile, other: Profile): OnClock {
  const [ownNs, otherNs] = [own, other].map(p => p.system?.startUnixNs ?? '');
  if (ownNs === '' || otherNs === '') return { shiftNs: 0, clock: 'clock not known: both begin together' };
  return { shiftNs: Number(BigInt(ownNs) - BigInt(otherNs)), clock: 'by Unix time' };
}

/** An execution begins with its first instruction. */
function firstNs(p: Profile): number {
  let first = Number.POSITIVE_INFINITY;
  for (let event = 0, events = eventCount(p); event < events; event++) first = Math.min(first, eventValue(p, event, 'startNs'));
  return Number.isFinite(first) ? first : 0;
}

/**
 * Of kernels: their bodies begin together. Ranks of one run end their first common collective
 * together: each captured rank has a clock of its own.
 */
export function shiftOf(own: Profile, other: Profile): number {
  const parts = other === own ? [] : (own.rank?.collectives ?? []).map(each => [each, collectivePart(other, each.number)] as const);
  const common = own.kernel === other.kernel ? parts.find(([, part]) => part !== undefined) : undefined;
  if (!common) return other.bodyStartNs - own.bodyStartNs;
  const endNs = (p: Profile, { transfer }: { transfer: number }) => rowValue(p.transfers, 'endNs', transfer);
  return endNs(other, common[1]!) - endNs(own, common[0]);
}
