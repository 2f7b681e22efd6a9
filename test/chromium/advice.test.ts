/** Advice and what if in the served page: from the tab to the numbers, each timed again in the reading worker behind it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { filesShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { serve } from '../../src/cli/serve';
import { advise } from '../../src/simulator/advice/advise';
import { percentText, timeText } from '../../src/simulator/analyze/format';
import { TRIED_BY, warnings } from '../../src/simulator/analyze/warnings';
import { usualQuestions } from '../../src/simulator/experiments/whatIf';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { decodeProfile } from '../../src/simulator/profile/codec';
import type { Profile } from '../../src/simulator/profile/profile';
import { SimulatorClient } from '../../src/simulator/service/client';
import { faultsOf } from '../support/axe';
import { testDist } from '../support/dist';
import { temporaryFolder } from '../support/temporary';
import { bundleWebview, launchBrowser } from '../support/webviewPage';
import { Timeline } from './harness';

declare const NKI_SCOPE_ROOT: string;

const EXAMPLE = path.join(NKI_SCOPE_ROOT, 'examples/nki/matmul_tiled.py');

async function captured(file = EXAMPLE): Promise<Profile> {
  const client = new SimulatorClient({ dist: await testDist(), keepSpare: false });
  const { runs, error } = await client.capture({ file, root: path.dirname(file) });
  client.dispose();
  assert.equal(error, null);
  return decodeProfile(runs[0].profile);
}

/** Of the served page with its worker. */
async function timelineOf(profile: Profile, folder: ReturnType<typeof temporaryFolder>, name: string): Promise<Timeline> {
  const dist = await testDist();
  const timeline = new Timeline(profile);
  await timeline.start(launchBrowser);
  await timeline.served.close();
  const { script, style } = await bundleWebview();
  fs.mkdirSync(path.join(dist, 'webview'), { recursive: true });
  fs.writeFileSync(path.join(dist, 'webview/main.js'), script);
  fs.writeFileSync(path.join(dist, 'webview/main.css'), style);
  const file = folder.write(`${name}.nkiprof`, encodeNkiprof(profile));
  const { url, close } = await serve({ shelf: await filesShelf([file], new Reading({ dist })), dist, port: 0 });
  timeline.served = { url, close, profile: new Uint8Array(0) };
  return timeline;
}

