/** The formats of `view --output-format`: what each needs, and where it goes when no file is named. Who writes them is `exportPieces.ts`. */
import type { ProfileSource, SystemGroups } from '../simulator/index';

export interface Format {
  /** false: what it is cannot go to a terminal. */
  isText: boolean;
  /** Default path for output that is not text. */
  place: string;
  /** It takes several profiles: those after the first are stacked below it. */
  several?: true;
  /** It compares the ranks of a run, whose profiles it takes all. The editor exports one profile, and does not offer it. */
  ofRanks?: true;
  /** A folder of files. */
  isFolder?: true;
  /** What to say of a file that is larger than what opens it takes. */
  large?: { moreThanBytes: number; hint: string };
}

export const FORMATS = {
  'summary-text': { isText: true, place: '' },
  'summary-json': { isText: true, place: '' },
  json: { isText: true, place: '' },
  csv: { isText: true, place: '' },
  ranks: { isText: true, place: '', several: true, ofRanks: true },
  'ranks-json': { isText: true, place: '', several: true, ofRanks: true },
  perfetto: {
    isText: false,
    place: 'ntff.pftrace',
    // a browser has some 2 GB, and Perfetto takes 2 to 4 times the file
    large: {
      moreThanBytes: 300e6,
      hint: 'The trace is large for a browser. `trace_processor --httpd FILE` of Perfetto reads it, and ui.perfetto.dev then shows it from there.',
    },
  },
  html: { isText: false, place: 'report.html', several: true },
  parquet: { isText: false, place: 'parquet', isFolder: true },
} as const satisfies Readonly<Record<string, Format>>;

/** Empty: the file is not too large. */
export const saidOfSize = ({ large }: Format, sizeBytes: number): string => (large && sizeBytes > large.moreThanBytes ? large.hint : '');

export type FormatName = keyof typeof FORMATS;

/** What the reading worker is given to export. */
export interface ExportGiven {
  sources: readonly ProfileSource[];
  /** `nkiprof`: as it is, whatever it was read from. */
  format: FormatName | 'nkiprof';
  /** html. */
  report?: {
    title: string;
    /** Of the profiles after the first. */
    titles: readonly string[];
    /** `main.js` and `main.css` of the webview bundle. */
    script: string;
    style: string;
  };
  /** csv, in nanoseconds: only events that touch it. */
  span?: { startNs: number; endNs: number };
  /** perfetto: arrows from blockers to those that waited. */
  flows?: boolean;
  /** perfetto, of a system profile: how its events are grouped. */
  groups?: SystemGroups;
}
