/** Which files hints reach: helpers of a kernel, files outside the workspace; and which they leave alone: notebooks. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { hotLinesOf } from '../../../src/extension/hints/hints';
import { fixture, lineWith, next, open, product, profile, until } from './support';

const HELPER = `import neuronxcc.nki.language as nl


def double(tile):
    return nl.multiply(tile, 2.0)
`;
const KERNEL = `import neuronxcc.nki as nki
import neuronxcc.nki.language as nl
import numpy as np

from tile_helper import double


@nki.jit
def uses_helper(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    nl.store(out, value=double(nl.load(a)))
    return out


if __name__ == "__main__":
    uses_helper(np.ones((128, 512), dtype=np.float32))
`;

describe('files of a run', () => {
  before(() => {
    fs.writeFileSync(fixture('tile_helper.py').fsPath, HELPER);
    fs.writeFileSync(fixture('uses_helper.py').fsPath, KERNEL);
  });

  it('a helper in another file has hints of its own, and an edit in it runs the kernel again', async () => {
    await open('uses_helper.py');
    await profile();
    const { document } = await open('tile_helper.py');
    const hot = hotLinesOf(await product(), document).lines;
    assert.deepEqual(
      hot.map(line => line.now),
      [lineWith(document, 'nl.multiply')],
    );
    const { live } = await product();
    const refreshed = next(live.onDidRefresh);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(lineWith(document, 'def double'), 0), '    tile = nl.multiply(tile, 1.5)\n');
    await vscode.workspace.applyEdit(edit);
    assert.deepEqual({ ...(await refreshed), sinceEditMs: 0 }, { file: fixture('uses_helper.py').fsPath, failed: false, sinceEditMs: 0 });
    assert.equal(hotLinesOf(await product(), document).lines.length, 2);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('a script that imports its kernel has a lens at each call with the times of all, the status, and hints in the kernel’s file', async () => {
    const { document } = await open('calls_scaled.py');
    const lenses = async () => {
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 10);
      return all.filter(({ command }) => command?.command === 'nkiScope.profileKernel');
    };
    const [first] = await until('the lenses', async () => (await lenses()).length === 2 && lenses());
    assert.equal(first.range.start.line + 1, lineWith(document, 'small = scaled'));
    await profile(...(first.command!.arguments as unknown[]));
    const { runs } = await product();
    const calls = await until('both calls', () => {
      const found = runs.callsFrom(document.uri.fsPath, 'scaled');
      return found.length === 2 && found;
    });
    assert.deepEqual(
      calls.map(({ profile }) => profile.inputs[0].shape),
      [
        [128, 64],
        [128, 4096],
      ],
    );
    const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 20);
    const times = all.filter(({ command }) => command?.command === 'nkiScope.openTimeline').slice(0, 2);
    assert.match(times.map(({ command }) => command!.title).join(' | '), /^2 calls on trn2: [\d.]+ µs \| [\d.]+ µs$/);
    assert.deepEqual(
      times.map(({ command }) => command!.arguments),
      calls.map(({ key }) => [key]),
      'each leads to its own timeline',
    );
    assert.equal(runs.ofScript(document.uri.fsPath)?.key, calls[0].key, 'the first call is in front, and its time in the status bar');
    const helper = await open('scaled_kernel.py');
    assert.ok(hotLinesOf(await product(), helper.document).lines.length > 0);
  });

  it('a file outside the workspace is profiled with its own folder around it', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-outside-'));
    try {
      fs.writeFileSync(path.join(folder, 'tile_helper.py'), HELPER);
      fs.writeFileSync(path.join(folder, 'uses_helper.py'), KERNEL);
      const document = await vscode.workspace.openTextDocument(path.join(folder, 'uses_helper.py'));
      await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
      await profile();
      const [run] = (await product()).runs.all;
      assert.deepEqual(
        run.profile.files.map(file => path.dirname(file.path)),
        [folder, folder],
      );
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('cells of a notebook are left alone', async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, KERNEL, 'python');
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
    const { document } = notebook.cellAt(0);
    await vscode.window.showNotebookDocument(notebook);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 50);
    assert.deepEqual(
      lenses.filter(lens => lens.command?.command.startsWith('nkiScope')),
      [],
    );
    assert.deepEqual(hotLinesOf(await product(), document).lines, []);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
