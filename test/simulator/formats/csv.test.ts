import assert from 'node:assert/strict';
import { csvChunks } from '../../../src/simulator/formats/csv';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

/** RFC 4180, independent of the writer. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
}

const rows = (...args: Parameters<typeof csvChunks>) => parse([...csvChunks(...args)].join(''));

describe('csv', () => {
  it('has a row per event, the track first', () => {
    const p = syntheticProfile(200);
    const [head, ...events] = rows(p);
    assert.equal(head[0], 'timeline_track');
    assert.equal(events.length, p.instructions.startNs.length + p.transfers.startNs.length);
    assert.ok(events.every(row => row.length === head.length));
    for (const [event, row] of events.entries()) assert.equal(row[head.indexOf('id')], String(event));
  });

  it('keeps to the span asked for', () => {
    const p = syntheticProfile(200);
    const span = { startNs: 2000, endNs: 5000 };
    const [head, ...events] = rows(p, span);
    assert.ok(events.length > 0 && events.length < 100);
    for (const row of events) assert.ok(Number(row[head.indexOf('end_ts')]) >= 2000 && Number(row[head.indexOf('start_ts')]) <= 5000);
  });

  it('quotes, and lets no cell be a formula', () => {
    const p = tinyProfile({
      events: [
        { line: 3, track: 'Vector', ready: 0, start: 5, end: 9, operands: 'a,b "c"\nd' },
        { line: 3, track: 'Vector', ready: 9, start: 9, end: 12, operands: '=cmd()' },
      ],
    });
    const [head, first, second] = rows(p);
    assert.equal(first[head.indexOf('operands')], 'a,b "c"\nd');
    assert.equal(second[head.indexOf('operands')], "'=cmd()");
  });
});
