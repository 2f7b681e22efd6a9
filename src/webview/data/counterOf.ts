/** The counter that a row shows: of the whole run or, where one of its physical cores is chosen, of that. */
import { coresOf } from '../../simulator/profile/ofCore';
import type { NamedCounter } from './counters';
import type { Model } from './model';

/** @param core as `ViewSettings.core` @returns null: there is no such counter, or it is another core's */
export function counterOf({ profile, analysis }: Model, id: string, core: number): NamedCounter | null {
  const all = analysis.counters();
  if (!coresOf(profile).includes(core)) return all.get(id);
  const own = all.kinds.find(kind => kind.id === id)?.core;
  if (own !== undefined) return own === core ? all.get(id) : null;
  const part = analysis.ofCore(core).analysis.counters().get(id);
  return part && { ...part, name: `${part.name} (nc${core})` };
}
