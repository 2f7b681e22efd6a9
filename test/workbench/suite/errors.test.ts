/** Bad input: the error stands on its line, nothing that was there is lost, and a run can be stopped. */
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { measure } from './measures';
import { diagnosticsOf, lineWith, open, product, profile, until, withOutput, withSetting } from './support';

/** Runs the file and gives what it said, as soon as it said it. */
async function failing(name: string): Promise<{ document: vscode.TextDocument; found: vscode.Diagnostic }> {
  const { document } = await open(name);
  (await product()).diagnostics.clear(document.uri.fsPath);
  void vscode.commands.executeCommand('nkiScope.profileKernel');
  const [found] = await until(`a diagnostic in ${name}`, () => diagnosticsOf(name).length > 0 && diagnosticsOf(name));
  await vscode.commands.executeCommand('notifications.clearAll');
  return { document, found };
}

describe('errors', () => {
  it('a syntax error', async () => {
    const { found } = await failing('syntax_error.py');
    assert.equal(found.code, 'SyntaxError');
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    assert.ok([5, 6].includes(found.range.start.line + 1), `line ${found.range.start.line + 1}`);
  });

  it('an unknown NKI function, and the run before it stays', async () => {
    const before = (await product()).runs.all[0];
    const { document, found } = await failing('unknown_call.py');
    assert.equal(found.range.start.line + 1, lineWith(document, 'dma_cpy'));
    assert.match(found.message, /dma_cpy/);
    assert.equal((await product()).runs.all[0], before);
  });

  it('a missing import', async () => {
    const { document, found } = await failing('missing_import.py');
    assert.equal(found.code, 'ModuleNotFoundError');
    assert.equal(found.range.start.line + 1, lineWith(document, 'no_such_package'));
  });

  it('goes away with the next good run', async () => {
    const editor = await open('unknown_call.py');
    const line = editor.document.lineAt(lineWith(editor.document, 'dma_cpy') - 1);
    const out = `    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)\n    nisa.dma_copy(dst=tile, src=a)\n    nisa.dma_copy(dst=out, src=tile)`;
    await editor.edit(edit => edit.replace(line.range, out));
    const last = editor.document.lineAt(lineWith(editor.document, 'return tile') - 1);
    await editor.edit(edit => edit.replace(last.range, '    return out'));
    await profile();
    assert.deepEqual(diagnosticsOf('unknown_call.py'), []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('a cancelled kernel is no error, and nobody waits for it to end', async () => {
    const { document } = await open('stubborn.py');
    const { runs, simulator } = await product();
    const before = runs.all[0];
    let hasEnded = false;
    const { capture } = simulator;
    simulator.capture = async (...args) =>
      capture.apply(simulator, args).finally(() => {
        // hints while typing may run the file of the test before
        if (path.basename(args[0].file) === 'stubborn.py') hasEnded = true;
      });
    try {
      await withOutput(async written => {
        const run = vscode.commands.executeCommand('nkiScope.profileKernel');
        await until('the kernel to run', () => written.join('').includes('stubbornly'));
        const cancelledAtMs = performance.now();
        await vscode.commands.executeCommand('nkiScope.cancel');
        await run;
        // at once: what comes after it may take as long as ending the kernel
        assert.equal(hasEnded, false, 'the kernel is still being ended');
        measure('cancelling a kernel that does not stop', [performance.now() - cancelledAtMs]);
      });
      assert.deepEqual(diagnosticsOf('stubborn.py'), []);
      await until('the kernel to be ended', () => hasEnded);
    } finally {
      simulator.capture = capture;
    }
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
    assert.equal(runs.all[0], before);
  });

  it('an endless kernel meets its limit', async () => {
    await withSetting('limits.seconds', 2, async () => {
      const { found } = await failing('endless.py');
      assert.equal(found.code, 'Limit');
    });
  });

  it('a file that is not Python is refused at once', async () => {
    await open('notes.txt');
    await vscode.commands.executeCommand('nkiScope.profileKernel');
    assert.deepEqual(diagnosticsOf('notes.txt'), []);
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});