describe('advice in Chromium', () => {
  const folder = temporaryFolder();
  const size = { viewport: { width: 1600, height: 1000 } };
  let profile: Profile;
  let t: Timeline;

  before(async () => {
    profile = await captured();
    t = await timelineOf(profile, folder, 'matmul');
  });
  after(() => t?.stop());
  afterEach(() => t.finish());

  const openTab = async (id: 'advice' | 'whatIf', options = {}) => {
    await t.open({ ...size, ...options });
    await t.tab(id);
    await t
      .find(id === 'advice' ? '.rung' : '.detailsBody table')
      .first()
      .waitFor();
  };
  /** Taller, so that pictures show what there is. */
  const lift = async (px: number) => {
    const handle = (await t.find('.details .handle').boundingBox())!;
    await t.page.mouse.move(handle.x + 200, handle.y + 3);
    await t.page.mouse.down();
    await t.page.mouse.move(handle.x + 200, handle.y - px, { steps: 4 });
    await t.page.mouse.up();
    await t.settle();
  };

  it('says above the rows what bounds the kernel, without being asked, and leads to the rest', async () => {
    await t.open(size);
    await t.find('.sentenceLink:not([hidden])').waitFor();
    const { headline } = advise(profile);
    assert.equal(await t.text('.sentenceLink'), headline.sentence);
    const { lowNs, highNs } = profile.likely!;
    assert.equal(await t.text('.facts .likely'), `likely ${timeText(lowNs)} to ${timeText(highNs)}`);
    const before = await t.area();
    await t.find('.sentenceLink').click();
    await t.find('.rung').first().waitFor();
    assert.equal(await t.find('#tab-advice').getAttribute('aria-selected'), 'true');
    assert.equal((await t.area()).y, before.y, 'nothing moves');
  });

  for (const colorScheme of ['dark', 'light'] as const)
    it(`axe finds nothing in them, ${colorScheme}`, async () => {
      for (const id of ['advice', 'whatIf'] as const) {
        await openTab(id, { colorScheme });
        assert.deepEqual(await faultsOf(t.page), [], id);
        await t.finish();
      }
    });

  it('shows each bound with its time, and what it assumes for the one with the focus', async () => {
    await openTab('advice');
    const { ladder } = advise(profile);
    const shown = await t.find('.rung .value').allTextContents();
    assert.deepEqual(
      shown,
      ladder.map(({ timeNs }) => timeText(timeNs)),
    );
    await t.find('.rung').first().focus();
    assert.match(await t.text('.meaning'), /^as it ran: the whole profile/);
    await t.page.keyboard.press('ArrowDown');
    assert.match(await t.text('.meaning'), /^without start-up: /);
    await t.find('.rung').nth(4).hover();
    assert.match(await t.text('.meaning'), new RegExp(`^${ladder[4].name}: `));
    const widths = await t.find('.rung .fill').evaluateAll(bars => bars.map(bar => bar.getBoundingClientRect().width));
    for (const [k, { timeNs }] of ladder.entries()) assert.ok(Math.abs(widths[k] / widths[0] - timeNs / ladder[0].timeNs) < 0.02);
  });

  it('ranks warnings by what their advice gained when it was tried, and says it', async () => {
    const transposes = await captured(path.join(path.dirname(EXAMPLE), 'transpose_2d.py'));
    const other = await timelineOf(transposes, folder, 'transposes');
    try {
      await other.open(size);
      await other.find('.sentenceLink:not([hidden])').waitFor();
      await other.tab('warnings');
      const { advice, rejected } = advise(transposes);
      const tried = [...advice, ...rejected];
      const found = warnings(transposes).map(({ title, rule }) => {
        const gains = tried.filter(one => TRIED_BY[rule]?.includes(one.rule)).map(({ gainShare }) => gainShare);
        return { title, gain: gains.length > 0 ? Math.max(...gains) : null };
      });
      const best = found.reduce((a, b) => ((b.gain ?? 0) > (a.gain ?? 0) ? b : a));
      assert.equal(best.title, 'Much transposing');
      assert.ok(best.gain! > 0.01);
      const texts = await other.find('li.warning').allTextContents();
      assert.equal(texts.length, found.length);
      assert.ok(texts[0].startsWith(`−${percentText(best.gain!)}${best.title}`), texts[0]);
      for (const { title, gain } of found) assert.equal(texts.find(text => text.includes(title))!.startsWith('−'), gain !== null, title);
    } finally {
      await other.finish();
      await other.stop();
    }
  });

  it('lists the advice that gains, most first, with its lines, and folds the rest', async () => {
    await openTab('advice');
    const { advice, rejected } = advise(profile);
    assert.ok(advice.length > 0 && rejected.length > 0, 'the example has both');
    assert.deepEqual(
      await t.find('.adviceItem .gain b').allTextContents(),
      advice.map(({ gainShare }) => `−${percentText(gainShare)}`),
    );
    const [first] = advice;
    const item = await t.text('.adviceItem');
    for (const words of [first.title, first.reason, first.sketch, first.tried]) assert.ok(item.includes(words), words);
    assert.equal(await t.find('.rejected li').first().isVisible(), false);
    await t.find('.rejected summary').click();
    assert.equal(await t.find('.rejected li').count(), rejected.length);
    // a press on the line goes to the code
    await t.find('.adviceItem .cardHead .link').nth(1).click();
    await t.find('.sourceLine.current').waitFor();
    assert.equal((await t.text('.sourceLine.current .number')).trim(), String(first.lines[0].line));
    // a press on the title marks what the lines ask for
    await t.find('.adviceItem .cardHead .link').first().click();
    await t.settle();
    assert.match(await t.text('.notes .marked'), /events? of /);
  });

  it('answers what if: the usual questions, and a line or resource of one’s choice', async () => {
    await openTab('whatIf');
    const usual = usualQuestions(profile);
    const rows = t.find('.detailsBody section.block').first().locator('tbody tr');
    assert.equal(await rows.count(), usual.length);
    assert.match((await rows.first().textContent()) ?? '', new RegExp(usual[0].what));
    const asked = usual.find(({ question }) => 'resource' in question && question.resource === 'Tensor')!;
    await t.find('select.wish').selectOption('Tensor');
    await t.find('.wishRow .figure').first().waitFor();
    const figures = await t.find('.wishRow .figure').allTextContents();
    assert.equal(figures.length, 3);
    assert.ok(figures[0].startsWith('2 × as fast') && figures[0].endsWith(timeText(asked.timeNs)), figures[0]);
    assert.equal(await t.find('select.wish').inputValue(), 'Tensor', 'the choice stays');
    const line = (await t.find('select.wish option').allTextContents()).find(text => /^matmul_tiled\.py:\d+/.test(text))!;
    await t.find('select.wish').selectOption(line);
    await t.page.waitForFunction(was => document.querySelector('.wishRow .figure')?.textContent !== was, figures[0]);
  });

  it('draws the causal profile when asked', async () => {
    await openTab('whatIf');
    assert.equal(await t.find('.causalCurve').count(), 0);
    await t.find('.detailsBody vscode-button').filter({ hasText: 'Time each hot line' }).click();
    await t.find('.causalCurve').first().waitFor();
    const heads = await t.find('table[aria-label="Causal profile"] th').allTextContents();
    assert.deepEqual(heads, ['Line', 'Source', 'Curve', '−25 %', '−50 %', '−75 %', 'free']);
    assert.match((await t.find('.causalCurve').first().getAttribute('aria-label')) ?? '', /^25 % saved: .*100 % saved: −/);
  });

  it('is read in every theme and at any width', async () => {
    for (const [name, options, px] of [
      ['dark', { colorScheme: 'dark' }, 300],
      ['light', { colorScheme: 'light' }, 300],
      ['dark-small', { colorScheme: 'dark', viewport: { width: 1280, height: 720 } }, 160],
      ['contrast', { colorScheme: 'dark', contrast: 'more' }, 300],
      ['narrow', { viewport: { width: 380, height: 900 } }, 200],
    ] as const) {
      await t.open({ ...size, ...options });
      await lift(px);
      for (const id of ['advice', 'whatIf'] as const) {
        await t.tab(id);
        await t
          .find(id === 'advice' ? '.rung' : '.detailsBody table')
          .first()
          .waitFor();
        if (id === 'whatIf') {
          await t.find('.detailsBody vscode-button').filter({ hasText: 'Time each hot line' }).click();
          await t.find('.causalCurve').first().waitFor();
          await t.find('select.wish').selectOption({ index: 1 });
          await t.find('.wishRow .figure').first().waitFor();
        }
        const wide = await t.find('.detailsBody').evaluate(body => body.scrollWidth - body.clientWidth);
        assert.ok(wide <= 0, `${name}, ${id}: ${wide} px too wide`);
        await t.screenshot(`${id}-${name}`);
      }
      await t.page.context().close();
    }
  });

  it('says why there is none for a profile that cannot be timed again, and what to do', async () => {
    const { timing: _, ...old } = profile;
    const other = await timelineOf(old as Profile, folder, 'old');
    try {
      await other.open(size);
      await other.tab('advice');
      await other.find('.warned').waitFor();
      assert.match(await other.text('.warned'), /made by an older version.*Capture the kernel again/);
      assert.match(await other.text('.sentenceLink'), /-bound: |^Bound by /, 'what bounds the kernel, instead of the advice');
      await other.find('.sentenceLink').click();
      assert.equal(await other.find('[role=tab][aria-selected=true]').textContent(), 'Summary');
      await other.finish();
    } finally {
      await other.stop();
    }
  });

  it('can be cancelled, and asked for again', async () => {
    await t.open(size);
    await t.page.route('**/api/experiments/*', async route => {
      await new Promise(resolve => setTimeout(resolve, 1500));
      await route.continue().catch(() => {});
    });
    await t.tab('whatIf');
    await t.find('.detailsBody vscode-button').filter({ hasText: 'Time each hot line' }).click();
    await t.find('.detailsBody vscode-button').filter({ hasText: 'Cancel' }).click();
    await t.find('.detailsBody vscode-button').filter({ hasText: 'Time each hot line' }).click();
    await t.find('.causalCurve').first().waitFor();
  });
});
