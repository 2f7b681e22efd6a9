/**
 * `csv`: events of a span of time, one row each, for a spreadsheet. First column as in Neuron Explorer's export; fields under
 * the names of its tables. Events that overlap the span are written with their whole times. After the events come the annotations of the
 * span, of the kind `annotation`: the name stands under `variable`, the note under `operands`. Quoting follows RFC 4180.
 */

import { eventCount, eventValue, isTransfer, transferRow } from '../analyze/eventAccess';
import { operandText } from '../analyze/operandText';
import { framePosition, hasSource, iterationText } from '../analyze/places';
import { DIRECTIONS, type EventId, type Profile, STALL_REASONS } from '../profile/profile';
import { annotationsIn } from './annotationsSaid';
import { programCounters } from './neuronWords';

/** In the order of columns. A cell is empty if an event has no such value. */
const COLUMNS = [
  'timeline_track',
  'kind',
  'start_ts',
  'end_ts',
  'duration_ns',
  'evt_wait_time_ns',
  'stall',
  'opcode',
  'operands',
  'id',
  'pc',
  'transfer_bytes',
  'direction',
  'variable',
  'nki_source_location',
  'iteration',
] as const;

const CHUNK_CHARACTERS = 1 << 16;

export interface Span {
  startNs: number;
  endNs: number;
}

export function* csvChunks(p: Profile, span: Span = { startNs: 0, endNs: Number.POSITIVE_INFINITY }): Generator<string> {
  const pc = programCounters(p);
  let chunk = `${COLUMNS.join(',')}\r\n`;
  for (let event = 0; event < eventCount(p); event++) {
    if (eventValue(p, event, 'endNs') < span.startNs || eventValue(p, event, 'startNs') > span.endNs) continue;
    chunk += `${row(p, event, pc).map(cell).join(',')}\r\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  for (const cells of annotationRows(p, span)) chunk += `${cells.map(cell).join(',')}\r\n`;
  yield chunk;
}

/** Where they are in this profile; those whose event it does not have are left out. */
function* annotationRows(p: Profile, { startNs, endNs }: Span): Generator<(string | number)[]> {
  for (const { annotation, timeNs, event } of annotationsIn(p)) {
    if (timeNs < startNs || timeNs > endNs) continue;
    const at = Math.round(timeNs);
    const where = event === undefined ? ['', ''] : sourceCells(p, event);
    yield ['Annotations', 'annotation', at, at, 0, '', '', '', annotation.note ?? '', event ?? '', '', '', '', annotation.name, ...where];
  }
}

function sourceCells(p: Profile, event: EventId): [location: string, iteration: string] {
  const frame = eventValue(p, event, 'frame');
  const { file, line } = framePosition(p, frame);
  return [hasSource(p, frame) ? `${file}:${line}` : '', iterationText(p, eventValue(p, event, 'iteration'))];
}

function row(p: Profile, event: EventId, pc: Uint32Array): (string | number)[] {
  const value = (column: Parameters<typeof eventValue>[2]) => eventValue(p, event, column);
  const [start, end] = [Math.round(value('startNs')), Math.round(value('endNs'))];
  const times = [start, end, end - start, Math.round(value('startNs') - value('readyNs')), STALL_REASONS[value('stall')]];
  const where = sourceCells(p, event);
  const track = p.tracks[value('track')].name;
  if (!isTransfer(p, event)) {
    const opcode = p.opcodes[p.instructions.opcode[event]];
    return [track, 'instruction', ...times, opcode, operandText(p, event), event, pc[event], '', '', '', ...where];
  }
  const t = p.transfers;
  const k = transferRow(p, event);
  const moved = [t.bytes[k], DIRECTIONS[t.direction[k]], p.strings[t.variable[k]]];
  return [track, 'dma', ...times, 'DMA', '', event, '', ...moved, ...where];
}

/** A spreadsheet reads a text that begins with = + - @ as a formula. An apostrophe before it prevents this. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
