import assert from 'node:assert/strict';
import { ProgramBuilder } from '../../../support/programs';
import { executed, random, valuesOf } from '../../../support/values';

describe('copies, fills and transposes', () => {
  it('copy: load, store, strided, regrouped, broadcast by stride 0', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [4, 6], 'float32', 'input');
    const tile = b.sbuf('tile', [2, 2, 3]);
    const out = b.hbm('out', [2, 6], 'float32', 'output');
    const rows = b.sbuf('rows', [3, 2]);
    b.record('nki.language.load', { dst: tile, src: x.slice([0, 4, 2]) });
    b.record('nki.language.store', { dst: out, value: tile });
    b.record('nki.isa.tensor_copy', {
      dst: rows,
      src: x.ap(
        [
          [0, 3],
          [5, 2],
        ],
        1,
      ),
    });
    const values = Array.from({ length: 24 }, (_, i) => i);
    const e = executed(b, new Map([[x, values]]));
    assert.deepEqual([...e.tensor(out.index)], [0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17]);
    assert.deepEqual([...e.tensor(rows.index)], [1, 6, 1, 6, 1, 6]);
  });

  it('copy of one dtype keeps every integer; between dtypes it goes through float32', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [2], 'int32', 'input');
    const same = b.sbuf('same', [1, 2], 'int32');
    const unsigned = b.sbuf('unsigned', [1, 2], 'uint32');
    b.record('nki.isa.dma_copy', { dst: same, src: x });
    b.record('nki.isa.dma_copy', { dst: unsigned, src: x });
    const e = executed(b, new Map([[x, [2 ** 24 + 1, -5]]]));
    assert.deepEqual([...e.tensor(same.index)], [2 ** 24 + 1, -5]);
    assert.deepEqual([...e.tensor(unsigned.index)], [2 ** 24, 0]);
  });

  it('copy within a tensor reads all before it writes', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [5], 'float32', 'input');
    b.record('nki.isa.dma_copy', { dst: x.slice([1, 5]), src: x.slice([0, 4]) });
    assert.deepEqual(valuesOf(b, x, new Map([[x, [1, 2, 3, 4, 5]]])), [1, 1, 2, 3, 4]);
  });

  it('copy that combines', () => {
    const b = new ProgramBuilder();
    const [x, y] = [b.hbm('x', [3], 'float32', 'input'), b.hbm('y', [3], 'float32', 'input')];
    b.record('nki.isa.dma_copy', { dst: x, src: y }, { dst_rmw_op: 'add' });
    assert.deepEqual(
      valuesOf(
        b,
        x,
        new Map([
          [x, [1, 2, 3]],
          [y, [10, 20, 30]],
        ]),
      ),
      [11, 22, 33],
    );
  });

  it('fill: memset, full, zeros, ones; integers beyond 2^24 exactly', () => {
    const b = new ProgramBuilder();
    const tiles = ['int32', 'bfloat16', 'float32', 'uint8'].map(dtype => b.sbuf(dtype, [2, 2], dtype));
    b.record('nki.isa.memset', { dst: tiles[0] }, { value: 16777217 });
    b.record('nki.language.full', { dst: tiles[1] }, { fill_value: 0.1, shape: [2, 2] });
    b.record('nki.language.zeros', { dst: tiles[2] });
    b.record('nki.language.ones', { dst: tiles[2].slice(1, [1, 2]) });
    b.record('nki.language.full', { dst: tiles[3] }, { fill_value: 300 });
    const e = executed(b);
    assert.deepEqual([...e.tensor(0)], Array(4).fill(16777217));
    assert.deepEqual([...e.tensor(1)], Array(4).fill(0.10009765625));
    assert.deepEqual([...e.tensor(2)], [0, 0, 0, 1]);
    assert.deepEqual([...e.tensor(3)], Array(4).fill(255));
  });

  it('fill with numbers that JSON does not have', () => {
    for (const [name, value] of [
      ['-Infinity', Number.NEGATIVE_INFINITY],
      ['Infinity', Number.POSITIVE_INFINITY],
      ['NaN', Number.NaN],
    ] as const) {
      const b = new ProgramBuilder();
      const tile = b.sbuf('tile', [1, 2]);
      b.record('nki.language.full', { dst: tile }, { fill_value: name });
      assert.deepEqual(valuesOf(b, tile), [value, value]);
    }
  });

  it('transpose: partition axis against all free axes', () => {
    const b = new ProgramBuilder();
    const x = b.hbm('x', [5, 2, 3], 'float32', 'input');
    const turned = b.psum('turned', [6, 5]);
    const narrow = b.psum('narrow', [6, 5], 'bfloat16');
    b.record('nki.isa.nc_transpose', { dst: turned, data: x });
    b.record('nki.language.transpose', { dst: narrow, x });
    const values = random(1, 30, 'bfloat16');
    const e = executed(b, new Map([[x, values]]));
    for (let f = 0; f < 6; f++) for (let p = 0; p < 5; p++) assert.equal(e.tensor(turned.index)[f * 5 + p], values[p * 6 + f]);
    assert.deepEqual([...e.tensor(narrow.index)], [...e.tensor(turned.index)]);
  });
});
