/** Growing rows keep what was written, and gathering picks the rows asked for. */
import assert from 'node:assert/strict';
import { filled, gathered, resized, roomFor } from '../../../src/simulator/columns/rows';

describe('growing rows', () => {
  it('doubles all columns when full, and not before', () => {
    let rows = { a: new Float64Array(64), b: new Uint8Array(64) };
    const before = rows;
    rows = roomFor(rows, rows.a.length, 63);
    assert.equal(rows, before);
    for (let k = 0; k < 200; k++) {
      rows = roomFor(rows, rows.a.length, k);
      rows.a[k] = k / 2;
      rows.b[k] = k;
    }
    const cut = resized(rows, 200);
    assert.deepEqual([cut.a.length, cut.b.length, cut.a[199], cut.b[199]], [200, 200, 99.5, 199]);
    assert.ok(cut.b instanceof Uint8Array);
  });

  it('gathers every column type, and fills by row', () => {
    const rows = Uint32Array.of(2, 0, 2);
    assert.deepEqual(
      filled(new Int32Array(3), rows, row => row * 10),
      Int32Array.of(20, 0, 20),
    );
    for (const make of [Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array])
      assert.deepEqual(gathered(make.of(1, 2, 3), rows), make.of(3, 1, 3));
  });
});
