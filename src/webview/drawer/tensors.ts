/** Tensors of the kernel: shape, size, and how often DMA moved them. */
import { bytesText } from '../../simulator/analyze/format';
import type { TensorTraffic } from '../../simulator/analyze/tensorTraffic';
import { search } from '../actions/searching';
import { countText } from '../math/units';
import type { Tab } from './tab';
import { type TableColumn, table, unsorted } from './table';

const mean = (bytes: number, count: number) => (count > 0 ? bytes / count : 0);
const sizeText = (bytes: number) => (bytes > 0 ? bytesText(Math.round(bytes)) : '');

const COLUMNS: readonly TableColumn<TensorTraffic>[] = [
  { title: 'Tensor', text: row => row.name, words: true, code: true },
  { title: 'Type', text: row => row.type, words: true },
  { title: 'Format', text: row => row.dtype, words: true, code: true },
  { title: 'Shape', text: row => row.shape.join(' '), words: true, code: true },
  { title: 'Size', text: row => sizeText(row.sizeBytes ?? 0), value: row => row.sizeBytes ?? 0 },
  { title: 'Load total', about: 'Bytes loaded', text: row => sizeText(row.loadedBytes), value: row => row.loadedBytes },
  { title: 'Load DMAs', text: row => (row.loads > 0 ? countText(row.loads) : ''), value: row => row.loads },
  { title: 'Load avg', text: row => sizeText(mean(row.loadedBytes, row.loads)), value: row => mean(row.loadedBytes, row.loads) },
  {
    title: 'Repeat factor',
    about: 'Bytes loaded / size: 1 reads the tensor once. Above 2 it is worth keeping in SBUF.',
    text: row => (row.repeatFactor ? `${row.repeatFactor.toFixed(2)} ×` : ''),
    value: row => row.repeatFactor ?? 0,
  },
  { title: 'Stored', text: row => sizeText(row.storedBytes), value: row => row.storedBytes },
  { title: 'Store DMAs', text: row => (row.stores > 0 ? countText(row.stores) : ''), value: row => row.stores },
];

export function tensorsTab(): Tab {
  const sorting = unsorted();
  return {
    id: 'tensors',
    title: 'Tensors',
    about: 'Inputs and outputs, with how often they were loaded',
    content: view => [
      table({
        label: 'Tensors',
        columns: COLUMNS,
        rows: view.model!.analysis.tensors(),
        sorting,
        onPress: row => search(view, `tensor:/^${row.name}$/`),
      }),
    ],
  };
}
