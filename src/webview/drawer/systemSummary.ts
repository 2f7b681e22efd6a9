/** The summary of a system profile: its hosts, how its clocks are aligned, events by kind, and how busy each core was. */
import { percentText, timeText } from '../../simulator/analyze/format';
import { type CoreUse, type EventKind, systemSummary } from '../../simulator/analyze/systemSummary';
import type { Profile } from '../../simulator/profile/profile';
import { element } from '../dom/element';
import { countText, plural } from '../math/units';
import { type TableColumn, table, unsorted } from './table';

const KINDS: readonly TableColumn<EventKind>[] = [
  {
    title: 'Source',
    about: 'framework: the application; neuron_rt: the runtime; neuron_hw: the device',
    text: row => row.source,
    words: true,
  },
  { title: 'Event', text: row => row.name, words: true },
  { title: 'Count', text: row => countText(row.count), value: row => row.count },
  { title: 'Time', about: 'Durations added up', text: row => timeText(row.timeNs), value: row => row.timeNs },
  { title: 'Mean', text: row => timeText(row.timeNs / row.count), value: row => row.timeNs / row.count },
  { title: 'Longest', text: row => timeText(row.longestNs), value: row => row.longestNs },
];

const coreColumns = (totalNs: number): readonly TableColumn<CoreUse>[] => [
  { title: 'Instance', text: ({ row }) => row.instanceId, words: true },
  { title: 'Process', text: ({ row }) => row.processId, words: true },
  {
    title: 'Core',
    about: 'Logical core, and the physical one',
    text: ({ row }) => `NC${row.ncIdx}${row.coreIdx && `:${row.coreIdx}`}`,
    words: true,
  },
  { title: 'Executions', text: ({ executions }) => countText(executions), value: ({ executions }) => executions },
  { title: 'Active', about: 'At least one execution ran', text: ({ activeNs }) => timeText(activeNs), value: ({ activeNs }) => activeNs },
  {
    title: 'Share',
    text: ({ activeNs }) => percentText(activeNs / totalNs),
    value: ({ activeNs }) => activeNs,
    share: ({ activeNs }) => activeNs / totalNs,
  },
];

export function systemContent(profile: Profile): Node[] {
  const { instances, processes, kinds, cores } = systemSummary(profile);
  const hosts = `${plural(processes, 'process').replace('processs', 'processes')} on ${plural(instances.length, 'instance')}: ${instances.join(', ')}`;
  return [
    element('p.sentence', {}, hosts),
    element('p.hint', {}, profile.accuracy),
    ...(cores.length > 0
      ? [
          element('h3', {}, 'NeuronCores'),
          table({ label: 'NeuronCores', columns: coreColumns(Math.max(1, profile.totalTimeNs)), rows: cores, sorting: unsorted() }),
        ]
      : []),
    element('h3', {}, 'Events'),
    table({ label: 'Events', columns: KINDS, rows: kinds, sorting: unsorted() }),
  ];
}
