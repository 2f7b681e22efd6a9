/** The page as VS Code runs it: a stand-in for `acquireVsCodeApi` plays the extension, message for message. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { anchorOf } from '../../src/simulator/analyze/anchors';
import { warnings } from '../../src/simulator/analyze/warnings';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { firstPart, slicesPart } from '../../src/simulator/profile/parts';
import type { Profile } from '../../src/simulator/profile/profile';
import type { HostEvents, KeptView, ViewState } from '../../src/webview/protocol/messages';
import { launchBrowser } from '../support/browser';
import { syntheticProfile } from '../support/syntheticProfile';
import { bundleWebview, type Served, servePage, settle } from '../support/webviewPage';

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
  /** A newer run is sent along, and drawn. */
  const give = async (newer: Profile) => {
    const count = (await log()).filter(m => m.name === 'painted').length;
    await page.evaluate(
      given => window.postMessage({ type: 'event', name: 'profileChanged', value: { title: 'newer', bytes: new Uint8Array(given) } }, '*'),
      [...encodeProfile(newer)],
    );
    await page.waitForFunction(
      drawn => (window as unknown as { log: Message[] }).log.filter(m => m.name === 'painted').length > drawn,
      count,
    );
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

  it('says what it waits for before the extension has answered', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.addInitScript(() =>
      Object.assign(window, { acquireVsCodeApi: () => ({ postMessage() {}, getState: () => undefined, setState() {} }) }),
    );
    await other.goto(served.url);
    await other.locator('.curtain').waitFor();
    assert.equal(await other.locator('.curtain p').textContent(), 'Waiting for the profile');
    await other.context().close();
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

  it('shows what a number of the editor came from', async () => {
    const position = { file: '/kernels/tiled.py', line: 11 };
    const { frame } = profile.transfers;
    const expected = [...frame].filter(of => profile.frames.line[of] === 11).length;
    await tell('showPart', { position, of: { part: 'transfers' } });
    assert.equal(await page.locator('.notes .marked').textContent(), `${expected} DMA transfers of tiled.py:11`);
    const { rule, title, events } = warnings(profile)[0];
    await tell('showPart', { position, of: { part: 'warning', rule, title } });
    await page.locator('#tab-warnings[aria-selected=true]').waitFor();
    assert.match((await page.locator('.warning.chosen').textContent()) ?? '', new RegExp(title));
    assert.match((await page.locator('.notes .marked').textContent()) ?? '', new RegExp(`^${events.length} events?: ${title}`));
    await tell('showPart', { position, of: { part: 'whatIf', savedShare: 0.5 } });
    await page.locator('#tab-whatIf[aria-selected=true]').waitFor();
    const asked = (await log()).filter(m => m.method === 'experiment').map(m => m.params?.[0]);
    assert.ok(asked.some(one => JSON.stringify(one) === JSON.stringify({ job: 'retimed', wishes: [{ line: position, savedShare: 0.5 }] })));
    await tell('command', { name: 'clear' });
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

  it('a marker goes with its event into a newer run of changed code; one whose pass is gone stays in the list', async () => {
    const { instructions, iterations } = profile;
    const event = instructions.iteration.findIndex(iteration => iteration >= 0);
    await tell('command', { name: 'clear' });
    await page.locator('#tab-markers').click();
    // the event's row may be anywhere: it is found by its line and pass
    const cell = (name: string) => page.locator('table[aria-label="Markers"] tbody tr').locator(`td:nth-child(${name})`);
    const other = { ...profile, files: profile.files.map(file => ({ ...file, text: `# new\n${file.text}` })) };
    const slower = <T extends { startNs: Float64Array; endNs: Float64Array; readyNs: Float64Array }>(group: T) => ({
      ...group,
      ...{ startNs: group.startNs.map(ns => ns + 100), endNs: group.endNs.map(ns => ns + 100), readyNs: group.readyNs.map(ns => ns + 100) },
    });
    const moved = {
      ...other,
      totalTimeNs: profile.totalTimeNs + 200,
      frames: { ...profile.frames, line: profile.frames.line.map(line => line + 1) },
      instructions: slower(instructions),
    };
    const marker = {
      name: 'here',
      timeNs: instructions.startNs[event],
      series: 0,
      anchor: anchorOf(profile, event, instructions.startNs[event]),
    };
    const file = (markers: unknown[]) => Buffer.from(JSON.stringify({ markers }));
    await page
      .locator('input[aria-label="Marker file"]')
      .setInputFiles({ name: 'm.json', mimeType: 'application/json', buffer: file([{ ...marker, id: 1 }]) });
    await cell('4')
      .filter({ hasText: /tiled\.py:\d+ · i=/ })
      .waitFor();
    const [before, line] = [await cell('3').textContent(), await cell('4').textContent()];
    await give(moved);
    const number = Number(/:(\d+)/.exec(line ?? '')![1]);
    await cell('4')
      .filter({ hasText: `tiled.py:${number + 1} · i=` })
      .waitFor();
    assert.notEqual(await cell('3').textContent(), before);
    await give({ ...moved, iterations: { ...iterations, value: iterations.value.map(value => value + 100) } });
    await cell('4')
      .filter({ hasText: `not in this run (line ${number} · i=` })
      .waitFor();
    assert.match((await page.locator('.detailsBody').textContent()) ?? '', /1 marker without an event: this run has no such/);
    await give(profile);
    await cell('4')
      .filter({ hasText: line ?? '' })
      .waitFor();
    assert.equal(await cell('3').textContent(), before);
  });

  it('draws the rows of a first part, asks for the second one and draws the rest; those of others when rows show them', async () => {
    const [whole, other] = [profile, syntheticProfile(200, 9)].map(encodeProfile);
    const counterMax = () => page.locator('.counterName .value').first().textContent();
    await give(profile);
    const expected = await counterMax();
    assert.match(expected ?? '', /[1-9]/);
    await page.evaluate(
      ([first, second, ofOther]) => {
        const slices: Record<string, Uint8Array> = { own: new Uint8Array(second), 'other run': new Uint8Array(ofOther) };
        const hold = new Promise<void>(resolve => Object.assign(window, { letGo: resolve }));
        Object.assign(window, {
          slicesOf: async (key: string | null) => {
            if (key === null) await hold;
            return slices[key ?? 'own'];
          },
        });
        window.postMessage({ type: 'event', name: 'profileChanged', value: { title: 'in parts', bytes: new Uint8Array(first) } }, '*');
      },
      [firstPart(whole, 0), slicesPart(whole), slicesPart(other)].map(bytes => [...bytes]),
    );
    const slicesAsked = async () => (await log()).filter(m => m.method === 'loadSlices').map(m => m.params?.[0]);
    const painted = async () => (await log()).filter(m => m.name === 'painted').length;
    const before = await painted();
    await page.waitForFunction(() => (window as unknown as { log: Message[] }).log.some(m => m.method === 'loadSlices'));
    await settle(page);
    assert.deepEqual(await slicesAsked(), [null]);
    assert.equal((await page.locator('.labels .label').count()) > 4, true);
    assert.equal(await painted(), before, 'the counters wait');
    await page.evaluate(() => (window as unknown as { letGo(): void }).letGo());
    await page.waitForFunction(
      drawn => (window as unknown as { log: Message[] }).log.filter(m => m.name === 'painted').length > drawn,
      before,
    );
    assert.equal(await counterMax(), expected);

    await tell('stack', { above: false, profiles: [{ key: 'other run', title: 'other', bytes: firstPart(other, 0) }] });
    await page.locator('.stackHead').nth(1).waitFor();
    assert.deepEqual(await slicesAsked(), [null], 'no row shows them');
    await page.locator('.tracks').focus();
    await page.keyboard.press('t');
    await page.locator('select').filter({ hasText: 'by engine' }).selectOption('engine');
    await page.locator('.labels .label.dma', { hasText: 'of B' }).first().waitFor();
    assert.deepEqual(await slicesAsked(), [null, 'other run']);
    await page.locator('select').filter({ hasText: 'by engine' }).selectOption('queue');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove B' }).first().click();
  });

  it('asks for nothing when the newer run is sent along', async () => {
    const asked = async () => (await log()).filter(m => m.method === 'loadProfile').length;
    const [before, newer] = [await asked(), syntheticProfile(55, 3)];
    await give(newer);
    const painted = (await log()).filter(m => m.name === 'painted').map(m => m.value as { events: number });
    assert.equal(painted.at(-1)?.events, newer.instructions.frame.length + newer.transfers.frame.length);
    assert.equal(await asked(), before);
  });
});

/** In the page, before its scripts. */
function playExtension(state: ViewState) {
  const log: Message[] = [];
  const reply = (id: number | undefined, value: unknown) => window.postMessage({ type: 'reply', id, value }, '*');
  const answers: Record<string, (first?: unknown) => unknown> = {
    ready: () => ({ id: 'tiled.py', title: 'tiled', state, canOpenSource: true }),
    loadProfile: async () => new Uint8Array(await (await fetch('/api/profile/1')).arrayBuffer()),
    loadSlices: key => (window as unknown as { slicesOf(key: unknown): Promise<Uint8Array> }).slicesOf(key),
    openSource: () => null,
  };
  Object.assign(window, {
    log,
    acquireVsCodeApi: () => ({
      async postMessage(message: Message) {
        log.push(message);
        if (message.type === 'request') reply(message.id, await answers[message.method ?? ''](message.params?.[0]));
      },
      setState: (value: unknown) => Object.assign(window, { kept: value }),
    }),
  });
}
