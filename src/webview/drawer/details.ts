/** The selected event: why it waited, where it comes from, its fields in groups, its operands, and what it depends on. */
import { describeEvent, type EventDescription } from '../../simulator/analyze/events';
import { hasSource, positionText, title } from '../data/describe';
import type { Model } from '../data/model';
import { element } from '../dom/element';
import { icon } from '../dom/icons';
import { about, place } from '../panels/links';
import type { View } from '../view/view';
import { dependencyCards } from './dependencies';
import { deviceProfiles } from './deviceProfiles';
import { type DrawerField, FIELD_GROUPS } from './fields';
import { openLink } from './launches';
import { operandList } from './operands';
import { systemGroup } from './systemFields';
import type { Tab } from './tab';
import { waitGroup } from './waiting';

export const detailsTab = (): Tab => ({
  id: 'details',
  title: 'Details',
  about: 'The selected event (1)',
  content(view) {
    const { selected } = view.state;
    return view.model && selected !== null ? content(view, describeEvent(view.model.profile, selected)) : [hint(view.model)];
  },
});

const hint = (model: Model | null) =>
  element(
    'p.hint',
    {},
    model?.events === 0
      ? 'There is nothing to select.'
      : 'Click a bar to see its times, its operands, what it waited for and its source line. Press ? for all keys.',
  );

function content(view: View, d: EventDescription): HTMLElement[] {
  const { system } = view.model!.profile;
  const heading = element('header', {}, element('h2', {}, title(d)), element('span.where', {}, `on ${d.track}`));
  const groups = FIELD_GROUPS.map(({ title: name, fields }) => group(name, fields, d)).filter(made => made !== null);
  const operands = d.dma ? null : operandList(view.model!.profile, d.event, d.operands);
  const found = view.model!.analysis.findings().filter(finding => finding.event === d.event);
  const alarms = found.map(({ severity, message }) => element('p.warned', {}, element('b', {}, severity), ` ${message}`));
  const launch = view.model!.profile.launches?.find(({ instruction }) => instruction === d.event);
  return [
    heading,
    ...(launch ? [element('p', {}, 'Open the timeline of this call: ', openLink(view, launch))] : []),
    ...alarms,
    element(
      'div.groups',
      {},
      ...(system ? [systemGroup(view.model!.profile, d.event), deviceProfiles(view, d.event)] : [waitGroup(view, d)]),
      source(view, d),
      ...groups,
      operands,
    ),
    ...dependencyCards(view, d.event),
  ];
}

function source(view: View, d: EventDescription): HTMLElement {
  const heading = element('h3', {}, 'Source');
  if (!d.stack.some(hasSource)) return element('section.group.source', {}, heading, element('span.where', {}, positionText(d.position)));
  const stack = element('ol.stack');
  for (const entry of d.stack)
    stack.append(element('li', {}, place(view, entry), entry.function && element('span.function', {}, ` in ${entry.function}`)));
  return element('section.group.source', {}, heading, element('code.line', {}, d.sourceText || '(no text)'), stack);
}

function group(name: string, fields: readonly DrawerField[], d: EventDescription): HTMLElement | null {
  const list = element('dl');
  for (const field of fields) {
    const value = field.value(d);
    if (value === null) continue;
    const shown = field.code ? element('code', {}, value) : value;
    list.append(element('div.field', {}, element('dt', {}, field.name, about(field.about, icon('info'))), element('dd', {}, shown)));
  }
  return list.children.length === 0 ? null : element(`section.group.${name.toLowerCase()}` as 'section', {}, element('h3', {}, name), list);
}
