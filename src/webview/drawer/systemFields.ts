/** Where an event of a system profile happened: instance, process, thread, cores. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import type { Profile } from '../../simulator/profile/profile';
import type { SystemRow } from '../../simulator/profile/system';
import { element } from '../dom/element';
import { icon } from '../dom/icons';
import { about } from '../panels/links';

const FIELDS: readonly [field: keyof SystemRow, name: string, about: string][] = [
  ['source', 'Source', 'framework: the application; neuron_rt: the runtime, on the host; neuron_hw: the device'],
  ['instanceId', 'Instance', 'The server'],
  ['processId', 'Process', 'Its id on the instance'],
  ['threadId', 'Thread', 'Its id in the process'],
  ['ncIdx', 'NeuronCore', 'Logical core, counted in the process'],
  ['coreIdx', 'Physical core', 'Counted in the device'],
  ['workerGid', 'Worker', 'Number of the NeuronCore among all of the workload'],
  ['streamId', 'Stream', 'Of the framework'],
];

export function systemGroup(p: Profile, event: number): HTMLElement {
  const row = p.tracks[eventValue(p, event, 'track')].system;
  const list = element('dl');
  for (const [field, name, text] of FIELDS) {
    if (!row?.[field]) continue;
    list.append(element('div.field', {}, element('dt', {}, name, about(text, icon('info'))), element('dd', {}, row[field])));
  }
  return element('section.group', {}, element('h3', {}, 'System'), list);
}
