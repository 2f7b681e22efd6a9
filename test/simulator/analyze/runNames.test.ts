/** Names tell runs apart, and claim nothing that a profile does not know. */
import assert from 'node:assert/strict';
import { namePartsOf, nameText, numbered } from '../../../src/simulator/analyze/runNames';
import { readSystemJson } from '../../../src/simulator/formats/capture/system/json';
import { systemEvents, systemJson } from '../../support/systemTrace';
import { tinyProfile } from '../../support/tinyProfile';

describe('simulator/analyze/runNames', () => {
  it('says file, kernel, case and target, and numbers those that are alike', () => {
    const profile = tinyProfile({ events: [{ line: 1, track: 'Vector', opcode: 'COPY', ready: 0, start: 0, end: 400 }] });
    const name = nameText(namePartsOf(profile, { caseName: 'small', file: 'a.py' }));
    assert.match(name, /^a\.py: \S+ · small · trn2 · \S+ ns$/);
    assert.deepEqual(numbered([name, 'b', name]), [`${name} · run 1`, 'b', `${name} · run 2`]);
  });

  it('names no kernel’s file and no target for a system profile', () => {
    const profile = readSystemJson([new TextEncoder().encode(systemJson(systemEvents(2)))], { name: 'host_0' });
    assert.match(nameText(namePartsOf(profile)), /^host_0 · system profile · [\d.]+ ms$/);
  });
});
