/** The formats of `view --output-format`: what writes each, and where to when no file is named. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import {
  csvChunks,
  encodeProfile,
  jsonChunks,
  PARQUET_EXTENSION,
  type Profile,
  parquetFiles,
  perfettoChunks,
  summaryJson,
  summaryText,
} from '../simulator/index';
import { reportHtml } from '../webview/protocol/report';
import { type Chunk, writeFile, writeFolder } from './output';

export interface FormatOptions {
  /** Folder of the bundles. */
  dist: string;
  title: string;
  /** Nanoseconds; of events that touch it. */
  span?: { startNs: number; endNs: number };
  flows: boolean;
  /** html: stacked below the profile. */
  stacked: readonly { title: string; profile: Profile }[];
  /** Stops the writing; nothing stays behind. */
  signal: AbortSignal;
}

export interface Format {
  /** null: what it is cannot go to a terminal. */
  text: ((profile: Profile, options: FormatOptions) => Iterable<Chunk>) | null;
  write(profile: Profile, options: FormatOptions, place: string): Promise<void>;
  /** Where it is written to when no place is named and it is no text. */
  place: string;
  /** It takes several profiles (`FormatOptions.stacked`). */
  several?: true;
}

type Chunks = (profile: Profile, options: FormatOptions) => Iterable<Chunk>;
const toFile =
  (chunks: Chunks): Format['write'] =>
  (profile, options, place) =>
    writeFile(place, chunks(profile, options), options.signal);
const text = (chunks: Chunks): Format => ({ text: chunks, write: toFile(chunks), place: '' });
const file = (chunks: Chunks, place: string): Format => ({ text: null, write: toFile(chunks), place });

export const FORMATS: Readonly<Record<string, Format>> = {
  'summary-text': text(p => [summaryText(p)]),
  'summary-json': text(p => [summaryJson(p)]),
  json: text(p => jsonChunks(p)),
  csv: text((p, { span }) => csvChunks(p, span)),
  perfetto: file((p, { flows }) => perfettoChunks(p, { flows }), 'ntff.pftrace'),
  html: { ...file(report, 'report.html'), several: true },
  parquet: {
    text: null,
    write: (p, { signal }, place) =>
      writeFolder(place, parquetFiles(p), names => names.every(name => name.endsWith(PARQUET_EXTENSION)), signal),
    place: 'parquet',
  },
};

/** Bytes per piece of base64; a multiple of 3, so that pieces join. */
const BASE64_BYTES = 3 << 18;

function* report(p: Profile, { dist, title, stacked }: FormatOptions): Generator<string> {
  const asset = (name: string) => fs.readFileSync(path.join(dist, 'webview', name), 'utf8');
  yield* reportHtml({
    title,
    script: asset('main.js'),
    style: asset('main.css'),
    profile: packed(p),
    stacked: stacked.map(({ title, profile }) => ({ title, profile: packed(profile) })),
    sha256: text => createHash('sha256').update(text).digest('base64'),
  });
}

/** One at a time: packed when it is written. */
function* packed(p: Profile): Generator<string> {
  const bytes = zlib.deflateRawSync(encodeProfile(p), { level: 6 });
  for (let at = 0; at < bytes.length; at += BASE64_BYTES) yield bytes.toString('base64', at, Math.min(bytes.length, at + BASE64_BYTES));
}
