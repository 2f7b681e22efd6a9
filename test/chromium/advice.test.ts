/** Advice and what if in the served page: from the tab to the numbers, each timed again in the reading worker behind it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { filesShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { serve } from '../../src/cli/serve';
import { advise } from '../../src/simulator/advice/advise';
import { percentText, timeText } from '../../src/simulator/analyze/format';
import { lines } from '../../src/simulator/analyze/lines';
import { isTooSmallShare, modelledChangeText } from '../../src/simulator/analyze/tellsApart';
import { TRIED_BY, warnings } from '../../src/simulator/analyze/warnings';
import { type Question, retimedWith, usualQuestions } from '../../src/simulator/experiments/whatIf';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { decodeProfile } from '../../src/simulator/profile/codec';
import type { Profile } from '../../src/simulator/profile/profile';
import { SimulatorClient } from '../../src/simulator/service/client';
import { faultsOf } from '../support/axe';
import { launchBrowser } from '../support/browser';
import { testDist } from '../support/dist';
import { temporaryFolder } from '../support/temporary';
import { bundleWebview } from '../support/webviewPage';
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

  for (const [width, height] of [
    [462, 620],
    [1280, 720],
  ])
    it(`says it whole beside an editor and in a small window, ${width} px wide, under at most two rows of buttons`, async () => {
      await t.open({ viewport: { width, height } });
      await t.find('.sentenceLink').waitFor();
      const { shown, needed } = await t.find('.headlineText').evaluate(node => ({
        shown: [node.clientWidth, node.clientHeight],
        needed: [node.scrollWidth, node.scrollHeight],
      }));
      assert.deepEqual(needed, shown, 'no part of the sentence is cut');
      const tops = await t.find('.toolbar > *').evaluateAll(parts =>
        parts.map(part => {
          const { top, height } = part.getBoundingClientRect();
          return Math.round((top + height / 2) / 12);
        }),
      );
      assert.ok(new Set(tops).size <= 2, `the middles of its parts are at ${tops} times 12 px`);
      await t.screenshot(`headline-${width}`);
    });

  it('says how other tile sizes are tried: the page runs no kernel', async () => {
    await t.open(size);
    await t.tab('advice');
    await t.find('.otherRuns code').waitFor();
    assert.match(await t.text('.otherRuns'), /which this page does not start/);
    assert.equal(await t.text('.otherRuns code'), `nki-scope advise ${EXAMPLE} --constants`);
    await t.screenshot('advice-other-runs');
  });

  it('says above the rows what bounds the kernel, without being asked, and leads to the rest', async () => {
    await t.open(size);
    await t.find('.sentenceLink').waitFor();
    const { headline } = advise(profile);
    assert.equal(await t.text('.headlineText'), headline.sentence);
    const { lowNs, highNs } = profile.likely!;
    assert.equal(await t.text('.facts .likely'), `likely ${timeText(lowNs)} to ${timeText(highNs)}`);
    const before = await t.area();
    await t.find('.sentenceLink').click();
    await t.find('.rung').first().waitFor();
    assert.equal(await t.find('#tab-advice').getAttribute('aria-selected'), 'true');
    assert.equal((await t.area()).y, before.y, 'nothing moves');
  });

  it('has the likely range in the tooltip of the time where the head has no room for it', async () => {
    await t.open({ viewport: { width: 1800, height: 620 } });
    const { lowNs, highNs } = profile.likely!;
    const likely = `likely ${timeText(lowNs)} to ${timeText(highNs)}`;
    assert.match((await t.find('.facts .fact').first().getAttribute('title')) ?? '', new RegExp(`; on hardware ${likely}$`));
    for (const width of [1340, 1300, 1200, 1100, 1000, 920, 880, 600, 462]) {
      await t.find('.app').evaluate((app: HTMLElement, px) => (app.style.flex = `0 0 ${px}px`), width);
      await t.settle();
      await t.screenshot(`head-${width}`);
      assert.equal(await t.find('.facts .likely').isVisible(), ![1000, 920, 462].includes(width), `${width} px`);
      const isCut = await t.find('.facts, .title').evaluateAll(parts => parts.map(part => part.scrollWidth > part.clientWidth));
      assert.deepEqual(isCut, [false, false], `${width} px`);
    }
  });

  for (const colorScheme of ['dark', 'light'] as const)
    it(`axe finds nothing in them, ${colorScheme} @long`, async () => {
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
      await other.find('.sentenceLink').waitFor();
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

  it('answers what if: the usual questions', async () => {
    await openTab('whatIf');
    const usual = usualQuestions(profile);
    const rows = t.find('table[aria-label="One thing faster"] tbody tr');
    assert.equal(await rows.count(), usual.length);
    assert.match((await rows.first().textContent()) ?? '', new RegExp(usual[0].what));
    const shares = usual.map(({ deltaShare }) => deltaShare);
    assert.ok(shares.some(isTooSmallShare), 'one of them is less than the model can tell apart');
    const marked = await t.find('table[aria-label="One thing faster"] tbody td').filter({ hasText: /^≈ −/ }).count();
    assert.equal(marked, shares.map(modelledChangeText).filter(text => text.startsWith('≈')).length);
  });

  const sliderOf = (name: string) => t.find(`.slider input[data-wish="${name}"]`);
  const result = async () => (await t.text('.ownResult b')).trim();
  const untilResult = (timeNs: number) =>
    t.page.waitForFunction(text => document.querySelector('.ownResult b')?.textContent === text, timeText(timeNs));
  const totalWith = (...questions: Question[]) => retimedWith(profile, questions).totalTimeNs;

  it('times the profile again as sliders say, by key, above the one that ran, and takes it back', async () => {
    await openTab('whatIf');
    assert.equal(await result(), timeText(profile.totalTimeNs));
    const { file, line } = lines(profile)[0];
    const [tensor, hottest] = [sliderOf('Tensor'), sliderOf(`${path.basename(file)}:${line}`)];
    await tensor.focus();
    await t.page.keyboard.press('ArrowRight');
    await untilResult(totalWith({ resource: 'Tensor', speed: 4 / 3 }));
    assert.ok(await tensor.evaluate(input => input === document.activeElement), 'the slider keeps the focus');
    await t.page.keyboard.press('ArrowRight');
    const half = totalWith({ resource: 'Tensor', speed: 2 });
    await untilResult(half);
    const heads = t.find('.stackHead');
    assert.equal(await heads.count(), 2);
    assert.match((await heads.first().textContent()) ?? '', /^.*Tensor −50 %experimenttotal /);
    assert.match((await heads.nth(1).textContent()) ?? '', /base/, 'what ran is what it is compared with');
    await hottest.focus();
    await t.page.keyboard.press('End');
    await untilResult(totalWith({ resource: 'Tensor', speed: 2 }, { line: { file, line }, speed: Infinity }));
    assert.equal(await heads.count(), 2, 'in the place of the one before');
    await t.page.keyboard.press('Control+z');
    await untilResult(half);
    assert.equal(await hottest.inputValue(), '0');
    await t.find('.ownResult vscode-button').filter({ hasText: 'As it ran' }).click();
    await untilResult(profile.totalTimeNs);
    assert.equal(await heads.count(), 0);
    await t.find('.ownResult vscode-button').filter({ hasText: 'Undo' }).click();
    await untilResult(half);
    await heads.first().locator('[data-act="remove"]').click();
    await t.settle();
    assert.deepEqual([await tensor.inputValue(), await heads.count()], ['0', 0], 'removed by its head');
  });

  for (const colorScheme of ['dark', 'light'] as const)
    for (const viewport of [size.viewport, { width: 1280, height: 720 }])
      it(`an experiment stands above what ran, and axe finds nothing, ${colorScheme} ${viewport.width} px wide @long`, async () => {
        await openTab('whatIf', { colorScheme, viewport });
        await sliderOf('DMA').focus();
        await t.page.keyboard.press('End');
        await untilResult(totalWith({ resource: 'DMA', speed: Infinity }));
        await t.settle();
        assert.deepEqual(await faultsOf(t.page), []);
        await t.screenshot(`experiment-${colorScheme}-${viewport.width}`);
      });

  const SENTENCES =
    '.headlineText, .detailsBody .sentence, .adviceItem dd, li.warning p, .group.wait > p, .detailsBody .next, .rung .value';
  const links = () => t.find(SENTENCES).locator('.link');

  /** What a press on a number shows, by what its link says. */
  async function shows(title: string): Promise<void> {
    await t.settle();
    if (/critical path/.test(title)) return t.untilTab('path');
    if (/bounds/.test(title)) return t.untilTab('advice');
    if (/without these waits/.test(title)) return t.untilTab('whatIf');
    if (/summary/.test(title)) return t.untilTab('summary');
    if (/roofline/.test(title)) {
      await t.untilTab('summary');
      return t.find('.detailsBody h3').filter({ hasText: 'Roofline' }).waitFor();
    }
    if (/^Marks/.test(title)) return assert.match(await t.text('.notes .marked:not([hidden])'), /^[1-9]\d* events?/);
    const { startNs, endNs, widthNs } = await t.span();
    const inside = /body/.test(title) ? [profile.bodyStartNs, profile.bodyEndNs] : waitOf(waiting);
    assert.ok(startNs <= inside[0] && endNs >= inside[1] && widthNs < 3 * (inside[1] - inside[0]), `${title}: ${startNs} to ${endNs}`);
  }

  const waitOf = (row: number) => [profile.instructions.readyNs[row], profile.instructions.startNs[row]];
  /** An instruction of VectorE that waited. */
  let waiting = 0;

  for (const id of ['summary', 'advice', 'warnings', 'path', 'details'] as const)
    it(`every number in a sentence opens what it came from: ${id} @long`, async () => {
      await t.open({ viewport: { width: 1600, height: 1400 } });
      await t.find('.sentenceLink').waitFor();
      const { track, readyNs, startNs } = profile.instructions;
      // VectorE's bars lie in one lane, where a click on the middle of the row finds them.
      const ofVector = [...track.keys()].filter(row => profile.tracks[track[row]].name === 'Vector');
      waiting = ofVector.reduce((most, row) => (startNs[row] - readyNs[row] > startNs[most] - readyNs[most] ? row : most));
      const prepare = async () => {
        await t.press('Escape', '0');
        if (id === 'details') await t.clickAt(waiting);
        await t.tab(id);
      };
      await prepare();
      const rest = await t.find(SENTENCES).evaluateAll(found =>
        found.map(node => {
          const copy = node.cloneNode(true) as HTMLElement;
          for (const link of copy.querySelectorAll('.link')) link.remove();
          return copy.textContent!;
        }),
      );
      assert.ok(rest.length > 1, 'there are sentences');
      for (const text of rest) assert.doesNotMatch(text, /(?<!\w)\d/, 'no number is only text');
      const count = await links().count();
      assert.ok(count > 1);
      for (let i = 0; i < count; i++) {
        const link = links().nth(i);
        const title = (await link.getAttribute('title'))!;
        await link.evaluate(button => (button as HTMLElement).click());
        await shows(title);
        await prepare();
      }
    });

  it('numbers of a check open its instruction, and those of the path and of the memory what they are of', async () => {
    const file = folder.write(
      'rooted.py',
      `import numpy as np
import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def rooted(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for i in range(2):
        tile = nl.ndarray((128, 64), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=a[nl.ds(i * 128, 128), :])
        nisa.activation(dst=tile, op=nl.sqrt, data=tile)
        nisa.dma_copy(dst=out[nl.ds(i * 128, 128), :], src=tile)
    return out


a = np.ones((256, 64), dtype=np.float32)
a[200, 3] = -0.5
rooted(a)
`,
    );
    const rooted = await captured(file);
    const other = await timelineOf(rooted, folder, 'rooted');
    try {
      await other.open(size);
      await other.find('.sentenceLink').waitFor();
      await other.tab('warnings');
      const [check] = rooted.checks;
      const item = other.find('li.warning').filter({ hasText: 'First NaN in i=1' });
      assert.match(check.message, /writes 1 of 8192 elements/);
      await item.locator('.link', { hasText: /^8192$/ }).click();
      await other.settle();
      const event = Number(await other.attribute('data-selected'));
      assert.equal(rooted.instructions.origin[event], check.instruction);
      const heading = await other.text('.detailsBody h2');
      assert.equal(heading, `${await other.find('li.warning').count()} warnings`);
      await other.tab('memory');
      await other.find('.memory .where .link').first().click();
      await other.settle();
      const { widthNs } = await other.span();
      assert.ok(widthNs < rooted.totalTimeNs / 50, 'around the peak');
      await other.tab('path');
      await other.find('.detailsBody .hint .link').click();
      await other.find('.legend').filter({ hasText: 'no slack' }).waitFor();
      await other
        .find('.detailsBody .link')
        .filter({ hasText: /^[\d.]+ µs \(−/ })
        .click();
      await other.find('.stackHead').first().waitFor();
      await other.untilTab('whatIf');
    } finally {
      await other.finish();
      await other.stop();
    }
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

  it('is read in every theme and at any width @long', async () => {
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
          await sliderOf('DMA').focus();
          await t.page.keyboard.press('End');
          await t.find('.stackHead').first().waitFor();
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
      assert.match(await other.text('.headlineText'), /-bound: |^Bound by /, 'what bounds the kernel, instead of the advice');
      await other.find('.sentenceLink').click();
      await other.untilTab('summary');
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
