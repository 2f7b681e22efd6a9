/** Content of a tab for the whole run or for one of its cores, as the reader picks; of a run on one core there is nothing to pick. */
import { coresOf } from '../../simulator/profile/ofCore';
import type { Profile } from '../../simulator/profile/profile';
import type { Analysis } from '../data/analysis';
import { element } from '../dom/element';
import type { View } from '../view/view';

/** What a tab remembers: a core's number; null: the run. */
export interface ChosenCore {
  core: number | null;
}

export function byCore(view: View, chosen: ChosenCore, content: (profile: Profile, analysis: Analysis) => Node[]): Node[] {
  const { profile, analysis } = view.model!;
  const cores = coresOf(profile);
  if (cores.length === 0) return content(profile, analysis);
  if (chosen.core !== null && !cores.includes(chosen.core)) chosen.core = null;
  const picker = element('select.select', { 'aria-label': 'Core' });
  for (const core of [null, ...cores])
    picker.append(element('option', { value: core ?? '', selected: core === chosen.core }, core === null ? 'all cores' : `core ${core}`));
  const body = element('div.ofCore');
  const fill = () => {
    const part = chosen.core === null ? { profile, analysis } : analysis.ofCore(chosen.core);
    body.replaceChildren(...content(part.profile, part.analysis));
  };
  picker.addEventListener('change', () => {
    chosen.core = picker.value === '' ? null : Number(picker.value);
    fill();
  });
  fill();
  return [element('header', {}, picker), body];
}
