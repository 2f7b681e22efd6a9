/** One VS Code window in headless Chromium, used as a person uses it: palette, editor, notifications, timeline. */
import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { WAIT_LIMIT_MS } from '../../support/patience';
import { gesture, noEffect } from './gestures';
import type { WorkbenchServer } from './server';

declare const NKI_SCOPE_ROOT: string;

const SHOTS = path.join(NKI_SCOPE_ROOT, 'out/shots');
const SIZE = { width: 1400, height: 900 };
/** For one try of a gesture that may be swallowed. */
const GESTURE_MS = 3000;
/** After which a window that does not show its files is loaded again; a busy machine needs some 20 s. */
const LOADING_MS = WAIT_LIMIT_MS / 3;

export class Window {
  private constructor(
    readonly page: Page,
    /** Addresses outside this machine that anything in the window asked for. */
    readonly outside: string[],
  ) {}

  /** @param file of the fixture, opened in an editor @param roots a `.code-workspace` file */
  static async open(browser: Browser, server: WorkbenchServer, file?: string, roots?: string): Promise<Window> {
    const context = await browser.newContext({ viewport: SIZE });
    context.setDefaultTimeout(WAIT_LIMIT_MS);
    const page = await context.newPage();
    const outside: string[] = [];
    const own = new RegExp(`^(https?://127\\.0\\.0\\.1:${server.port}|data:|blob:|vscode|https://[^/]*\\.vscode-(resource|webview|cdn))`);
    page.on('request', request => own.test(request.url()) || outside.push(request.url()));
    const files = page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first();
    // VS Code came up without its explorer once, and stayed so: for no fault of ours that could be seen
    await gesture(
      `loading ${roots ?? 'the workspace'}`,
      () => page.goto(server.url([], roots)),
      () => files.isVisible(),
      LOADING_MS,
    ).catch(async error => {
      await page.screenshot({ path: path.join(SHOTS, 'workbench-not-loaded.png') });
      throw error;
    });
    const window = new Window(page, outside);
    if (file) await window.openFile(file);
    return window;
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  /** As a user does: by its name in Quick Open. */
  async openFile(name: string): Promise<void> {
    await this.quickOpen('Control+p', name, name);
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    await this.page.locator('.editor-instance .view-line').first().waitFor();
  }

  async shot(name: string): Promise<void> {
    fs.mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SHOTS, `workbench-${name}.png`) });
  }

  /** Runs a command by its title in the palette. */
  command(title: string): Promise<void> {
    return this.quickOpen('F1', `>${title}`, title);
  }

  /**
   * Types into Quick Open and takes the first row of this text. A window that has just opened may not know the key, or the row, yet;
   * what takes the focus meanwhile closes it; a row that is drawn anew under the pointer takes no click.
   */
  private async quickOpen(key: string, typed: string, rowText: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget .quick-input-filter input');
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: rowText }).first();
    // it may be open with something else: what was chosen asks for more
    const isOpen = async () => (await input.isVisible()) && (await input.inputValue().catch(() => '')) === typed;
    await gesture(
      `${key} ${typed}`,
      async () => {
        // what it lists may be as old as itself
        if (await isOpen()) await this.page.keyboard.press('Escape');
        await this.page.keyboard.press(key);
        await input.fill(typed, { timeout: GESTURE_MS }).catch(noEffect);
      },
      async () => (await isOpen()) && (await row.isVisible()),
    );
    await gesture(
      `a click on ${rowText}`,
      () => row.click({ timeout: GESTURE_MS }).catch(noEffect),
      async () => !(await isOpen()),
    );
  }

  /** Changes of an earlier test, which the window may have restored, are dropped. */
  async closeAllEditors(): Promise<void> {
    await this.command('View: Close All Editors');
    const drop = this.page.locator('.monaco-dialog-box .monaco-button', { hasText: "Don't Save" });
    await this.until('all editors to be closed', async () => {
      if (await drop.isVisible()) await drop.click({ timeout: GESTURE_MS }).catch(noEffect);
      return (await this.page.locator('.editor-group-container .tab').count()) === 0;
    });
  }

  /** With the middle button, whichever has the focus. */
  closeTab(title: string): Promise<void> {
    const tab = this.page.locator('.tab', { hasText: title }).first();
    return gesture(
      `closing ${title}`,
      () => tab.click({ button: 'middle', timeout: GESTURE_MS }).catch(noEffect),
      async () => (await tab.count()) === 0,
    );
  }

  /**
   * Opens a quick pick and takes a row of it: what takes the focus meanwhile closes the quick pick, and nothing is chosen.
   * @param worked what the window shows once the row is chosen
   */
  quickPick(text: string, open: () => Promise<unknown>, worked: Locator): Promise<void> {
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
    return gesture(
      `choosing ${text}`,
      async () => {
        await open();
        await row.click({ timeout: GESTURE_MS }).catch(noEffect);
      },
      async () => (await worked.first().isVisible()) && !(await row.isVisible()),
    );
  }

  /** Opens what a right click on this opens, and takes one of its items: a menu ignores clicks until it has been open for a moment. */
  async menu(on: Locator, item: string): Promise<void> {
    const entry = this.page.getByRole('menuitem', { name: item, exact: true });
    await gesture(
      `the menu with ${item}`,
      () => on.click({ button: 'right' }),
      () => entry.isVisible(),
    );
    await gesture(
      `a click on ${item}`,
      () => entry.click({ timeout: GESTURE_MS }).catch(noEffect),
      async () => !(await entry.isVisible()),
    );
  }

  /** Gives a view the keyboard. VS Code moves the focus after the command, and to nowhere where the view's rows are not there yet. */
  async focusView(name: string): Promise<void> {
    const list = this.page.locator(`.monaco-list[aria-label="${name}"]`);
    await gesture(
      `the focus of ${name}`,
      () => this.command(`Focus on ${name} View`),
      () => list.evaluateAll(found => found.some(element => element.contains(document.activeElement))),
    );
  }

  /** Presses a key until the window shows what it does; one that has an effect each time is not for this. */
  press(key: string, worked: Locator): Promise<void> {
    return gesture(
      `the key ${key}`,
      () => this.page.keyboard.press(key),
      async () => (await worked.count()) > 0,
    );
  }

  /** Types a path into VS Code's own file dialog, once it shows one, and accepts: a dialog that is still listing its folder may swallow that. */
  async answerDialog(file: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    await this.until(
      'the file dialog',
      async () => (await input.isVisible()) && (await input.inputValue().catch(() => '')).startsWith('/'),
    );
    await gesture(
      `the path ${file}`,
      async () => {
        await input.fill(file, { timeout: GESTURE_MS }).catch(noEffect);
        await input.press('Enter', { timeout: GESTURE_MS }).catch(noEffect);
      },
      async () => !(await input.isVisible()),
    );
  }

  /** Answers a message. One that has just come, or moves because another came, may swallow the click. */
  async answer(message: Locator, button: string, worked: Locator): Promise<void> {
    const choice = message.locator('.monaco-button', { hasText: button });
    await gesture(
      `the answer ${button}`,
      () => choice.click({ timeout: GESTURE_MS }).catch(noEffect),
      async () => (await worked.count()) > 0,
    );
  }

  /** Takes the first button of a message by VS Code's command. One that has just come may not be the one that the command finds. */
  acceptByCommand(message: Locator): Promise<void> {
    return gesture(
      'the first button of the message',
      () => this.command('Notifications: Accept Notification Primary Action'),
      async () => (await message.count()) === 0,
    );
  }

  notification(text: string | RegExp) {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  /** The timeline's own document: a frame inside VS Code's frame. */
  get timeline(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** The document of the webview that has this in it. */
  async pageWith(selector: string): Promise<Frame> {
    let found: Frame | undefined;
    await this.until(`a webview with ${selector}`, async () => {
      // Frames come and go while they are looked through.
      for (const frame of this.page.frames())
        if (
          await frame
            .locator(selector)
            .count()
            .catch(() => 0)
        )
          found = frame;
      return found !== undefined;
    });
    return found!;
  }

  /** In the first editor group. A timeline that had the keyboard may become the active editor late: a view tells of its focus four times a second. */
  async goToLine(line: number): Promise<void> {
    const input = this.page.locator('.quick-input-widget .quick-input-filter input');
    await gesture(
      `Go to Line ${line}`,
      async () => {
        await this.page.keyboard.press('Control+1');
        await this.page.keyboard.press('Control+g');
        await input.fill(`:${line}`, { timeout: GESTURE_MS }).catch(noEffect);
        await input.press('Enter', { timeout: GESTURE_MS }).catch(noEffect);
      },
      () => this.cursorAt(line).isVisible(),
    );
  }

  /** @throws Error that names what was waited for */
  async until(what: string, look: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + WAIT_LIMIT_MS; !(await look()); await this.page.waitForTimeout(50))
      if (Date.now() > deadline) throw new Error(`waited ${WAIT_LIMIT_MS} ms in vain for ${what}`);
  }

  async untilCursorAt(line: number): Promise<void> {
    await this.cursorAt(line).waitFor();
  }

  /** The status bar's item of that line. */
  private cursorAt(line: number): Locator {
    return this.page.locator('.statusbar-item', { hasText: new RegExp(`^Ln ${line}, Col \\d+`) });
  }

  /** In an editor that need not have the focus: the status bar tells of the one that has. */
  async untilCurrentLineIs(line: number): Promise<void> {
    await this.page.locator('.margin .active-line-number', { hasText: new RegExp(`^${line}$`) }).waitFor();
  }

  /** Texts drawn by decorations at line ends: pseudo elements, which no text locator sees. */
  afterTexts(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.view-line span')]
        .map(span => getComputedStyle(span, '::after').content.replace(/^"|"$/g, ''))
        .filter(text => text !== 'none' && text !== 'normal' && text !== ''),
    );
  }

  /** Numbers of the hot lines in the gutter, top to bottom. */
  gutterNumbers(): Promise<number[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.glyph-margin-widgets .cgmr')]
        .flatMap(e => {
          const packed = /data:image\/svg\+xml;base64,([\w+/=]+)/.exec(getComputedStyle(e).backgroundImage);
          const number = packed && />(\d+)<\/text>/.exec(atob(packed[1]));
          return number ? [{ yPx: e.getBoundingClientRect().top, percent: Number(number[1]) }] : [];
        })
        .sort((a, b) => a.yPx - b.yPx)
        .map(({ percent }) => percent),
    );
  }
}
