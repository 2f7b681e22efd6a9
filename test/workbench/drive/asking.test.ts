/** What a user is asked, told and can stop. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { encodeProfile, packNkiprof } from '../../../src/simulator/index';
import { faultsOf } from '../../support/axe';
import { tinyProfile } from '../../support/tinyProfile';
import { Timeline } from '../harness/timeline';
import { openWindow, otherServer, theServer } from './support';

describe('asking and telling @long', () => {
  it('inputs are asked for on one page, checked while typed, and remembered', async () => {
    const window = await openWindow('add_module.py');
    await window.page.locator('.codelens-decoration a', { hasText: '▶ Profile Kernel' }).click();
    const form = await window.pageWith('h1:text("Inputs of add_tiles")');
    assert.deepEqual(await form.locator('label').allTextContents(), ['a', 'b', 'repeat']);
    const field = (name: string) => form.locator(`input[name="${name}"]`);
    assert.equal(await field('repeat').getAttribute('placeholder'), '1');
    await field('a').fill('bf17[128]');
    await form.locator('.problem', { hasText: 'unknown dtype bf17' }).waitFor();
    assert.equal(
      await window.page
        .locator('.tab')
        .filter({ hasText: /^add_tiles/ })
        .count(),
      0,
      'no timeline loads meanwhile',
    );
    await window.shot('6-inputs');
    await form.locator('button[type="submit"]').click();
    await form.locator('.problem', { hasText: 'unknown dtype bf17' }).waitFor();
    await field('a').fill('bf16[128,512]');
    await field('b').fill('bf16[128,512]');
    await field('b').press('Enter');
    await window.page.locator('.tab', { hasText: 'Inputs of add_tiles' }).waitFor({ state: 'detached' });
    await new Timeline(window).untilPainted();
    const remembered = JSON.parse(fs.readFileSync(path.join((await theServer()).workspace, '.vscode/nki-scope.json'), 'utf8'));
    assert.deepEqual(remembered.cases.add_tiles, [
      { name: 'bf16[128,512], bf16[128,512]', args: { a: 'bf16[128,512]', b: 'bf16[128,512]' } },
    ]);
  });

  it('a kernel that its own script does not call asks for its inputs, which are guessed from a test that calls it', async () => {
    const test = 'import numpy as np\nfrom uncalled import negated\n\nnegated(np.zeros((128, 64), dtype=np.float32))\n';
    fs.writeFileSync(path.join((await theServer()).workspace, 'test_uncalled.py'), test);
    const window = await openWindow('uncalled.py');
    await window.page.locator('.codelens-decoration a', { hasText: '▶ Profile Kernel' }).nth(1).click();
    const form = await window.pageWith('h1:text("Inputs of negated")');
    assert.equal(await form.locator('input[name="a"]').inputValue(), 'float32[128,64]');
    assert.equal(await form.locator('.from').textContent(), 'called so in test_uncalled.py');
    assert.deepEqual(await faultsOf(form), []);
    await form.locator('button[type="submit"]').click();
    await window.page.locator('.tab', { hasText: 'uncalled.py: negated · float32[128,64] · trn2' }).waitFor();
    assert.equal(await window.page.locator('.tab', { hasText: 'copied' }).count(), 0);
  });

  it('whoever backs out of the page runs nothing', async () => {
    const window = await openWindow('two_kernels.py');
    const server = await theServer();
    fs.writeFileSync(
      path.join(server.workspace, 'asked.py'),
      fs.readFileSync(path.join(server.workspace, 'add_module.py'), 'utf8').replaceAll('add_tiles', 'asked'),
    );
    await window.openFile('asked.py');
    await window.page.locator('.codelens-decoration a', { hasText: '▶ Profile Kernel' }).click();
    const form = await window.pageWith('h1:text("Inputs of asked")');
    assert.equal(await form.locator('input[name="a"]').inputValue(), 'bf16[128,512]', 'as in the case of the other kernel');
    await form.locator('#cancel').click();
    await window.page.locator('.tab', { hasText: 'Inputs of asked' }).waitFor({ state: 'detached' });
    assert.equal(await window.page.locator('iframe.webview').count(), 0);
  });

  it('a running kernel shows its progress, and Cancel stops it', async () => {
    const window = await openWindow('endless.py');
    await window.command('NKI Scope: Profile Kernel');
    const progress = window.notification('endless.py');
    await progress.waitFor();
    await window.page.locator('.statusbar-item', { hasText: 'NKI Scope: ' }).waitFor();
    await window.page.waitForTimeout(1500);
    await window.shot('7-progress');
    await progress.hover();
    await progress.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await progress.waitFor({ state: 'hidden' });
    await window.page.locator('.statusbar-item', { hasText: 'NKI Scope: cancelled' }).waitFor();
  });

  it('an error stands on its line and in a message that leads to the output', async () => {
    const window = await openWindow('unknown_call.py');
    await window.command('NKI Scope: Profile Kernel');
    const message = window.notification(/dma_cpy.*unknown_call\.py:10/);
    await message.waitFor();
    await window.page.locator('.editor-instance .squiggly-error').first().waitFor();
    // the first run of a window opens its timeline at once
    await window.until('no timeline beside it', async () => (await window.page.locator('iframe.webview').count()) === 0);
    await window.shot('8-error');
    // The server of the tests has no native logger, so the channel stays empty here; the suite tests what is written to it.
    await window.answer(message, 'Show Output', window.page.locator('.part.panel .checked', { hasText: 'Output' }));
    await window.page.locator('.part.panel', { hasText: 'NKI Scope' }).waitFor();
  });

  it('an untrusted workspace runs nothing', async () => {
    const server = otherServer('untrusted', {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
      'security.workspace.trust.untrustedFiles': 'open',
    });
    const window = await openWindow('exp_script.py', server);
    await window.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await window.command('NKI Scope: Profile Kernel');
    await window.notification('only in a trusted workspace').waitFor();
    await window.page.waitForTimeout(600); // the message slides in
    await window.shot('9-untrusted');
    assert.equal(await window.page.locator('iframe.webview').count(), 0);
    // A profile is data: nothing of it is run.
    const profile = encodeProfile(tinyProfile({ events: [{ line: 1, track: 'Vector', ready: 0, start: 0, end: 100 }] }));
    fs.writeFileSync(path.join((await server).workspace, 'kept.nkiprof'), packNkiprof(profile));
    await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'kept.nkiprof' }).dblclick();
    await new Timeline(window).untilPainted();
  });
});
