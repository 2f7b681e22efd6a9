/** The page as VS Code runs it: a stand-in for `acquireVsCodeApi` plays the extension, message for message. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { encodeProfile } from '../../src/simulator/profile/codec';
import type { HostEvents, KeptView, ViewState } from '../../src/webview/protocol/messages';
import { syntheticProfile } from '../support/syntheticProfile';
import { bundleWebview, launchBrowser, type Served, servePage, settle } from '../support/webviewPage';

interface Message {
  type: string;
  id?: number;
  name?: string;
  method?: string;
  value?: unknown;
  params?: unknown[];
}

const profile = syntheticProfile(300, 7);
const kept: ViewState = { startNs: 5_000, endNs: 9_000, selectedEvent: 12, collapsed: ['Vector'], scrollTop: 0 };

describe('the timeline as a VS Code webview', () => {
  let served: Served;
  let browser: Browser;
  let page: Page;

  before(async () => {
    served = await servePage(await bundleWebview(), encodeProfile(profile));
    browser = await launchBrowser();
    page = await (await browser.newContext({ viewport: { width: 900, height: 700 }, reducedMotion: 'reduce' })).newPage();
    await page.addInitScript(playExtension, kept);
    await page.goto(served.url);
    await page.waitForSelector('.app[data-status="ready"]');
    await settle(page);
  });
  after(async () => {
    await browser?.close();
    await served?.close();
  });

  const log = () => page.evaluate(() => (window as unknown as { log: Message[] }).log);
  const tell = async (name: string, value: unknown) => {
    await page.evaluate(message => window.postMessage(message, '*'), { type: 'event', name, value });
    await settle(page);
    await settle(page);
  };
  const attribute = (name: string) => page.locator('.app').getAttribute(name);

  it('asks once for its state and its profile, restores what was kept, and reports the first drawing', async () => {
    const messages = await log();
    assert.deepEqual(
      messages.filter(m => m.type === 'request').map(m => m.method),
      ['ready', 'loadProfile'],
    );
    assert.equal(await attribute('data-span'), '5000 9000');
    assert.equal(await attribute('data-selected'), '12');
    assert.equal(await page.locator('.labels [aria-expanded="false"] .name').textContent(), 'Vector');
    await page.waitForFunction(() => (window as unknown as { log: Message[] }).log.some(m => m.name === 'painted'));
    const painted = (await log()).filter(m => m.name === 'painted');
    assert.equal(painted.length, 1);
    assert.equal((painted[0].value as { events: number }).events, 375);
    assert.equal(await page.locator('.sourcePane').count(), 0, 'the editor is the source pane');
  });

  it('obeys commands', async () => {
    await tell('command', { name: 'fit' });
    assert.equal(await attribute('data-span'), `0 ${profile.totalTimeNs}`);
    await tell('command', { name: 'nextEvent' });
    assert.notEqual(await attribute('data-selected'), '12');
  });

  it('marks the events of lines and zooms to them when asked', async () => {
    await tell('selectLines', { positions: [{ file: '/kernels/tiled.py', line: 11 }], zoom: true });
    const expected = [...profile.instructions.frame, ...profile.transfers.frame].filter(frame => profile.frames.line[frame] === 11).length;
    assert.equal(await page.locator('.notes .marked').textContent(), `${expected} events of tiled.py:11`);
    await tell('selectLines', {
      positions: [
        { file: '/kernels/tiled.py', line: 8 },
        { file: '/kernels/tiled.py', line: 12 },
      ],
      zoom: false,
    });
    assert.match((await page.locator('.notes .marked').textContent()) ?? '', /^\d+ events of 2 lines$/);
  });

  it('a click on a bar asks for its source line, which Ctrl gives the keyboard; the state is kept', async () => {
    await tell('command', { name: 'fit' });
    const box = await page.locator('.tracks').boundingBox();
    const label = await page.locator('.labels .label').nth(6).boundingBox();
    assert.ok(box && label);
    const { startNs, endNs, frame } = profile.transfers;
    const middle = (startNs[10] + endNs[10]) / 2;
    await page.mouse.click(box.x + (middle / profile.totalTimeNs) * box.width, label.y + label.height / 2);
    await page.waitForSelector('.app[data-selected="310"]');
    await page.keyboard.down('Control');
    await page.mouse.click(box.x + (middle / profile.totalTimeNs) * box.width, label.y + label.height / 2);
    await page.keyboard.up('Control');
    await settle(page);
    assert.equal(await attribute('data-selected'), '310');
    const position = { file: '/kernels/tiled.py', line: profile.frames.line[frame[10]] };
    const messages = await log();
    const asked = messages.filter(m => m.method === 'openSource');
    assert.deepEqual(
      asked.map(m => m.params),
      [
        [position, false],
        [position, true],
      ],
    );
    await page.waitForFunction(() => (window as unknown as { log: Message[] }).log.at(-1)?.name === 'state');
    const state = (await log()).at(-1)?.value as ViewState;
    assert.deepEqual([state.selectedEvent, state.collapsed], [310, ['Vector']]);
    assert.ok(state.endNs >= profile.bodyEndNs, 'the view that it opened with');
    assert.deepEqual(await page.evaluate(() => (window as unknown as { kept: KeptView }).kept), { id: 'tiled.py', state });
  });

  it('stacks profiles when the editor compares runs: those before above, and says what is there', async () => {
    const runs = [3, 4].map(seed => [...encodeProfile(syntheticProfile(40, seed))]);
    await page.evaluate(
      given =>
        window.postMessage(
          {
            type: 'event',
            name: 'stack',
            value: {
              above: true,
              profiles: given.map((bytes, i) => ({ key: `run ${i}`, title: `before ${i}`, bytes: new Uint8Array(bytes), letter: 'CB'[i] })),
            },
          },
          '*',
        ),
      runs,
    );
    await page.locator('.stackHead').nth(2).waitFor();
    await settle(page);
    assert.deepEqual(await page.locator('.headTitle').allTextContents(), ['before 0', 'before 1', 'tiled']);
    assert.deepEqual(await page.locator('.stackHead .profileMark').allTextContents(), ['C', 'B', 'A']);
    await page.getByRole('button', { name: 'Remove C' }).first().click();
    await page.getByRole('button', { name: 'Remove B' }).first().click();
    await settle(page);
    const told = (await log()).filter(m => m.name === 'stacked').map(m => (m.value as HostEvents['stacked']).profiles);
    assert.deepEqual(told, [
      [
        { key: 'run 0', letter: 'C', title: 'before 0', bytes: null },
        { key: 'run 1', letter: 'B', title: 'before 1', bytes: null },
      ],
      [{ key: 'run 1', letter: 'B', title: 'before 1', bytes: null }],
      [],
    ]);
  });

  it('follows a newer run, and keeps looking where one looked', async () => {
    await tell('command', { name: 'zoomIn' });
    const before = await attribute('data-span');
    await tell('profileChanged', { title: 'tiled, again' });
    await page.waitForFunction(() => (window as unknown as { log: Message[] }).log.filter(m => m.name === 'painted').length === 2);
    assert.equal(await attribute('data-span'), before);
    assert.equal(await attribute('data-selected'), 'null');
  });

  it('asks for nothing when the newer run is sent along', async () => {
    const asked = async () => (await log()).filter(m => m.method === 'loadProfile').length;
    const [before, newer] = [await asked(), syntheticProfile(55, 3)];
    await page.evaluate(
      given => window.postMessage({ type: 'event', name: 'profileChanged', value: { title: 'newer', bytes: new Uint8Array(given) } }, '*'),
      [...encodeProfile(newer)],
    );
    await page.waitForFunction(() => (window as unknown as { log: Message[] }).log.filter(m => m.name === 'painted').length === 3);
    const painted = (await log()).filter(m => m.name === 'painted').map(m => m.value as { events: number });
    assert.equal(painted[2].events, newer.instructions.frame.length + newer.transfers.frame.length);
    assert.equal(await asked(), before);
  });
});

/** In the page, before its scripts. */
function playExtension(state: ViewState) {
  const log: Message[] = [];
  const reply = (id: number | undefined, value: unknown) => window.postMessage({ type: 'reply', id, value }, '*');
  const answers: Record<string, () => unknown> = {
    ready: () => ({ id: 'tiled.py', title: 'tiled', state, canOpenSource: true }),
    loadProfile: async () => new Uint8Array(await (await fetch('/api/profile/1')).arrayBuffer()),
    openSource: () => null,
  };
  Object.assign(window, {
    log,
    acquireVsCodeApi: () => ({
      async postMessage(message: Message) {
        log.push(message);
        if (message.type === 'request') reply(message.id, await answers[message.method ?? '']());
      },
      setState: (value: unknown) => Object.assign(window, { kept: value }),
    }),
  });
}
