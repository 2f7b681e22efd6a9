import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bar, linesTable } from '../../src/cli/linesTable';
import { type Line, lines } from '../../src/simulator/index';
import { syntheticProfile } from '../support/syntheticProfile';

const LINE: Line = {
  file: '/k/kernel.py',
  line: 12,
  text: 'nisa.activation(dst=t)',
  instructions: 1,
  transfers: 0,
  iterations: 0,
  timeNs: 12_300,
  share: 0.453,
  engines: { Scalar: 11_000, DMA: 900 },
  stalls: { data: 5, dma: 9 },
  dmaBytes: 0,
};

describe('lines table', () => {
  it('shows bar, share, time, line, text and the main stall', () => {
    assert.equal(linesTable([LINE]), '████▌        45 %  12.3 µs    11 µs   12 nisa.activation(dst=t)                        DMA');
  });

  it('has a row for what has no line, beside the others', () => {
    const unknown = { ...LINE, file: '(no source recorded)', line: 0, text: '' };
    for (const file of [LINE.file, unknown.file]) {
      const [known, row] = linesTable([{ ...LINE, file }, unknown]).split('\n');
      assert.match(known, /12 nisa/);
      assert.match(row, / 45 % +12.3 µs +11 µs +\(no source\) +DMA$/);
    }
  });

  it('fits 100 columns whatever the lines hold, and lets no control character through', () => {
    const line = fc.record({
      file: fc.string(),
      text: fc.string({ unit: 'binary' }),
      line: fc.nat(),
      timeNs: fc.nat(),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(line, given => {
        for (const row of linesTable([{ ...LINE, ...given }]).split('\n')) {
          assert.ok(row.length <= 100, String(row.length));
          assert.doesNotMatch(row, /\p{Cc}/u);
        }
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  it('shows all of a statement, in rows below where it is long', () => {
    const text = 'nisa.activation(dst=scores[i, j], op=nl.exp, data=products, bias=negated_maximum, scale=1.0, reduce_res=row_sums)';
    const [first, ...rest] = linesTable([{ ...LINE, text }]).split('\n');
    assert.match(first, / 12 nisa\.activation\(dst=scores\[i, j\], .* DMA$/);
    const said = [first.slice(first.indexOf('nisa'), -'DMA'.length), ...rest].map(row => row.trim());
    assert.equal(said.join(' '), text);
    const words = fc.array(fc.stringMatching(/^[a-z(,=]{1,70}$/), { minLength: 1, maxLength: 20 }).map(parts => parts.join(' '));
    fc.assert(
      fc.property(words, statement => {
        const rows = linesTable([{ ...LINE, stalls: {}, text: statement }]).split('\n');
        const parts = rows.map(row => row.slice(row.length - row.trimStart().length));
        const joined = parts
          .join(' ')
          .replace(/^.* 12 /, '')
          .replaceAll(' ', '');
        assert.equal(joined, statement.replaceAll(' ', ''));
      }),
      { seed: 15, numRuns: 300 },
    );
  });

  it('names the file once when there is one, and on each row when there are more, cut but never the line', () => {
    assert.match(linesTable([LINE], true), /^[^ ]+kernel\.py\n/);
    const far = { ...LINE, file: '/k/a_long_kernel_name.py', line: 1234 };
    assert.match(linesTable([LINE, far]), / kernel\.py:12 nisa.*\n.* a_long_ke?…:1234 nisa/);
  });

  it('draws shares to an eighth of a cell', () => {
    assert.deepEqual([0, 0.0125, 0.5, 1, 2].map(bar), ['', '▏', '█████', '██████████', '██████████']);
  });

  it('has a row with a share per line', () => assert.equal(linesTable(lines(syntheticProfile(100))).match(/ %/g)?.length, 4));

  it('cuts a statement that nobody wrote', () => {
    const rows = linesTable([{ ...LINE, text: 'x'.repeat(1e6) }]).split('\n');
    assert.ok(rows.length <= 40 && rows.at(-1)!.endsWith('…'), String(rows.length));
  });
});
