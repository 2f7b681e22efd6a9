/** The walkthrough as someone new takes it: from Get Started to a first hot line mended, with nothing open and nothing set. */
import assert from 'node:assert/strict';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, otherServer } from './support';

describe('the walkthrough @long', () => {
  let window: Window;
  const page = () => window.page.locator('.gettingStartedContainer');
  const step = (title: string) => page().locator('.getting-started-step', { hasText: title });
  const button = (text: string) => page().locator('.monaco-button', { hasText: text });

  /** Its button, where the words of the step have one. */
  async function take(title: string, action?: string): Promise<void> {
    await window.command('NKI Scope: Get Started');
    const open = page().locator('.getting-started-step.expanded', { hasText: title });
    // The page is drawn anew when it is asked for again, and forgets a click that came before that.
    await window.until(`the step ${title}`, async () => {
      await window.page.waitForTimeout(500);
      if (await open.isVisible()) return true;
      await step(title).locator('.step-title').click();
      return false;
    });
    if (action) await button(action).click();
  }

  const isDone = (title: string) => step(title).locator('.codicon-getting-started-step-checked').waitFor();

  before(async () => {
    // Hints while typing are part of it, and the workspace shall not matter.
    window = await openWindow(undefined, otherServer('walkthrough', { 'nkiScope.live.when': 'afterPause' }));
  });

  it('opens, and every step has its picture', async () => {
    await window.command('NKI Scope: Get Started');
    const steps = page().locator('.getting-started-step');
    await steps.first().waitFor();
    const count = await steps.count();
    assert.ok(count >= 5, `${count} steps`);
    for (let i = 0; i < count; i++) {
      await steps.nth(i).locator('.step-title').click();
      const frame = page().locator('.getting-started-media img').first();
      await frame.waitFor();
      await window.page.waitForFunction(
        () => (document.querySelector('.getting-started-media img') as { naturalWidth?: number } | null)?.naturalWidth,
      );
      await window.shot(`20-walkthrough-${i + 1}`);
    }
  });

  it('leads to a profiled kernel, by its own buttons', async () => {
    await take('Open a kernel', 'Open Example Kernel');
    await window.page.locator('.tab.active[data-resource-name="first_kernel.py"]').waitFor();
    await take('Profile it', 'Profile Kernel');
    await window.page.locator('.tab.active[data-resource-name="first_kernel.py"]').waitFor();
    await new Timeline(window).untilPainted();
    await window.page.locator('.glyph-margin-widgets .cgmr').first().waitFor();
    await window.shot('21-first-profile');
  });

  it('leads to its hot line, which is mended as it says, while the hints tell what was won', async () => {
    await take('Find the hot line', 'Next Hot Line');
    await window.untilCursorAt(23);
    await take('Fix it while you watch', 'Go to the Kernel');
    await window.untilCursorAt(26);
    await window.goToLine(12);
    for (const key of ['End', 'Backspace', 'Backspace']) await window.page.keyboard.press(key);
    await window.page.keyboard.type('2048');
    await window.page.locator('.editor-instance .view-line', { hasText: 'COLUMNS = 2048' }).waitFor();
    await window.page.locator('.codelens-decoration a', { hasText: /▼ [\d.]+ µs/ }).waitFor();
    await window.shot('22-mended');
    assert.ok(
      (await window.afterTexts()).some(text => text.includes('▼')),
      'a hint tells it as well',
    );
  });

  it('ends with the comparison, and with every step done', async () => {
    await take('See the whole difference', 'Compare with Last Saved Run');
    await window.pageWith('h1:text("double: compared")');
    await window.shot('23-compared');
    await take('Open a kernel');
    for (const title of ['Open a kernel', 'Profile it', 'Find the hot line', 'Fix it while you watch', 'See the whole difference'])
      await isDone(title);
    await window.shot('24-done');
  });
});
