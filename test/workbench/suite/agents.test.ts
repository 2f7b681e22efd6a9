/** What language models and tasks get: the same runs, as text. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { open, product } from './support';

async function call(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe('tools for language models', () => {
  it('profile a script: totals and hot lines as text', async () => {
    const text = await call('nki_scope_profile', { file: 'exp_script.py', target: 'trn1' });
    assert.match(text, /^run r\d+: exp_rows on trn1, simulated: [\d.]+ µs in all/);
    assert.match(text, /^\d+ \| [\d.]+ % \| [\d.]+ (ns|µs) \| DMA .*nl\.load\(/m);
    const top = await call('nki_scope_lines', { file: 'exp_script.py', top: 1 });
    assert.match(top, /^\(\d+ more lines\)$/m);
    assert.match(top, /^advice: (line \d+: )?[A-Z].*: .*\. .*\.$/m);
  });

  it('advise, and answer what if, about the last run', async () => {
    await call('nki_scope_profile', { file: 'exp_script.py', target: 'trn1' });
    const advice = await call('nki_scope_advise', { file: 'exp_script.py' });
    assert.match(advice, /^[\w -]+: [\d.]+ % of what this algorithm can reach on Trn1/);
    assert.match(advice, /^bound: as it ran: [\d.]+ µs/m);
    const usual = await call('nki_scope_whatif', { file: 'exp_script.py' });
    assert.match(usual, /^As it is: [\d.]+ µs$/m);
    assert.match(usual, /^HBM 2 times as fast: [\d.]+ µs, /m);
    assert.match(await call('nki_scope_whatif', { file: 'exp_script.py', resource: 'DMA' }), /^DMA free: [\d.]+ µs, −[\d.]+ %$/m);
    assert.match(await call('nki_scope_whatif', { file: 'exp_script.py', resource: 'nothing' }), /there is no resource nothing/);
    assert.match(await call('nki_scope_advise', { file: 'never_run.py' }), /has not been profiled/);
  });

  it('say what is wrong, with the line', async () => {
    assert.match(await call('nki_scope_profile', { file: 'unknown_call.py' }), /\(.*unknown_call\.py:\d+\)/);
    assert.match(await call('nki_scope_lines', { file: 'never_run.py' }), /has not been profiled/);
    assert.match(await call('nki_scope_profile', { file: 'exp_script.py', kernel: 'exp_rows' }), /\.vscode\/nki-scope\.json/);
  });
});

describe('tasks', () => {
  it('run a script in a terminal, and end with its exit code', async () => {
    await open('exp_script.py');
    const [task] = await vscode.tasks.fetchTasks({ type: 'nki-scope' });
    assert.equal(task.name, 'profile exp_script.py');
    const before = (await product()).runs.all[0];
    const ended = new Promise<number | undefined>(resolve => {
      const once = vscode.tasks.onDidEndTaskProcess(event => {
        once.dispose();
        resolve(event.exitCode);
      });
    });
    await vscode.tasks.executeTask(task);
    assert.equal(await ended, 0);
    assert.notEqual((await product()).runs.all[0], before);
  });
});

describe('the walkthrough', () => {
  it('opens a kernel that can be profiled, and mended in one place', async () => {
    await vscode.commands.executeCommand('nkiScope.openExample');
    const { document } = vscode.window.activeTextEditor!;
    assert.match(document.getText(), /^COLUMNS = 32$/m);
    assert.match(document.uri.fsPath, /first_kernel\.py$/);
  });
});
