/** Edits of one argument: where it goes, and where there is none. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ArgumentEdit, argumentEdit } from '../../../src/simulator/advice/edits';

const HARDWARE: ArgumentEdit = { calls: ['dma_copy'], keyword: 'dge_mode', value: 'dge_mode.hwdge' };

function edited(source: string, line: number, edit = HARDWARE): string | null {
  const made = argumentEdit(source, line, edit);
  return made && source.slice(0, made.from) + made.text + source.slice(made.to);
}

describe('edits of advice', () => {
  it('add the argument behind the others, in calls over several lines, too', () => {
    assert.equal(
      edited('a = 1\nnisa.dma_copy(dst=t, src=x[0, :])\n', 2),
      'a = 1\nnisa.dma_copy(dst=t, src=x[0, :], dge_mode=nisa.dge_mode.hwdge)\n',
    );
    assert.equal(
      edited('isa.dma_copy(\n  dst=t,\n  src=f("),", 1),\n)', 1),
      'isa.dma_copy(\n  dst=t,\n  src=f("),", 1), dge_mode=isa.dge_mode.hwdge,\n)',
    );
  });

  it('replace the argument where there is one, and nothing where it is that already', () => {
    const swdge = 'nki.isa.dma_copy(t, x, dge_mode=nki.isa.dge_mode.swdge, name="copy")';
    const hwdge = swdge.replace('swdge', 'hwdge');
    assert.equal(edited(swdge, 1), hwdge);
    assert.equal(edited(hwdge, 1), null);
  });

  it('leave what is not understood: other calls, two on a line, no module, packed arguments, comments, open brackets', () => {
    for (const source of [
      'nisa.tensor_copy(dst=a, src=b)',
      'nisa.dma_copy(dst=a, src=b); nisa.dma_copy(dst=c, src=d)',
      'dma_copy(dst=a, src=b)',
      'nisa.dma_copy(**both)',
      '# nisa.dma_copy(dst=a, src=b)',
      'nisa.dma_copy(dst=a,  # the tile\n  src=b)',
      'nisa.dma_copy(dst=a, src=b',
      'nisa.dma_copy(dst="a, src=b)',
    ])
      assert.equal(edited(source, 1), null, source);
    assert.equal(edited('nisa.dma_copy(dst=a, src=b)', 7), null);
  });

  it('change one place of any text, and are not proposed again: seeded', () => {
    const piece = fc.constantFrom(
      ' nisa.dma_copy(',
      'dst=t',
      ', ',
      'src=x[0, :]',
      ')',
      '\n',
      '"a,b"',
      '#',
      'dge_mode=nisa.dge_mode.swdge',
      '(',
      '**k',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const source = pieces.join('');
        const lines = source.split('\n').length;
        for (let line = 1; line <= lines; line++) {
          const after = edited(source, line);
          if (after === null) continue;
          assert.ok(after.includes('dge_mode=nisa.dge_mode.hwdge'));
          assert.equal(edited(after, line), null);
        }
      }),
      { seed: 18, numRuns: 2000 },
    );
  });
});
