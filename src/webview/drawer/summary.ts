/** The summary: what bounds the kernel, charts of where time, FLOPs and bytes go, and every metric with its definition. */

import { metricInfo } from '../../simulator/analyze/metricInfo';
import { summary } from '../../simulator/analyze/summary';
import type { ProfileTotals } from '../../simulator/analyze/totals';
import type { Profile } from '../../simulator/profile/profile';
import { tabOrigin } from '../actions/origins';
import type { Analysis } from '../data/analysis';
import { element } from '../dom/element';
import { icon } from '../dom/icons';
import { about } from '../panels/links';
import { sentence } from '../panels/sentence';
import type { View } from '../view/view';
import { byCore, type ChosenCore } from './byCore';
import { dmaChart, engineChart, flopsChart, memoryChart, pathChart } from './charts';
import { metricText } from './metricText';
import { rooflineChart, type ShownRoofs } from './roofline';
import { systemContent } from './systemSummary';
import type { Tab } from './tab';

export function summaryTab(): Tab {
  const chosen: ChosenCore = { core: null };
  const roofs: ShownRoofs = { target: null };
  return {
    id: 'summary',
    title: 'Summary',
    about: 'Metrics with definitions, and charts',
    content: view =>
      view.model?.profile.system
        ? systemContent(view.model.profile)
        : byCore(view, chosen, (profile, analysis) => content(view, profile, analysis, roofs)),
  };
}

function content(view: View, profile: Profile, analysis: Analysis, roofs: ShownRoofs): Node[] {
  const [totals, bounds] = [analysis.totals(), analysis.bounds()];
  const charts = [
    pathChart(bounds),
    engineChart(totals, profile),
    flopsChart(totals, profile),
    memoryChart(totals),
    dmaChart(totals),
    rooflineChart(view, profile, analysis.hierarchy(), roofs),
  ];
  return [
    ...bounds.sentences.map(text => element('p.sentence', {}, ...sentence(view, text, tabOrigin('path', 'Shows the critical path')))),
    element('p.hint', {}, profile.accuracy),
    element('div.blocks', {}, ...charts.filter(chart => chart !== null)),
    metricGroups(profile, totals),
  ];
}

function metricGroups(profile: Profile, totals: ProfileTotals): HTMLElement {
  const groups = new Map<string, HTMLElement[]>();
  for (const [name, value] of Object.entries(summary(profile, totals))) {
    const { group, definition, unit } = metricInfo(name);
    const dt = element('dt', {}, name, about(definition, icon('info')));
    const rows = groups.get(group) ?? [];
    rows.push(element('div.field', { title: definition }, dt, element('dd', {}, metricText(value, unit))));
    groups.set(group, rows);
  }
  const sections = [...groups].map(([group, rows]) => element('section.group', {}, element('h3', {}, group), element('dl', {}, ...rows)));
  return element('div.groups.metrics', {}, ...sections);
}
