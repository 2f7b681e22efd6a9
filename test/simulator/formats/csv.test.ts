import assert from 'node:assert/strict';
import { anchorOf } from '../../../src/simulator/analyze/anchors';
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

  it('ends with the annotations of the span: name, note, and the line of the event', () => {
    const p = syntheticProfile(200);
    const event = 40;
    const timeNs = p.instructions.endNs[event] + 3;
    const annotated = { name: 'late', timeNs: 0, series: 1, note: 'why, here?', anchor: anchorOf(p, event, timeNs) };
    const annotations = [annotated, { name: 'a time', timeNs: 10, series: 0 }];
    const [head, ...all] = rows({ ...p, annotations });
    const [, ...events] = rows(p);
    assert.deepEqual(all.slice(0, -2), events);
    const [first, second] = all.slice(-2).map(row => Object.fromEntries(head.map((name, k) => [name, row[k]])));
    const location = events[event][head.indexOf('nki_source_location')];
    assert.notEqual(location, '');
    assert.deepEqual(
      [first.kind, first.start_ts, first.variable, first.operands, first.id, first.nki_source_location],
      ['annotation', String(Math.round(timeNs)), 'late', 'why, here?', String(event), location],
    );
    assert.deepEqual([second.timeline_track, second.start_ts, second.duration_ns, second.id], ['Annotations', '10', '0', '']);
    assert.equal(rows({ ...p, annotations }, { startNs: 0, endNs: 11 }).filter(([track]) => track === 'Annotations').length, 1);
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
