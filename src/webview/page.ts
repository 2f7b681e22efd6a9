/** The page's parts and where they stand. */
import { counterRows } from './counters/rows';
import { element } from './dom/element';
import { drawer } from './drawer/drawer';
import { coreTabs } from './panels/coreTabs';
import { curtain } from './panels/curtain';
import { goToTime } from './panels/goToTime';
import { headline } from './panels/headline';
import { help } from './panels/help';
import { notes } from './panels/notes';
import { overview } from './panels/overview';
import { rankTabs } from './panels/rankTabs';
import { resizer } from './panels/resizer';
import { rowLabels } from './panels/rowLabels';
import { toolbar } from './panels/toolbar';
import { tooltip } from './panels/tooltip';
import { trackMenu } from './panels/trackMenu';
import { tracks } from './panels/tracks';
import { viewMenu } from './panels/viewMenu';
import { stackHeads } from './stack/heads';
import type { Panel, View } from './view/view';

export interface Page {
  root: HTMLElement;
  /** Where the rows are drawn: its size is the view's. */
  area: HTMLElement;
  /** What shares the height that the rest leaves. */
  sharing: HTMLElement[];
  /** In the order in which they draw. */
  panels: Panel[];
  /** So many of them show the rows; the others read the whole profile. */
  firstPanels: number;
  focusSearch(): void;
}

export function page(view: View, retry: () => void): Page {
  const tabs = rankTabs(view);
  const bar = toolbar(view);
  const sentence = headline(view);
  const rows = tracks(view);
  const names = rowLabels(view);
  const strip = overview(view);
  const graphs = counterRows(view);
  const details = drawer(view);
  const below = [notes(view), details];
  const cover = curtain(view, retry);
  const floating = [tooltip(view, rows.element), help(view), trackMenu(view), viewMenu(view), goToTime(view)];
  const cores = coreTabs(view);
  const stage = element('div.stage', {}, element('div.corner'), strip.element, cores.element, rows.axis, names.element, rows.element);
  const heads = stackHeads(view);
  stage.append(heads.element, resizer(view), cover.element);
  const root = element(
    'div.app',
    {},
    tabs.element,
    bar.element,
    sentence.element,
    stage,
    graphs.element,
    ...[...below, ...floating].map(panel => panel.element),
  );
  const first = [cover, tabs, bar, cores, rows, names, heads, strip];
  return {
    root,
    area: rows.element,
    sharing: [stage, graphs.element, details.element],
    panels: [...first, sentence, graphs, ...below, ...floating],
    firstPanels: first.length,
    focusSearch: bar.focusSearch,
  };
}
