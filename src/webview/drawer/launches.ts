/** The kernel calls of a run of several: what each kernel takes, where the script calls it, and the way to each call's own timeline. */
import { bytesText, percentText, timeText } from '../../simulator/analyze/format';
import { type LaunchRow, type LaunchSum, launchSums } from '../../simulator/analyze/launches';
import { markLines } from '../actions/searching';
import { goTo } from '../actions/selection';
import { positionText } from '../data/describe';
import { element } from '../dom/element';
import { countText, instantText } from '../math/units';
import { link, place } from '../panels/links';
import type { View } from '../view/view';
import type { Tab } from './tab';
import { type TableColumn, table, unsorted } from './table';

export function launchesTab(): Tab {
  const sorting = { calls: unsorted(), kernels: unsorted(), sites: unsorted() };
  return {
    id: 'launches',
    title: 'Launches',
    about: 'The kernel calls of the script, each with a timeline of its own',
    isFor: view => (view.model?.profile.launches?.length ?? 0) > 0,
    count: view => view.model?.profile.launches?.length ?? null,
    content(view) {
      const launches = view.model!.analysis.launches();
      const sums = (label: string, by: keyof typeof sorting, name: (launch: LaunchRow) => string, onPress?: (sum: LaunchSum) => void) =>
        table({ label, columns: sumColumns(label), rows: launchSums(launches, name), sorting: sorting[by], onPress });
      const atSite = ({ name }: LaunchSum) =>
        markLines(
          view,
          launches
            .filter(l => siteText(l) === name)
            .slice(0, 1)
            .map(l => l.position),
          false,
        );
      const { launchRefusal } = view.state;
      return [
        ...(launchRefusal === '' ? [] : [element('p.warned', {}, launchRefusal)]),
        element(
          'div.besideOneAnother',
          {},
          sums('Kernel', 'kernels', ({ kernel }) => kernel),
          sums('Called at', 'sites', siteText, atSite),
        ),
        table({
          label: 'Launches',
          columns: columns(view, launches),
          rows: launches,
          sorting: sorting.calls,
          onPress({ instruction }) {
            view.store.update({ tab: 'launches' });
            goTo(view, instruction);
          },
          current: ({ instruction }) => instruction === view.state.selected,
        }),
        element('p.hint', {}, view.model!.profile.accuracy),
      ];
    },
  };
}

const siteText = ({ position }: LaunchRow) => positionText(position);

const sumColumns = (title: string): TableColumn<LaunchSum>[] => [
  { title, text: sum => sum.name, words: true, code: true },
  { title: 'Calls', text: sum => countText(sum.calls), value: sum => sum.calls },
  { title: 'Time', about: 'Of all these calls', text: sum => timeText(sum.timeNs), value: sum => sum.timeNs },
  { title: 'Share', about: 'Of the run', text: sum => percentText(sum.share), value: sum => sum.share, share: sum => sum.share },
];

/** Without columns that are empty in a script without layers or without operations between its calls. */
function columns(view: View, launches: readonly LaunchRow[]): TableColumn<LaunchRow>[] {
  const layer: TableColumn<LaunchRow> = { title: 'Layer', text: launch => launch.layer, words: true, code: true };
  const gap: TableColumn<LaunchRow> = {
    title: 'Gap before',
    about: 'From the end of the call before: operations outside of kernels, and Python where it was measured',
    text: launch => (launch.gapNs > 0 ? timeText(launch.gapNs) : ''),
    value: launch => launch.gapNs,
  };
  const script: TableColumn<LaunchRow> = {
    title: 'Python',
    about: 'Of the gap: what the script took, measured on the machine that simulated. It says nothing of the host of a NeuronCore.',
    text: launch => (launch.scriptNs === undefined ? '' : timeText(launch.scriptNs)),
    value: launch => launch.scriptNs ?? 0,
  };
  return [
    { title: 'Kernel', text: launch => openLink(view, launch), words: true },
    { title: 'Called at', text: launch => place(view, launch.position), words: true },
    ...(launches.some(({ layer }) => layer !== '') ? [layer] : []),
    { title: 'Start', text: launch => instantText(launch.startNs), value: launch => launch.startNs },
    { title: 'Time', text: launch => timeText(launch.timeNs), value: launch => launch.timeNs },
    {
      title: 'Share',
      about: 'Of the run',
      text: launch => percentText(launch.share),
      value: launch => launch.share,
      share: launch => launch.share,
    },
    ...(launches.some(({ gapNs }) => gapNs > 0) ? [gap] : []),
    ...(launches.some(({ scriptNs }) => scriptNs !== undefined) ? [script] : []),
    { title: 'Bytes', about: 'Moved by its DMA', text: launch => bytesText(launch.bytes), value: launch => launch.bytes },
    { title: 'Tensors', about: 'What it reads, then what it writes', text: launch => launch.tensors, words: true, wholePx: 80 },
  ];
}

/** To the timeline of the call. */
export const openLink = (view: View, { kernel, call, profile, ranks }: Pick<LaunchRow, 'kernel' | 'call' | 'profile' | 'ranks'>) =>
  link(`${kernel}${ranks ? ` on ${ranks} ranks` : ''}`, 'Open the timeline of this call', () => view.openLaunch({ kernel, call, profile }));
