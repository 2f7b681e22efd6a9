/** The formats of `view --output-format`: what writes each, and where to when no file is named. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { csvChunks, encodeProfile, jsonChunks, type Profile, perfettoChunks, summaryJson, summaryText } from '../simulator/index';
import { reportHtml } from '../webview/protocol/report';
import type { Chunk } from './output';

export interface FormatOptions {
  /** Folder of the bundles. */
  dist: string;
  title: string;
  /** Nanoseconds; of events that touch it. */
  span?: { startNs: number; endNs: number };
  flows: boolean;
}

export interface Format {
  chunks(profile: Profile, options: FormatOptions): Iterable<Chunk>;
  /** Not for a terminal: the file it is written to when none is named. */
  file?: string;
}

export const FORMATS: Readonly<Record<string, Format>> = {
  'summary-text': { chunks: p => [summaryText(p)] },
  'summary-json': { chunks: p => [summaryJson(p)] },
  json: { chunks: p => jsonChunks(p) },
  csv: { chunks: (p, { span }) => csvChunks(p, span) },
  perfetto: { chunks: (p, { flows }) => perfettoChunks(p, { flows }), file: 'ntff.pftrace' },
  html: { chunks: report, file: 'report.html' },
};

/** Bytes per piece of base64; a multiple of 3, so that pieces join. */
const BASE64_BYTES = 3 << 18;

function* report(p: Profile, { dist, title }: FormatOptions): Generator<string> {
  const asset = (name: string) => fs.readFileSync(path.join(dist, 'webview', name), 'utf8');
  const packed = zlib.deflateRawSync(encodeProfile(p), { level: 6 });
  yield* reportHtml({
    title,
    script: asset('main.js'),
    style: asset('main.css'),
    profile: base64Pieces(packed),
    nonce: randomBytes(18).toString('base64'),
  });
}

function* base64Pieces(bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; at += BASE64_BYTES) yield bytes.toString('base64', at, Math.min(bytes.length, at + BASE64_BYTES));
}
