/** Advice as a quick fix: it is offered on its lines, and says what it gained once it is applied. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { lineWith, open, profile, until } from './support';

const FILE = 'descriptors.py';

/** Quick fixes of ours on the line. */
async function fixesOn(document: vscode.TextDocument, line: number): Promise<vscode.CodeAction[]> {
  const at = new vscode.Range(line - 1, 0, line - 1, 1);
  const found = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, at);
  return found.filter(({ title }) => title.includes('in the model'));
}

describe('advice as a quick fix', () => {
  before(async () => {
    await open(FILE);
    await profile();
    await open(FILE);
  });

  it('is offered on the lines that it edits, once the advice is there, and runs the kernel before and after', async () => {
    const { document } = vscode.window.activeTextEditor!;
    const line = lineWith(document, 'dst=tile');
    const [fix] = await until('the quick fix', async () => {
      const found = await fixesOn(document, line);
      return found.length > 0 && found;
    });
    assert.match(fix.title, /^Let hardware make the DMA descriptors: −[\d.]+ % in the model$/);
    assert.deepEqual(await fixesOn(document, lineWith(document, 'nki.jit')), []);
    assert.ok(await vscode.workspace.applyEdit(fix.edit!));
    assert.match(document.getText(), /src=a\[nl\.ds\(i \* 128, 128\), :\], dge_mode=nisa\.dge_mode\.hwdge\)/);
    const said = await vscode.commands.executeCommand<string>(fix.command!.command, ...fix.command!.arguments!);
    assert.match(said, /: [\d.]+ µs → [\d.]+ µs \(−[\d.]+ %; the advice said −[\d.]+ %\)\. The values are the same\.$/);
    assert.deepEqual(await fixesOn(document, line), [], 'the text is not what ran any more');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
