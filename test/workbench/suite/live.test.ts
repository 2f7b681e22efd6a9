/** Hints while typing: the file is run again in the background, measured against the saved run; a broken file loses nothing. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hotLinesOf } from '../../../src/extension/hints/hints';
import type { Refreshed } from '../../../src/extension/live/live';
import { measure } from './measures';
import { lineWith, next, open, product, profile, withSetting } from './support';

const file = 'exp_script.py';
const live = async () => (await product()).live;

/** Makes the edit and waits for the background run. */
async function refreshed(edit: () => PromiseLike<unknown>): Promise<Refreshed> {
  const answer = next((await live()).onDidRefresh);
  await edit();
  return answer;
}

/** Replaces the first text of the document by another. */
async function replace(before: string, after: string) {
  const editor = vscode.window.activeTextEditor!;
  const start = editor.document.positionAt(editor.document.getText().indexOf(before));
  const range = new vscode.Range(start, start.translate(0, before.length));
  assert.ok(await editor.edit(edit => edit.replace(range, after)));
}

const hintsNow = async () => hotLinesOf(await product(), vscode.window.activeTextEditor!.document);

describe('hints while typing', () => {
  before(async () => {
    await open(file);
    await profile();
    await open(file);
  });
  afterEach(async () => vscode.commands.executeCommand('workbench.action.files.revert'));

  it('are refreshed after a pause, with the change against the saved run', async () => {
    const before = (await product()).runs.all[0];
    const { sinceEditMs, failed } = await refreshed(() => replace('127) // 128', '127) // 256'));
    assert.equal(failed, false);
    measure('edit to refreshed hints', [sinceEditMs]);
    const { lines, stale } = await hintsNow();
    const [run] = (await product()).runs.all;
    assert.equal(stale, false);
    assert.equal(run.before, before);
    assert.ok(run.profile.totalTimeNs < before.profile.totalTimeNs, 'half of the rows take less time');
    assert.ok(
      lines.some(line => / (ns|µs) ▼ [\d.]+ (ns|µs) · /.test(line.text)),
      lines.map(line => line.text).join('; '),
    );
    await refreshed(() => vscode.commands.executeCommand('undo'));
    assert.ok((await product()).runs.all[0].isLike(before), 'the same text gives the same run');
  });

  it('stay, stale, while the file is broken, and its error stands on its line', async () => {
    const before = (await hintsNow()).lines.map(line => line.now);
    const { failed } = await refreshed(() => replace('nl.exp(tile)', 'nl.exq(tile)'));
    assert.equal(failed, true);
    const { document } = vscode.window.activeTextEditor!;
    const [problem] = vscode.languages.getDiagnostics(document.uri).filter(d => d.source === 'NKI Scope');
    assert.match(problem.message, /exq/);
    assert.equal(problem.range.start.line + 1, lineWith(document, 'nl.exq'));
    const { lines, stale } = await hintsNow();
    assert.equal(stale, true);
    assert.deepEqual(
      lines.map(line => line.now),
      before,
    );
    await refreshed(() => replace('nl.exq(tile)', 'nl.exp(tile)'));
    assert.deepEqual(
      vscode.languages.getDiagnostics(document.uri).filter(d => d.source === 'NKI Scope'),
      [],
    );
  });

  it('wait for a save when the setting says so, and never come when it is off', async () => {
    const pause = () => new Promise(resolve => setTimeout(resolve, 1200));
    await withSetting('live.when', 'off', async () => {
      // What was on its way is through.
      await pause();
      let count = 0;
      const counting = (await live()).onDidRefresh(() => count++);
      await replace('"rows"', '"row"');
      await pause();
      counting.dispose();
      assert.equal(count, 0);
    });
    await withSetting('live.when', 'onSave', () =>
      refreshed(async () => {
        await replace('"row"', '"lines"');
        await vscode.window.activeTextEditor!.document.save();
      }),
    );
    await refreshed(async () => {
      await replace('"lines"', '"rows"');
      await vscode.window.activeTextEditor!.document.save();
    });
  });

  it('do not come while typing where the last run took longer than the setting allows', async () => {
    await withSetting('live.maxSeconds', 0, async () => {
      let count = 0;
      const counting = (await live()).onDidRefresh(() => count++);
      await replace('"rows"', '"many"');
      await new Promise(resolve => setTimeout(resolve, 1500));
      counting.dispose();
      assert.equal(count, 0);
      assert.equal((await hintsNow()).stale, true);
    });
    await refreshed(() => replace('"many"', '"lots"'));
  });
});
