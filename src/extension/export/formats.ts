/** The export formats: those of the command line, and the unchanged profile file. It has names and suffixes; write.ts writes the files. */
import { NKIPROF_EXTENSION, PARQUET_EXTENSION } from '../../simulator/index';

export interface ExportFormat {
  /** The name for `view --output-format`; our own file has none there. */
  name: string;
  label: string;
  description: string;
  /** Suffix of the proposed file, after the kernel's name. Without a dot it is a folder. */
  suffix: string;
}

export const OWN_FORMAT = NKIPROF_EXTENSION.slice(1);

export const EXPORT_FORMATS: readonly ExportFormat[] = [
  { name: OWN_FORMAT, label: 'NKI Scope profile', description: 'all of it, to be opened again or compared', suffix: NKIPROF_EXTENSION },
  { name: 'html', label: 'HTML report', description: 'the timeline in one page, for any browser', suffix: '.html' },
  { name: 'perfetto', label: 'Perfetto trace', description: 'for ui.perfetto.dev', suffix: '.pftrace' },
  { name: 'json', label: 'JSON', description: "in neuron-profile's schema", suffix: '.json' },
  { name: 'csv', label: 'CSV', description: 'a row per event', suffix: '.csv' },
  {
    name: 'parquet',
    label: 'Parquet tables',
    description: `Neuron Explorer's, a folder of ${PARQUET_EXTENSION} files`,
    suffix: '-parquet',
  },
  { name: 'summary-text', label: 'Summary as text', description: 'metrics by their Neuron names', suffix: '-summary.txt' },
  { name: 'summary-json', label: 'Summary as JSON', description: 'metrics for programs', suffix: '-summary.json' },
];
