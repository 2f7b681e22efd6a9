/** Hot lines in the editor: they follow edits, go stale, come back, and can be walked and switched off. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { lineWith, open, product, profile, until } from './support';

const file = 'exp_script.py';
const cursorLine = () => vscode.window.activeTextEditor!.selection.active.line + 1;

/** @param linked as Markdown with its links; else as it is read */
async function hover(line: number, linked = false): Promise<string> {
  const { uri } = vscode.window.activeTextEditor!.document;
  const found = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, new vscode.Position(line - 1, 10));
  const markdown = found.flatMap(h => h.contents.map(c => (typeof c === 'string' ? c : c.value))).join('\n');
  return linked ? markdown : markdown.replace(/\[([^\]]*)\]\(command:[^)]*\)/g, '$1');
}

describe('hot lines', () => {
  before(async () => {
    await open(file);
    await profile();
    await open(file);
  });

  it('shares of all lines sum to at most one, and one of the kernel’s lines is hot', async () => {
    const { runs } = await product();
    const { document } = vscode.window.activeTextEditor!;
    const all = [...runs.all[0].linesOf(document.uri.fsPath).values()];
    const sum = all.reduce((total, line) => total + line.share, 0);
    assert.ok(sum > 0.2 && sum <= 1 + 1e-9, `shares sum to ${sum}`);
    const lines = new Set(all.map(line => line.line));
    for (const text of ['nl.load(', 'nl.exp(', 'nl.store(']) assert.ok(lines.has(lineWith(document, text)), `no time for ${text}`);
  });

  it('hovers say engines, waits, bytes and lead to the timeline', async () => {
    const { document } = vscode.window.activeTextEditor!;
    const load = await hover(lineWith(document, 'nl.load('));
    assert.match(load, /\*\*[\d.]+ (ns|µs) · [\d.]+ %\*\* of `exp_rows` on trn2 \(simulated\)/);
    assert.match(load, /DMA transfers?, \d loop iterations?, 500 KiB moved/);
    assert.match(load, /\*\*Busy\*\* .*DMA [\d.]+ (ns|µs)/);
    const markdown = await hover(lineWith(document, 'nl.load('), true);
    assert.match(markdown, /\[Show in timeline\]\(command:nkiScope\.showLine\?/);
    assert.match(markdown, /\[500 KiB\]\(command:nkiScope\.showLine\?[^)]*transfers/);
    assert.equal(await hover(1), '');
  });

  it('hovers say what the kernel gains when the line is free, once that is worked out', async () => {
    const { document } = vscode.window.activeTextEditor!;
    const load = lineWith(document, 'nl.load(');
    const said = await until('the answer', async () => /\*\*What if\*\* (.*)/.exec(await hover(load))?.[1]);
    assert.match(said, /^free: −[\d.]+ % · twice as fast: (0|−[\d.]+) %$/);
  });

  it('follow edits, and are stale until the text is the run’s again', async () => {
    const { lineMaps } = await product();
    const editor = vscode.window.activeTextEditor!;
    const before = lineWith(editor.document, 'nl.exp(');
    assert.equal(lineMaps.of(editor.document)?.stale, false);
    await editor.edit(edit => edit.insert(new vscode.Position(0, 0), '# one\n# two\n'));
    const map = lineMaps.of(editor.document);
    assert.equal(map?.tracker.current(before), before + 2);
    assert.equal(map?.stale, true);
    assert.match(await hover(before + 2), /edited after this run/);
    await vscode.commands.executeCommand('undo');
    await until('the hints to be fresh again', () => lineMaps.of(editor.document)?.stale === false);
    assert.equal(lineMaps.of(editor.document)?.tracker.current(before), before);
  });

  it('are walked through by command, around the end of the file', async () => {
    const editor = vscode.window.activeTextEditor!;
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const visited: number[] = [];
    do {
      await vscode.commands.executeCommand('nkiScope.nextHotLine');
      visited.push(cursorLine());
    } while (visited.length < 20 && visited.indexOf(cursorLine()) === visited.length - 1);
    const round = visited.slice(0, -1);
    assert.ok(round.length >= 2, `visited ${visited}`);
    assert.deepEqual(
      round,
      [...round].sort((a, b) => a - b),
    );
    await vscode.commands.executeCommand('nkiScope.previousHotLine');
    assert.equal(cursorLine(), round.at(-1));
  });

  it('are switched off and on by one command', async () => {
    const enabled = () => vscode.workspace.getConfiguration('nkiScope').get('hints.enabled');
    const { document } = vscode.window.activeTextEditor!;
    await vscode.commands.executeCommand('nkiScope.toggleHints');
    assert.equal(enabled(), false);
    assert.equal(await hover(lineWith(document, 'nl.load(')), '');
    await vscode.commands.executeCommand('nkiScope.toggleHints');
    assert.equal(enabled(), true);
    assert.notEqual(await hover(lineWith(document, 'nl.load(')), '');
  });
});
