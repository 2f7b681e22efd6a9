/** The walkthrough as someone new takes it: from Get Started to a first hot line mended, with nothing open and nothing set. */
import assert from 'node:assert/strict';
import { Timeline } from '../harness/timeline';
import type { Window } from '../harness/window';
import { openWindow, otherServer } from './support';

describe('the walkthrough', () => {
  let window: Window;
  const page = () => window.page.locator('.gettingStartedContainer');
  const step = (title: string) => page().locator('.getting-started-step', { hasText: title });
  const button = (text: string) => page().locator('.monaco-button', { hasText: text });

  async function backToSteps(title: string): Promise<void> {
    await window.page.locator('.tab', { hasText: 'Walkthrough' }).click();
    await step(title).locator('.step-title').click();
  }

  const isDone = (title: string) => step(title).locator('.codicon-pass-filled').waitFor();

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

  it('leads to a profiled kernel', async () => {
    await step('Open a kernel').locator('.step-title').click();
    await button('Open Example Kernel').click();
    await window.page.locator('.tab.active', { hasText: 'first_kernel.py' }).waitFor();
    await window.page.locator('.codelens-decoration a', { hasText: '▶ Profile Kernel' }).click();
    await new Timeline(window).untilPainted();
    await window.page.locator('.glyph-margin-widgets .cgmr').first().waitFor();
    await window.shot('21-first-profile');
  });

  it('leads to its hot line, which is mended as it says, while the hints tell what was won', async () => {
    await window.command('NKI Scope: Next Hot Line');
    await window.page.locator('.editor-instance .view-line', { hasText: 'COLUMNS = 64' }).dblclick({ position: { x: 85, y: 8 } });
    await window.page.keyboard.type('2048');
    await window.page.locator('.editor-instance .view-line', { hasText: 'COLUMNS = 2048' }).waitFor();
    await window.page.locator('.codelens-decoration a', { hasText: /▼ [\d.]+ µs/ }).waitFor();
    await window.shot('22-mended');
    assert.ok(
      (await window.afterTexts()).some(text => text.includes('▼')),
      'a hint tells it as well',
    );
  });

  it('has every step done at its end', async () => {
    await window.command('NKI Scope: Compare with Last Saved Run');
    await window.page.locator('.tab', { hasText: 'comparison' }).waitFor();
    await window.shot('23-compared');
    await backToSteps('Open a kernel');
    for (const title of ['Open a kernel', 'Profile it', 'Find the hot line', 'Mend it while you watch', 'See the whole difference'])
      await isDone(title);
    await window.shot('24-done');
  });
});
