/** What the quick fixes write: the same kernel with the names of a newer NKI, and nothing where that could change what it does. */
import assert from 'node:assert/strict';
import { migrations } from '../../src/extension/migrate/migrations';

const HEAD = 'import nki\nimport nki.language as nl\nimport nki.isa as nisa\nfrom nki.language import static_range as unrolled\n';

function migrated(body: string, version = '0.7'): string {
  let text = HEAD + body;
  for (const { from, to, text: by } of migrations(text, version).reverse()) text = text.slice(0, from) + by + text.slice(to);
  assert.ok(text.startsWith(HEAD));
  return text.slice(HEAD.length);
}

describe('quick fixes for a newer NKI', () => {
  const cases: [before: string, after: string][] = [
    ['for i in nl.affine_range(4): pass', 'for i in range(4): pass'],
    ['for i in nl.sequential_range(1, n, 2): pass', 'for i in range(1, n, 2): pass'],
    ['x = [i for i in nki.language.static_range(4)]', 'x = [i for i in range(4)]'],
    ['for i in unrolled(4): pass', 'for i in range(4): pass'],
    ['for i in nl.affine_range(start=1, stop=4): pass', 'for i in nl.affine_range(start=1, stop=4): pass'],
    ['ranges = nl.affine_range', 'ranges = nl.affine_range'],
    ['for i in other.affine_range(4): pass', 'for i in other.affine_range(4): pass'],
    ['n = nl.tile_size.total_available_sbuf_size // 2', 'n = nl.tile_size.sbuf_fmax_bytes // 2'],
    ['nisa.register_move(dst, imm=4)', 'nisa.register_move(dst, src=4)'],
    ['nisa.nc_matmul(a, b, c, is_moving_zero=f(imm=1))', 'nisa.nc_matmul(a, b, c, is_moving_onezero=f(imm=1))'],
    ['nisa.register_move(dst, imm=4, src=3)', 'nisa.register_move(dst, imm=4, src=3)'],
    ['for i in nl.dynamic_range(4): pass', 'for i in nl.dynamic_range(4): pass'],
    ['for i in nl.affine_range(nl.affine_range(4)[-1]): pass', 'for i in range(range(4)[-1]): pass'],
  ];
  for (const [before, after] of cases) it(before, () => assert.equal(migrated(before), after));

  it('are for the version that the file is for', () => {
    assert.equal(
      migrated('for i in nl.affine_range(nl.tile_size.total_available_sbuf_size): pass', '0.6'),
      'for i in nl.affine_range(nl.tile_size.sbuf_fmax_bytes): pass',
    );
    assert.equal(migrated('nisa.register_move(dst, imm=4)', '0.2'), 'nisa.register_move(dst, imm=4)');
  });

  it('leave the legacy dialect alone', () => {
    const text = 'import neuronxcc.nki.language as nl\nfor i in nl.affine_range(4): pass\n';
    assert.deepEqual(migrations(text, '0.7'), []);
  });
});
