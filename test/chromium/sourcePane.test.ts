/** The source beside a page that has no editor: coloured, the marked line follows what is selected by any means, bars below the digits. */
import assert from 'node:assert/strict';
import type { Profile } from '../../src/simulator/profile/profile';
import { tinyProfile } from '../support/tinyProfile';
import { usingTimeline } from './harness';

const SOURCE = [
  '"""A kernel',
  'of two lines."""',
  '@nki.jit',
  'def kernel(a):',
  '    for i in range(2):',
  '        nisa.exp(a, 1.5)  # once',
  '        nisa.copy(a)',
];
const profile: Profile = tinyProfile({
  source: SOURCE.join('\n'),
  events: [
    { line: 6, track: 'Vector', opcode: 'ACTIVATE', ready: 0, start: 0, end: 400 },
    { line: 7, track: 'Vector', opcode: 'COPY', ready: 0, start: 400, end: 600, stall: 'data', blocker: 0 },
  ],
});

describe('the source pane in Chromium', () => {
  const t = usingTimeline(profile);
  const current = () => t.find('.sourceLine.current .number').allTextContents();
  const untilCurrent = async (line: string[]) => {
    await t.page.waitForFunction(
      wanted => [...document.querySelectorAll('.sourceLine.current .number')].map(node => node.textContent).join() === wanted,
      line.join(),
    );
    assert.deepEqual(await current(), line);
  };

  for (const colorScheme of ['dark', 'light'] as const)
    it(`colours the code, ${colorScheme}`, async () => {
      await t.open({ colorScheme, viewport: { width: 1600, height: 1000 } });
      await t.find('.sourceLine').first().waitFor();
      const pieces = await t
        .find('.sourceLine code span')
        .evaluateAll(spans => spans.map(s => [s.className, s.textContent, getComputedStyle(s).color]));
      assert.deepEqual(
        pieces.map(([kind, text]) => `${kind} ${text?.trim()}`),
        [
          ...['string """', 'string A kernel', 'string of two lines."""', 'decorator @nki.jit', 'keyword def', 'call kernel'],
          ...['keyword for', 'keyword in', 'call range', 'numeral 2', 'call exp', 'numeral 1.5', 'comment # once', 'call copy'],
        ],
      );
      assert.ok(new Set(pieces.map(([, , colour]) => colour)).size >= 5, 'kinds have colours of their own');
      await t.screenshot(`source-${colorScheme}`);
    });

  it('the marked line follows the selection by key and from tables, and goes when nothing is selected', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.find('.sourceLine').first().waitFor();
    assert.deepEqual(await current(), []);
    await t.press('.');
    await untilCurrent(['6']);
    await t.press('.');
    await untilCurrent(['7']);
    await t.press('[');
    await untilCurrent(['6']);
    await t.tab('events');
    await t.find('.detailsBody tbody tr').nth(1).click();
    await untilCurrent(['7']);
    await t.press('Escape');
    await untilCurrent([]);
  });

  it('a closed pane stays closed', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.find('.sourcePane vscode-button').click();
    await t.press('.');
    await t.page.waitForTimeout(400);
    assert.ok(!(await t.find('.sourcePane').isVisible()));
  });

  it('bars lie below the digits: in tables and beside the lines', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.tab('lines');
    for (const [selector, leastPx] of [
      ['td.bar', 2],
      ['.sourceLine .heat', 0],
    ] as const) {
      const bar = t.find(selector).first();
      const { size, lower, origin } = await bar.evaluate(node => {
        const style = getComputedStyle(node);
        const range = document.createRange();
        range.selectNodeContents(node);
        return {
          size: style.backgroundSize,
          origin: style.backgroundOrigin,
          lower: node.getBoundingClientRect().bottom - range.getBoundingClientRect().bottom,
        };
      });
      assert.equal(size, '100% 2px', selector);
      if (selector === 'td.bar') assert.equal(origin, 'content-box', 'it ends where the digits end');
      assert.ok(lower >= leastPx, `the digits end ${lower} px above the lower edge of ${selector}`);
    }
  });
});
