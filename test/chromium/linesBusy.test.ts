/** The Lines tab and the table of the command line say the same of the same lines. */
import assert from 'node:assert/strict';
import { linesTable } from '../../src/cli/linesTable';
import { lines } from '../../src/simulator/index';
import { simulate } from '../../src/simulator/simulate';
import { randomProgram } from '../support/randomPrograms';
import { tinyProfile } from '../support/tinyProfile';
import { usingTimeline } from './harness';

describe('lines in Chromium and in a terminal', () => {
  const profile = simulate(randomProgram(5, 80));
  const t = usingTimeline(profile);

  it('have the same share, time and busy time', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.tab('lines');
    const rows = t.find('table[aria-label="Lines"] tbody tr');
    await rows.first().waitFor();
    const heads = await t.find('table[aria-label="Lines"] thead th').evaluateAll(found => found.map(head => head.textContent!.trim()));
    const columns = ['Share', 'Time', 'Busy'].map(title => heads.findIndex(head => head.startsWith(title)));
    const shown = await rows.evaluateAll(
      (found, cells) => found.map(row => cells.map(cell => row.children[cell].textContent!.trim())),
      columns,
    );
    const all = lines(profile);
    assert.ok(all.some(({ engines, timeNs }) => Math.max(...Object.values(engines)) !== timeNs));
    const printed = all.map(line => {
      const words = linesTable([{ ...line, text: '' }]).replace(/^[█▏▎▍▌▋▊▉ ]*/, '');
      return words.match(/^(\S+ %) +(\S+ \S+) +(\S+ \S+) /)!.slice(1);
    });
    assert.deepEqual(shown, printed.slice(0, shown.length));
  });
});

describe('the table of lines in Chromium', () => {
  const STATEMENT = 'nisa.tensor_scalar(dst=normalized_scores_of_all_heads, data=scores_of_all_heads, op0=nl.multiply, operand0=0.125)';
  const profile = tinyProfile({
    source: ['def kernel(tile):', `    ${STATEMENT}`].join('\n'),
    events: [{ line: 2, track: 'Vector', opcode: 'TENSOR_TENSOR', ready: 0, start: 40_000, end: 400_000, stall: 'data' }],
  });
  const t = usingTimeline(profile);

  for (const [windowPx, width] of [
    [1600, 770],
    [1280, 612],
  ])
    it(`fits beside the editor in a window of ${windowPx} px, and names the line alone where all are in one file`, async () => {
      await t.open({ viewport: { width, height: 680 } });
      await t.tab('lines');
      await t.find('table[aria-label="Lines"] tbody tr').first().waitFor();
      const { widthPx, hasPx } = await t.find('.detailsBody').evaluate(e => ({ widthPx: e.scrollWidth, hasPx: e.clientWidth }));
      assert.ok(widthPx <= hasPx, `${widthPx} of ${hasPx} px`);
      assert.equal(await t.text('table[aria-label="Lines"] tbody td'), 'line 2');
      assert.equal(await t.text('table[aria-label="Lines"] td.code'), STATEMENT, 'places to break are no text');
    });
});

describe('long statements in Chromium', () => {
  const STATEMENT = [
    '    nisa.activation_reduce(dst=exponent[0:128, 0:2048], op=nl.exp, data=tile[0:128, 0:2048], bias=negative_max,',
    '                           scale=1.0, reduce_op=nl.add, reduce_res=total[0:128, 0:1])',
  ];
  const profile = tinyProfile({
    source: ['def kernel(tile):', ...STATEMENT].join('\n'),
    events: [{ line: 2, track: 'Scalar', opcode: 'ACTIVATE', ready: 0, start: 0, end: 400 }],
  });
  const t = usingTimeline(profile);

  for (const width of [1600, 1280])
    it(`are shown whole in the tabs Lines and Path, ${width} px wide`, async () => {
      await t.open({ viewport: { width, height: 720 } });
      for (const [tab, selector] of [
        ['lines', 'table[aria-label="Lines"] td.code'],
        ['path', '.path li:has(code)'],
      ] as const) {
        await t.tab(tab);
        const shown = await t
          .find(selector)
          .first()
          .evaluate(node => ({
            text: node.textContent ?? '',
            cut: node.scrollWidth > node.clientWidth && getComputedStyle(node).overflow !== 'visible',
            right: node.getBoundingClientRect().right,
          }));
        assert.match(shown.text, /activation_reduce\(dst=exponent.*reduce_res=total\[0:128, 0:1\]\)$/, tab);
        assert.equal(shown.cut, false, `${tab} cuts the statement`);
        assert.ok(shown.right <= width, `${tab}: it ends at ${shown.right} px`);
      }
      await t.screenshot(`statements-${width}`);
    });

  it('are shown whole in the titles of the tab Functions, in Details and in the hover box', async () => {
    await t.open({ viewport: { width: 1280, height: 720 } });
    const whole = /activation_reduce\(dst=exponent.*reduce_res=total\[0:128, 0:1\]\)/;
    await t.tab('flame');
    assert.match((await t.find('.flameBar.line').first().getAttribute('title')) ?? '', whole);
    assert.match(await t.text('.flameBar.line'), whole);
    await t.screenshot('statements-functions');
    await t.pointAt(0);
    assert.match(await t.text('.tooltip'), whole);
    await t.clickAt(0);
    await t.tab('details');
    assert.match(await t.text('.detailsBody'), whole);
  });
});
