/** Profiles in other formats, in the reading worker: what is written comes out in pieces, as it is made. */
import { createHash } from 'node:crypto';
import zlib from 'node:zlib';
import {
  answersOf,
  csvChunks,
  encodeProfile,
  jsonChunks,
  type OutputPiece,
  type Profile,
  packNkiprof,
  parquetFiles,
  perfettoChunks,
  ReadingError,
  ranksJson,
  ranksText,
  readContainer,
  readProfile,
  type Send,
  summaryJson,
  summaryText,
} from '../simulator/index';
import { reportHtml } from '../webview/protocol/report';
import type { Chunk } from './output';
import type { ExportGiven, FormatName } from './viewFormats';

type Chunks = (profiles: readonly Profile[], given: ExportGiven) => Iterable<Chunk>;

const CHUNKS: Readonly<Record<Exclude<FormatName, 'parquet'>, Chunks>> = {
  'summary-text': ([p]) => [summaryText(p)],
  'summary-json': ([p]) => [summaryJson(p)],
  json: ([p]) => jsonChunks(p),
  csv: ([p], { span }) => csvChunks(p, span),
  ranks: profiles => [ranksText(profiles)],
  'ranks-json': profiles => [ranksJson(profiles)],
  perfetto: ([p], { flows = false, groups }) => perfettoChunks(p, { flows, groups }),
  html: report,
};

/** Formats whose tables are those of a device. */
const OF_DEVICES: readonly string[] = ['json', 'parquet'];

/** The job `export` of the reading worker. @throws ReadingError */
export async function exportPieces(given: ExportGiven, send: Send): Promise<null> {
  for await (const piece of piecesOf(given)) await send(piece);
  return null;
}

async function* piecesOf(given: ExportGiven): AsyncGenerator<OutputPiece> {
  const { sources, format } = given;
  if (format === 'nkiprof') {
    yield { bytes: packNkiprof(await readContainer(sources[0]), (bytes, { level }) => Buffer.concat([...deflated(bytes, level)])).slice() };
    return;
  }
  const profiles: Profile[] = [];
  for (const source of sources) profiles.push(await readProfile(source));
  if (profiles[0]?.system && OF_DEVICES.includes(format))
    throw new ReadingError('format', `a system profile is not written as ${format}: csv, html, perfetto and the summaries have all of it`);
  if (format === 'parquet') for (const [name, bytes] of parquetFiles(profiles[0])) yield { name, bytes: bytes.slice() };
  else for (const bytes of gathered(CHUNKS[format](profiles, given))) yield { bytes };
}

/** Chunks of text are small, and travel together. */
const PIECE_LENGTH = 256 * 1024;

/** Each piece in memory of its own: it is given away. */
function* gathered(chunks: Iterable<Chunk>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = '';
  for (const chunk of chunks) {
    if (typeof chunk !== 'string') {
      yield chunk.slice();
      continue;
    }
    text += chunk;
    if (text.length < PIECE_LENGTH) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}

/** The advice of a larger profile keeps a core busy for many seconds. */
const MOST_TRIED_EVENTS = 20_000;
/** Bytes per piece of base64; a multiple of 3, so that pieces join. */
const BASE64_BYTES = 3 << 18;

function* report([p, ...others]: readonly Profile[], { report }: ExportGiven): Generator<string> {
  if (!report) throw new Error('a report needs a title and the bundle of its page');
  const { titles, ...parts } = report;
  yield* reportHtml({
    ...parts,
    profile: packed(p),
    experiments: experimentsOf(p),
    stacked: others.map((profile, i) => ({ title: titles[i], profile: packed(profile) })),
    sha256: text => createHash('sha256').update(text).digest('base64'),
  });
}

/** Null where it cannot be timed again, and where that would take longer than the rest. */
function experimentsOf(p: Profile): string | null {
  const answers = p.instructions.startNs.length + p.transfers.startNs.length > MOST_TRIED_EVENTS ? null : answersOf(p);
  return answers && JSON.stringify(answers);
}

/** One at a time: packed when it is written. */
function* packed(p: Profile): Generator<string> {
  const bytes = Buffer.concat([...deflated(encodeProfile(p), 6)]);
  for (let at = 0; at < bytes.length; at += BASE64_BYTES) yield bytes.toString('base64', at, Math.min(bytes.length, at + BASE64_BYTES));
}

/** The thread can be ended only between two of them. */
const DEFLATE_BYTES = 4 << 20;

/** One stream of deflate (RFC 1951), made in steps: each but the last ends in a flush, and the next goes on from there. */
function* deflated(bytes: Uint8Array, level: number): Generator<Buffer> {
  for (let at = 0; at === 0 || at < bytes.length; at += DEFLATE_BYTES) {
    const isLast = at + DEFLATE_BYTES >= bytes.length;
    const finishFlush = isLast ? zlib.constants.Z_FINISH : zlib.constants.Z_SYNC_FLUSH;
    yield zlib.deflateRawSync(bytes.subarray(at, at + DEFLATE_BYTES), { level, finishFlush });
  }
}
