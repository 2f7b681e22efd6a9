/** One VS Code window in headless Chromium, used as a person uses it: palette, editor, notifications, timeline. */
import fs from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Frame, type FrameLocator, type Page } from 'playwright-core';
import { WAIT_LIMIT_MS } from '../../support/patience';
import type { WorkbenchServer } from './server';

declare const NKI_SCOPE_ROOT: string;

const SHOTS = path.join(NKI_SCOPE_ROOT, 'out/shots');
const SIZE = { width: 1400, height: 900 };

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.NKI_SCOPE_CHROMIUM,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

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
    await page.goto(server.url([], roots));
    await page.locator('.monaco-workbench .explorer-folders-view .monaco-list-row').first().waitFor();
    const window = new Window(page, outside);
    if (file) await window.openFile(file);
    return window;
  }

  close(): Promise<void> {
    return this.page.context().close();
  }

  /** As a user does: by its name in Quick Open. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+p');
    await this.page.locator('.quick-input-widget .quick-input-filter input').fill(name);
    await this.quickPick(name);
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    await this.page.locator('.editor-instance .view-line').first().waitFor();
  }

  async shot(name: string): Promise<void> {
    fs.mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SHOTS, `workbench-${name}.png`) });
  }

  /**
   * Runs a command by its title in the palette; tries again where a window that has just opened does not know it yet, or where
   * something that takes the focus closes the palette.
   */
  async command(title: string): Promise<void> {
    const timeout = 5000;
    for (const deadline = Date.now() + WAIT_LIMIT_MS; ; ) {
      try {
        await this.page.keyboard.press('F1');
        await this.page.locator('.quick-input-widget .quick-input-filter input').fill(`>${title}`, { timeout });
        return await this.quickPick(title, timeout);
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Chooses a row of the open quick pick. */
  async quickPick(text: string, timeout?: number): Promise<void> {
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click({ timeout });
  }

  /** Fills the open input box and accepts. */
  async answer(text: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    await input.fill(text);
    await input.press('Enter');
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

  async goToLine(line: number): Promise<void> {
    await this.page.keyboard.press('Control+g');
    const input = this.page.locator('.quick-input-widget .quick-input-filter input');
    await input.fill(`:${line}`);
    await input.press('Enter');
    await this.untilCursorAt(line);
  }

  /** @throws Error that names what was waited for */
  async until(what: string, look: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + WAIT_LIMIT_MS; !(await look()); await this.page.waitForTimeout(50))
      if (Date.now() > deadline) throw new Error(`waited ${WAIT_LIMIT_MS} ms in vain for ${what}`);
  }

  async untilCursorAt(line: number): Promise<void> {
    await this.page.locator('.statusbar-item', { hasText: new RegExp(`^Ln ${line}, Col \\d+`) }).waitFor();
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

  /** Addresses of the icons in the gutter. */
  gutterIcons(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.glyph-margin-widgets .cgmr')]
        .map(e => getComputedStyle(e).backgroundImage)
        .filter(image => image.includes('heat')),
    );
  }
}
