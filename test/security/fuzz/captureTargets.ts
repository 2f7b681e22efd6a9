/** Files of other tools: the JSON of neuron-profile, the Parquet folder of Neuron Explorer, and the JSON that a replay takes. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { anchorOf } from '../../../src/simulator/analyze/anchors';
import { FormatError } from '../../../src/simulator/columns/container';
import { captureOfJson, readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { readCaptureParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { replayCapture } from '../../../src/simulator/replay/replay';
import { explorerJson, explorerTables } from '../../support/explorerCapture';
import { explorerTable } from '../../support/explorerTable';
import { syntheticProfile } from '../../support/syntheticProfile';
import { mutateBytes, mutateJson } from './mutations';
import { below, type FuzzTarget, pick, type Random, readOrRefuse } from './target';
import { useProfile } from './useProfile';

declare const NKI_SCOPE_ROOT: string;

type Tables = Record<string, Record<string, unknown>[]>;

/** Rows of each table that mutants keep. */
const FEW = 6;

/** A real capture of two cores, one of a model, and our own JSON, with a few rows of each table. */
const originals = [
  realCapture(),
  JSON.parse(new TextDecoder().decode(explorerJson())) as Tables,
  ours({ ...syntheticProfile(4), simulated: false }),
  ours(syntheticProfile(4)),
].map(withFewRows);

function realCapture(): Tables {
  const file = path.join(NKI_SCOPE_ROOT, 'test/fixtures/captures/fused_fp32_s512.json.gz');
  return JSON.parse(zlib.gunzipSync(fs.readFileSync(file)).toString());
}

function ours(p: ReturnType<typeof syntheticProfile>): Tables {
  return JSON.parse([...jsonChunks(p)].join(''));
}

function withFewRows(tables: Tables): string {
  const few = Object.entries(tables).map(([name, rows]) => [name, Array.isArray(rows) ? rows.slice(0, FEW) : rows]);
  return JSON.stringify(Object.fromEntries(few.filter(([name]) => name !== 'terminology' && name !== 'summary_groups')));
}

function mutantJson(next: Random): Uint8Array {
  const text = pick(next, originals);
  if (next() < 0.25) return mutateBytes(new TextEncoder().encode(text), next);
  const tables = JSON.parse(text);
  mutateJson(tables, next);
  return new TextEncoder().encode(JSON.stringify(tables));
}

export const captureJsonTarget: FuzzTarget = next => {
  const file = mutantJson(next);
  const cut = below(next, file.length);
  return readOrRefuse(() => useProfile(readCaptureJson([file.subarray(0, cut), file.subarray(cut)], { name: 'x' })), [FormatError]);
};

/** The whole capture: there must be a kernel body. */
const recorded = JSON.stringify(Object.fromEntries(Object.entries(realCapture()).map(([name, rows]) => [name, rows.slice(0, 1000)])));

export const replayTarget: FuzzTarget = next => {
  const tables = JSON.parse(recorded);
  mutateJson(tables, next);
  return readOrRefuse(() => replayCapture(captureOfJson([new TextEncoder().encode(JSON.stringify(tables))], 'x')), [FormatError]);
};

const annotated = syntheticProfile(6);
const anchor = anchorOf(annotated, 1, annotated.instructions.startNs[1]);
const FOLDER = new Map(parquetFiles({ ...annotated, annotations: [{ name: 'x', timeNs: 5, series: 0, anchor }] }));
/** Of a model, with the tables that ours do not have. */
const MODEL = new Map(Object.entries(explorerTables()).map(([name, rows]) => [`${name}.parquet`, explorerTable(rows)]));
const READ = [
  'Instruction',
  'DmaPacket',
  'DmaPacketAggregated',
  'Metadata',
  'Summary',
  'Flow',
  'KernelInstructions',
  'KernelStackFrames',
  'TensorInfo',
  'SbufAllocation',
  'SchemaFields',
];

/** Of `PAR1`, the length of the footer, and the footer's place. */
function footerOf(file: Uint8Array): number {
  return file.length - 8 - new DataView(file.buffer, file.byteOffset).getUint32(file.length - 8, true);
}

/** Bytes of the pages or of the footer changed, the other part as it was; or a whole file's. */
export function mutantTable(file: Uint8Array, next: Random): Uint8Array {
  if (next() < 0.1) return mutateBytes(file, next);
  const footer = footerOf(file);
  const copy = file.slice();
  const [from, to] = next() < 0.5 ? [4, footer] : [footer, file.length - 8];
  for (let n = 1 + below(next, 3); n > 0; n--)
    copy[from + below(next, to - from)] = next() < 0.3 ? pick(next, [0, 1, 127, 128, 255]) : below(next, 256);
  return copy;
}

export const captureParquetTarget: FuzzTarget = next => {
  const ofModel = next() < 0.4;
  const files = new Map(ofModel ? MODEL : FOLDER);
  for (let n = 1 + below(next, 2); n > 0; n--) {
    const name = ofModel ? pick(next, [...MODEL.keys()]) : `${pick(next, READ)}.parquet`;
    files.set(name, mutantTable(files.get(name)!, next));
  }
  return readOrRefuse(async () => useProfile(await readCaptureParquet(files, { name: 'x' })), [FormatError]);
};
