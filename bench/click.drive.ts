/**
 * From outside, as a person: clicks on bars of the timeline, and when the editor shows the line. What passes by on the way is seen in the
 * window itself (its socket to the extension host, its editor, its status bar), so that the driver's polling does not count.
 */
import type { Frame } from 'playwright-core';
import { launchBrowser } from '../test/support/browser';
import { WorkbenchServer } from '../test/workbench/harness/server';
import { Timeline } from '../test/workbench/harness/timeline';
import { Window } from '../test/workbench/harness/window';

/** One click; milliseconds since the browser had the release of the button, which makes it a click and no drag. */
export interface Click {
  /** The page's message leaves the window for the extension host. */
  asked: number;
  /** The host's answer, what the editor shall do, is in the window. */
  answered: number;
  /** The line is painted as the editor's current one. */
  shown: number;
  /** With Ctrl, which gives the editor the keyboard: the status bar names the line. */
  named: number | undefined;
}

const FILE = 'exp_script.py';
/** Rows whose first bars belong to different lines, so that each click moves the cursor. */
const ROWS = ['Scalar', 'qSyncIO0'];
const CLICKS = 12;
/** Long enough for what the click before left behind: highlights, related lines, the kept state. */
const PAUSE_MS = 700;
/** A window on a busy machine may swallow a click: then the next one is tried. */
const PATIENCE_MS = 5000;

/** @returns clicks that show a line, and clicks with Ctrl, that go there */
export async function clickTimes(vsix: string, log: string): Promise<{ show: Click[]; go: Click[] }> {
  const server = await WorkbenchServer.start({ vsix, log, settings: { 'nkiScope.target': 'trn1' } });
  const browser = await launchBrowser();
  try {
    const window = await Window.open(browser, server, FILE);
    const timeline = new Timeline(window);
    await window.command('NKI Scope: Profile Kernel');
    await timeline.untilPainted();
    const page = await window.pageWith('.app');
    await window.page.evaluate(listenToSocket);
    const times = { show: [] as Click[], go: [] as Click[] };
    for (let i = 0; times.go.length < CLICKS; i++) {
      const go = times.show.length >= CLICKS;
      const place = await timeline.hoverBar(ROWS[i % ROWS.length]);
      await window.page.waitForTimeout(PAUSE_MS);
      const click = await oneClick(window, timeline, page, Number(/:(\d+)$/.exec(place)?.[1]), go);
      if (click) times[go ? 'go' : 'show'].push(click);
    }
    return times;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Null when nothing came of it. */
async function oneClick(window: Window, timeline: Timeline, page: Frame, line: number, go: boolean): Promise<Click | null> {
  const released = page.evaluate(releaseTime);
  const seen = window.page.evaluate(watchLine, { line, go });
  await window.page.waitForTimeout(100);
  await timeline.clickHere(go);
  const passed = await Promise.race([Promise.all([released, seen]), window.page.waitForTimeout(PATIENCE_MS)]);
  if (!passed) return null;
  const [startMs, { asked, answered, shown, named }] = passed;
  const since = (ms: number) => ms - startMs;
  return { asked: since(asked), answered: since(answered), shown: since(shown), named: named && since(named) };
}

/** In the timeline's document: the clock's time of the next release. */
function releaseTime(): Promise<number> {
  return new Promise(resolve =>
    addEventListener('pointerup', event => resolve(performance.timeOrigin + event.timeStamp), { capture: true, once: true }),
  );
}

interface Passing {
  asked: number;
  answered: number;
}

/** In the window, once: notes when the latest question and answer about a source line pass through the socket. */
function listenToSocket() {
  const passing: Passing = { asked: 0, answered: 0 };
  Object.assign(window, { passing });
  const clock = () => performance.timeOrigin + performance.now();
  const text = async (data: unknown) =>
    new TextDecoder('latin1').decode(data instanceof Blob ? await data.arrayBuffer() : (data as BufferSource));
  const note = (data: unknown, sign: RegExp, as: keyof Passing) => {
    const atMs = clock();
    void text(data).then(found => sign.test(found) && Object.assign(passing, { [as]: atMs }));
  };
  const heard = new WeakSet<WebSocket>();
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    if (!heard.has(this)) this.addEventListener('message', event => note(event.data, /\$trySetSelections/, 'answered'), true);
    heard.add(this);
    note(data, /openSource/, 'asked');
    send.call(this, data);
  };
}

/** In the window: the clock's time at which the line is painted as current, and at which the status bar names it. */
async function watchLine({ line, go }: { line: number; go: boolean }): Promise<Passing & { shown: number; named: number | undefined }> {
  const seen = (parts: string, isThere: (text: string) => boolean) =>
    new Promise<number>(resolve => {
      const observer = new MutationObserver(() => {
        if (![...document.querySelectorAll(parts)].some(part => isThere(part.textContent ?? ''))) return;
        observer.disconnect();
        // the first task after the frame in which it changed: it is on the screen
        const painted = new MessageChannel();
        painted.port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
        painted.port2.postMessage(null);
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
  const [shown, named] = await Promise.all([
    seen('.margin .active-line-number', text => text === String(line)),
    go ? seen('.statusbar-item', text => text.startsWith(`Ln ${line},`)) : undefined,
  ]);
  await new Promise(resolve => setTimeout(resolve, 100)); // the socket's blobs are read
  return { ...(window as unknown as { passing: Passing }).passing, shown, named };
}
