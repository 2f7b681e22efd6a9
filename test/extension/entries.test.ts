/** Which profiles are kept. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Entry, KEPT, parseEntries, withEntry } from '../../src/extension/profiles/entries';

const entry = (id: string, more: Partial<Entry> = {}): Entry => ({
  id,
  key: 'f\nk\n1',
  kernel: 'k',
  target: 'trn2',
  totalNs: Number(id.replace(/\D/g, '')) || 0,
  madeAtMs: Number(id.replace(/\D/g, '')) || 0,
  starred: false,
  ...more,
});
const ids = (entries: Entry[]) => entries.map(e => e.id);

describe('kept profiles', () => {
  it('the newest first, as many as there is room for, and every one with a star', () => {
    let kept: Entry[] = [entry('e1', { starred: true })];
    const dropped: Entry[] = [];
    for (let i = 2; i <= KEPT + 5; i++) {
      const next = withEntry(kept, entry(`e${i}`));
      kept = next.kept;
      dropped.push(...next.dropped);
    }
    assert.equal(kept.length, KEPT + 1);
    assert.equal(kept[0].id, `e${KEPT + 5}`);
    assert.equal(kept.at(-1)?.id, 'e1');
    assert.deepEqual(ids(dropped), ['e2', 'e3', 'e4', 'e5']);
  });

  it('the same result again takes the place of the one before, unless that has a star', () => {
    const again = entry('e9', { totalNs: 5 });
    assert.deepEqual(ids(withEntry([entry('e5')], again).kept), ['e9']);
    assert.deepEqual(ids(withEntry([entry('e5')], again).dropped), ['e5']);
    assert.deepEqual(ids(withEntry([entry('e5', { starred: true })], again).kept), ['e9', 'e5']);
    assert.deepEqual(ids(withEntry([entry('e5', { target: 'trn1' })], again).kept), ['e9', 'e5']);
  });

  it('an index is read back, and a damaged one gives only what is whole', () => {
    const all = [entry('e1'), entry('e2', { starred: true })];
    assert.deepEqual(parseEntries(JSON.stringify(all)), all);
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        for (const e of parseEntries(JSON.stringify([value, all[0]]))) assert.match(e.id, /^[\w-]+$/);
      }),
      { seed: 11 },
    );
    assert.deepEqual(parseEntries(JSON.stringify([{ ...all[0], id: '../../etc/passwd' }])), []);
  });
});
