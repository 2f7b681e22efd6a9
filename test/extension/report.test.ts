/** The comparison's page: what changed is told in words and signs, source text stays text, and links lead to lines. */
import assert from 'node:assert/strict';
import { reportHtml } from '../../src/extension/compare/reportHtml';
import type { Comparison, Line } from '../../src/simulator/index';

const line = (more: Partial<Line>): Line => ({
  file: '/w/k.py',
  line: 3,
  text: 'x = a < b & "c"',
  instructions: 2,
  transfers: 0,
  iterations: 0,
  timeNs: 1000,
  share: 0.5,
  engines: {},
  stalls: { data: 300 },
  dmaBytes: 2048,
  ...more,
});

function page(lines: Comparison['lines']): string {
  const comparison = { aTotalNs: 2000, bTotalNs: 1500, deltaShare: -0.25, lines };
  const names = { before: 'k · trn2', after: 'k · trn1' };
  return reportHtml({ comparison, kernel: 'k<1>', names, link: (file, at) => `command:x?${file}:${at}`, nonce: 'n' });
}

describe('the report of a comparison', () => {
  const after = line({ line: 4, timeNs: 500, stalls: { data: 100 }, dmaBytes: 4096, instructions: 1 });
  const html = page([{ a: line({}), b: after, deltaNs: -500, verdict: 'better' }]);

  it('tells both sides of what changed', () => {
    assert.match(html, /2 µs before, 1\.50 µs after: 25 % faster/);
    assert.match(html, />k\.py:3→4</);
    assert.match(html, /▼ −500 ns <span>better<\/span>/);
    for (const both of ['<td>1 µs → 500 ns</td>', 'waits 300 ns → 100 ns', 'DMA 2 KiB → 4 KiB', 'instructions 2 → 1'])
      assert.ok(html.includes(both), both);
    assert.match(html, /href="command:x\?\/w\/k\.py:4"/);
  });

  it('escapes what it did not write itself', () => {
    assert.match(html, /x = a &lt; b &amp; &quot;c&quot;/);
    assert.match(html, /<h1>k&lt;1&gt;: before and after/);
  });

  it('shows lines that are new or gone, counts those that are as before, and says when none changed', () => {
    const mixed = page([
      { b: line({}), deltaNs: 1000, verdict: 'new' },
      { a: line({ line: 9 }), deltaNs: -1000, verdict: 'gone' },
      { a: line({}), b: line({}), deltaNs: 0, verdict: 'same' },
    ]);
    assert.match(mixed, /<td>– → 1 µs<\/td>/);
    assert.match(mixed, /<td>1 µs → –<\/td>/);
    assert.match(mixed, /1 line is as before/);
    assert.match(page([{ a: line({}), b: line({}), deltaNs: 0, verdict: 'same' }]), /No line takes another time/);
  });

  it('runs nothing and loads nothing', () => {
    assert.match(html, /default-src 'none'; style-src 'nonce-n'/);
    assert.doesNotMatch(html, /<script|style="/);
  });
});
