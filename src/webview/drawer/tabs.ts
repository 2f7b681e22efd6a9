/** The drawer's tabs, in their order. */
import { adviceTab } from './advice';
import { compareTab } from './compare';
import { detailsTab } from './details';
import { eventsTab } from './events';
import { flameTab } from './flame';
import { linesTab } from './lines';
import { markersTab } from './markers';
import { memoryTab } from './memory';
import { opcodesTab } from './opcodes';
import { pathTab } from './path';
import { searchTab } from './search';
import { selectionTab } from './selection';
import { summaryTab } from './summary';
import type { Tab } from './tab';
import { tensorsTab } from './tensors';
import { valuesTab } from './values';
import { warningsTab } from './warnings';
import { whatIfTab } from './whatIf';

export const TABS: readonly Tab[] = [
  summaryTab(),
  detailsTab(),
  selectionTab(),
  searchTab(),
  linesTab(),
  opcodesTab(),
  flameTab(),
  pathTab(),
  memoryTab(),
  tensorsTab(),
  valuesTab(),
  adviceTab(),
  whatIfTab(),
  warningsTab(),
  markersTab(),
  eventsTab(),
  compareTab(),
];
