/**
 * In a process of its own, for derived.mjs: reads a profile as the page does, works out once all that its first complete picture and its
 * panels need, and prints as JSON the processor time of each, ms, which other programs on the machine hardly lengthen.
 */
import fs from 'node:fs';
import { decodeFirst, decodeSlices, firstPart, slicesPart } from '../src/simulator/profile/parts';
import { buildModel, completed } from '../src/webview/data/model';

const [file] = process.argv.slice(2);
const container = fs.readFileSync(file);
const [first, rest] = [firstPart(container, 0), slicesPart(container)];

const tookMs: Record<string, number> = {};
function timed<T>(name: string, make: () => T): T {
  const since = process.cpuUsage();
  const made = make();
  const { user, system } = process.cpuUsage(since);
  tookMs[name] = (user + system) / 1000;
  return made;
}

const { profile } = timed('read', () => decodeFirst(first));
const rows = timed('lay out', () => buildModel(profile));
timed('when rows were busy', () => rows.tracks.map(({ lanes }) => rows.analysis.active(lanes)));
const slices = timed('read slices', () => decodeSlices(rest, profile));
const { analysis } = completed(rows, slices);
const counter = (id: string) => analysis.counters().get(id);
timed('counter: DMA throughput', () => counter('dma'));
timed('counter: HBM read', () => counter('hbmRead'));
timed('counter: pending DMAs', () => counter('pending'));
timed('counter: SBUF usage', () => counter('sbuf'));
timed('totals', () => analysis.totals());
timed('bounds', () => analysis.bounds());
timed('hierarchy', () => analysis.hierarchy());
timed('lines', () => analysis.lines());
timed('tensors', () => analysis.tensors());
console.log(JSON.stringify(tookMs));
