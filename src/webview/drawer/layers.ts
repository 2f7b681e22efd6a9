/** The layers of a model or kernel: time, FLOPs, bytes and shares of each with what lies in it, down to the depth that rows are coloured by. */
import { bytesText, percentText, timeText } from '../../simulator/analyze/format';
import { MOST_LAYER_DEPTH } from '../../simulator/analyze/layerSpans';
import { type LayerRow, layerDepth } from '../../simulator/analyze/layers';
import { showSpan } from '../actions/navigation';
import { search } from '../actions/searching';
import { element } from '../dom/element';
import { countText, instantText } from '../math/units';
import { place } from '../panels/links';
import type { View } from '../view/view';
import type { Tab } from './tab';
import { type TableColumn, table, unsorted } from './table';

export function layersTab(): Tab {
  const sorting = unsorted();
  return {
    id: 'layers',
    title: 'Layers',
    about: 'Time, FLOPs and bytes of each named layer',
    isFor: view => view.model?.profile.layers !== undefined,
    content(view) {
      const { model, state } = view;
      const rows = model!.analysis.layers().filter(({ depth }) => depth <= state.layerDepth);
      const onPress = ({ path, startNs, endNs }: LayerRow) => {
        search(view, `layer:/^${escaped(path)}(\\/|$)/`);
        showSpan(view, { startNs, endNs });
      };
      return [
        element('header', {}, depthChoice(view, layerDepth(model!.profile))),
        table({ label: 'Layers', columns: columns(view), rows, sorting, onPress }),
      ];
    },
  };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function depthChoice(view: View, deepest: number): HTMLElement {
  const made = element('select.select', { 'aria-label': 'Depth of layers' });
  for (let depth = 1; depth <= Math.min(deepest, MOST_LAYER_DEPTH); depth++)
    made.append(element('option', { value: depth, selected: depth === view.state.layerDepth }, `depth ${depth}`));
  made.addEventListener('change', () => view.store.update({ layerDepth: Number(made.value), colourBy: 'layer' }));
  return element('label.choice', {}, 'Shown and coloured down to', made);
}

const INDENT = '\u2003';

function columns(view: View): TableColumn<LayerRow>[] {
  return [
    { title: 'Layer', text: row => INDENT.repeat(row.depth - 1) + row.name, words: true, code: true },
    { title: 'First at', text: row => place(view, row.position), words: true },
    { title: 'Start', text: row => instantText(row.startNs), value: row => row.startNs },
    { title: 'End', text: row => instantText(row.endNs), value: row => row.endNs },
    { title: 'Time', about: 'On the critical path, with what lies in it', text: row => timeText(row.timeNs), value: row => row.timeNs },
    { title: 'Share', about: 'Of the kernel body', text: row => percentText(row.share), value: row => row.share, share: row => row.share },
    { title: 'FLOPs', text: row => (row.flops > 0 ? countText(row.flops) : ''), value: row => row.flops },
    {
      title: 'MFU',
      about: 'FLOPs over what the peak of bf16 gives in its time',
      text: row => (row.flops > 0 ? percentText(row.mfu) : ''),
      value: row => row.mfu,
    },
    { title: 'Bytes', about: 'Moved by DMA', text: row => (row.bytes > 0 ? bytesText(row.bytes) : ''), value: row => row.bytes },
    { title: 'Instructions', text: row => countText(row.instructions), value: row => row.instructions },
    { title: 'Transfers', text: row => countText(row.transfers), value: row => row.transfers },
  ];
}
