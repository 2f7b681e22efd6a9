/** The drawer's tabs, in their order: what a reader looks at first stands first, where there is room for a few only. */

import type { View } from '../view/view';
import { adviceTab } from './advice';
import { compareTab } from './compare';
import { detailsTab } from './details';
import { eventsTab } from './events';
import { flameTab } from './flame';
import { launchesTab } from './launches';
import { layersTab } from './layers';
import { linesTab } from './lines';
import { markersTab } from './markers';
import { memoryTab } from './memory';
import { opcodesTab } from './opcodes';
import { pathTab } from './path';
import { programTab } from './program';
import { ranksTab } from './ranks';
import { searchTab } from './search';
import { selectionTab } from './selection';
import { summaryTab } from './summary';
import type { Tab } from './tab';
import { tensorsTab } from './tensors';
import { valuesTab } from './values';
import { warningsTab } from './warnings';
import { whatIfTab } from './whatIf';

/** Of a run of several kernel calls nothing is known that is in it: each call's own profile has it. */
const ofOneKernel = (tab: Tab): Tab => ({ ...tab, isFor: view => !view.model?.profile.launches });

/** Nor does a recording of hosts and devices know what a kernel does inside. */
const ofInstructions = (tab: Tab): Tab => ({ ...tab, isFor: view => !view.model?.profile.launches && !view.model?.profile.system });

export const TABS: readonly Tab[] = [
  launchesTab(),
  ofOneKernel(summaryTab()),
  detailsTab(),
  linesTab(),
  ...[adviceTab(), whatIfTab()].map(ofInstructions),
  ofOneKernel(warningsTab()),
  ranksTab(),
  pathTab(),
  layersTab(),
  ...[memoryTab(), valuesTab(), tensorsTab()].map(ofInstructions),
  flameTab(),
  opcodesTab(),
  selectionTab(),
  searchTab(),
  eventsTab(),
  markersTab(),
  compareTab(),
  programTab(),
];

export const tabsOf = (view: View): readonly Tab[] => TABS.filter(tab => tab.isFor?.(view) !== false);

/** The one that was chosen, or the first where this profile has nothing for it. */
export function shownTab(view: View): Tab {
  const tabs = tabsOf(view);
  return tabs.find(({ id }) => id === view.state.tab) ?? tabs[0];
}
