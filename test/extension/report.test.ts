/** The comparison's page: what changed is told in words and signs, source text stays text, and links lead to lines. */
import assert from 'node:assert/strict';
import { reportHtml } from '../../src/extension/compare/reportHtml';
import type { Profile } from '../../src/simulator/index';
import { tinyProfile } from '../support/tinyProfile';

const SOURCE = 'add(x)\nx = a < b & "c"\n';
/** Lines one after another, each waiting for the one before. */
const run = (endsNs: number[], { source = SOURCE, firstLine = 1, waitNs = 0 } = {}) =>
  tinyProfile({
    source,
    totalNs: endsNs.at(-1),
    events: endsNs.map((end, i) => ({
      line: firstLine + i,
      track: 'Vector' as const,
      ready: (endsNs[i - 1] ?? 0) - waitNs,
      start: endsNs[i - 1] ?? 0,
      end,
      ...(i > 0 ? { stall: 'data' as const, blocker: i - 1 } : {}),
    })),
  });

const page = (...profiles: Profile[]) =>
  reportHtml({
    kernel: 'k<1>',
    profiles: profiles.map((profile, i) => ({ title: `run ${i} <&>`, profile })),
    link: (file, at) => `command:x?${file}:${at}`,
    nonce: 'n',
  });

describe('the report of a comparison', () => {
  const before = run([1000, 2000]);
  const html = page(before, run([1000, 1500], { source: `# moved\n${SOURCE}`, firstLine: 2 }), { ...run([1000, 2600]), simulated: false });

  it('tells each run beside the first, in total and by line', () => {
    assert.match(html, /Before: <b>run 0 &lt;&amp;&gt;<\/b> \(modelled\)/);
    assert.match(html, /<b>run 1 &lt;&amp;&gt;<\/b> \(modelled\): 2 µs before, 1\.50 µs after: 25 % faster/);
    assert.match(html, /<b>run 2 &lt;&amp;&gt;<\/b> \(measured\): 2 µs before, 2\.60 µs after: 30 % slower/);
    assert.match(html, /<td>1 µs<\/td><td class="better">500 ns<br><small>▼ −500 ns <span>better/);
    assert.match(html, /<td class="worse">1\.60 µs<br><small>▲ \+600 ns <span>worse/);
    assert.match(html, /1 line is as before/);
    assert.match(html, /href="command:x\?[^"]*:2"/);
  });

  it('tells two beside each other, with the line that moved', () => {
    const two = page(before, run([1000, 1500], { source: `# moved\n${SOURCE}`, firstLine: 2 }));
    assert.match(two, /:2→3<\/a>/);
    assert.equal((two.match(/<th scope="col">/g) ?? []).length, 3);
  });

  it('gives runs of one name a number each, and says which lines stand alone', () => {
    const profiles = [before, run([1000])].map(profile => ({ title: 'same', profile }));
    const numbered = reportHtml({ kernel: 'k', profiles, link: () => '', nonce: 'n' });
    assert.match(numbered, /<th scope="col">same · run 1<\/th><th scope="col">same · run 2<\/th>/);
    assert.match(numbered, /<p>1 line of same · run 1 has no counterpart in same · run 2\.<\/p>/);
  });

  it('names the file of each line, and what the line said before', () => {
    const elsewhere = (p: Profile) => ({ ...p, files: [{ ...p.files[0], path: '/other/second.py' }, ...p.files.slice(1)] });
    const html = page(before, elsewhere(run([1000, 1500], { source: 'add(x)\nx = a < b & "d"\n' })));
    assert.match(html, />[\w.]+:2→second\.py:2<\/a>/);
    assert.match(html, /<code>x = a &lt; b &amp; &quot;c&quot;<\/code> →<br><code>x = a &lt; b &amp; &quot;d&quot;<\/code>/);
  });

  it('escapes what it did not write itself', () => {
    assert.match(html, /x = a &lt; b &amp; &quot;c&quot;/);
    assert.match(html, /<h1>k&lt;1&gt;: compared/);
  });

  it('shows lines that are new or gone, and says when none changed', () => {
    const mixed = page(before, run([1000]), run([1000, 2000, 2300], { source: `${SOURCE}exp(x)\n` }));
    assert.match(mixed, /<td>1 µs<\/td><td class="gone">–<br><small>−1 µs <span>gone/);
    assert.match(mixed, /<td>–<\/td><td>–<\/td><td class="new">300 ns<br><small>\+300 ns <span>new/);
    assert.match(page(before, before), /: the same<\/p>\n<p>No line takes another time/);
  });

  it('runs nothing and loads nothing', () => {
    assert.match(html.replaceAll('&#39;', "'"), /default-src 'none'; style-src 'nonce-n'; base-uri 'none'; form-action 'none'/);
    assert.doesNotMatch(html, /<script|style="/);
  });
});
