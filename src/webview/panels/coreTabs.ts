/** Above the names of rows: whose rows are shown, those of all physical cores of a run or of one. A run on one core has nothing to choose. */
import { coresOf } from '../../simulator/profile/ofCore';
import { element } from '../dom/element';
import { ALL_CORES } from '../state/settings';
import type { Panel, View } from '../view/view';

export function coreTabs(view: View): Panel {
  const tabs = element('div.corner.coreTabs', { role: 'group', 'aria-label': 'Cores' });
  let made: { core: number; button: HTMLElement }[] = [];
  const make = (cores: readonly number[]) => {
    made = (cores.length > 0 ? [ALL_CORES, ...cores] : []).map(core => {
      const button = element('button', { type: 'button' }, core === ALL_CORES ? 'All cores' : `Core ${core}`);
      button.addEventListener('click', () => view.store.update({ core }));
      return { core, button };
    });
    tabs.replaceChildren(...made.map(({ button }) => button));
  };
  return {
    element: tabs,
    draw: view.drawing(() => {
      const cores = view.model ? coresOf(view.model.profile) : [];
      // buttons stay, so that they keep the focus
      if (
        cores.join() !==
        made
          .slice(1)
          .map(({ core }) => core)
          .join()
      )
        make(cores);
      const shown = cores.includes(view.state.core) ? view.state.core : ALL_CORES;
      for (const { core, button } of made) button.setAttribute('aria-pressed', String(core === shown));
    }),
  };
}
