/** From the command to the timeline, and the way between bars and lines. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { measure } from './measures';
import { fixture, lineWith, next, open, product, profile, until, withOutput } from './support';

const lenses = (uri: vscode.Uri) => vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 50);

describe('Profile Kernel', () => {
  it('offers itself above each kernel', async () => {
    const editor = await open('two_kernels.py');
    const found = await until('the lenses', async () => {
      const all = await lenses(editor.document.uri);
      return all.length > 0 && all;
    });
    const profiles = found.filter(lens => lens.command?.command === 'nkiScope.profileKernel');
    assert.equal(found.filter(lens => /^target: \w+$/.test(lens.command?.title ?? '')).length, 2);
    assert.deepEqual(
      profiles.map(lens => [lens.range.start.line + 1, lens.command?.title]),
      [
        [lineWith(editor.document, 'def copy_once'), '▶ Profile Kernel'],
        [lineWith(editor.document, 'def exponential'), '▶ Profile Kernel'],
      ],
    );
  });

  it('runs the active file and paints its timeline', async () => {
    await open('exp_script.py');
    const painted = await profile();
    const { runs } = await product();
    const [run] = runs.all;
    assert.equal(run.profile.kernel, 'exp_rows');
    assert.equal(painted.key, run.key);
    assert.equal(painted.events, run.profile.instructions.startNs.length + run.profile.transfers.startNs.length);
    assert.ok(run.profile.totalTimeNs > 0);
    measure('Profile Kernel, first time, until painted', [painted.sinceAskedMs ?? assert.fail()]);
    measure('of it loading and drawing in the view', [painted.sinceLoadMs]);
  });

  it('keeps the focus in the editor and puts the timeline beside it', async () => {
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs.map(tab => ({ tab, column: group.viewColumn })));
    const timeline = tabs.find(({ tab }) => tab.input instanceof vscode.TabInputWebview);
    assert.ok(timeline);
    assert.match(timeline.tab.label, /^exp_script\.py: exp_rows · f32\[\d+,\d+\] · trn2 · [\d.]+ µs$/);
    assert.equal(timeline.column, vscode.ViewColumn.Two);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, fixture('exp_script.py').fsPath);
  });

  it('opens the page of a new timeline before it reads the profile, so that the page loads meanwhile', async () => {
    await open('exp_script.py');
    await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
    const { simulator, timelines } = await product();
    const { capture } = simulator;
    const { adopt } = timelines;
    const order: string[] = [];
    timelines.adopt = (...given) => {
      order.push('page');
      return adopt.apply(timelines, given);
    };
    simulator.capture = (request, listener, signal) => {
      const onReturn: typeof listener.onReturn = call => {
        const read = () => {
          order.push('profile');
          return call.profile;
        };
        listener.onReturn?.(Object.defineProperty({ ...call }, 'profile', { get: read }));
      };
      return capture.call(simulator, request, { ...listener, onReturn }, signal);
    };
    try {
      await profile();
    } finally {
      Object.assign(timelines, { adopt });
      Object.assign(simulator, { capture });
    }
    assert.deepEqual(order.slice(0, 2), ['page', 'profile']);
  });

  it('says the last time in the CodeLens', async () => {
    const title = await until(
      'the lens to change',
      async () => (await lenses(fixture('exp_script.py')))[1].command?.title.match(/^last (.*)$/)?.[1],
    );
    const time = '[\\d.]+ (ns|µs|ms)';
    const range = (await product()).runs.all[0].profile.likely ? `, likely ${time} to ${time}` : '';
    assert.match(title, new RegExp(`^${time} \\(trn2\\)${range}$`));
  });

  it('says in the CodeLens what the kernel gains without its hottest line, and shows that', async () => {
    const lens = await until('the gain', async () =>
      (await lenses(fixture('exp_script.py'))).find(({ command }) => /^line \d+ free: −[\d.]+ %$/.test(command?.title ?? '')),
    );
    const [position, part] = lens.command!.arguments as [{ line: number }, { savedShare: number }];
    assert.equal(part.savedShare, 1);
    assert.equal(lens.command!.title.split(' ')[1], String(position.line));
    const twice = (await lenses(fixture('exp_script.py'))).find(({ command }) => /^twice as fast: /.test(command?.title ?? ''));
    assert.equal((twice!.command!.arguments as unknown as [unknown, { savedShare: number }])[1].savedShare, 0.5);
  });

  it('uses the text in the editor, saved or not', async () => {
    const editor = await open('exp_script.py');
    const { document } = editor;
    const line = lineWith(document, 'result = nl.exp(tile)') - 1;
    await editor.edit(edit => edit.insert(document.lineAt(line).range.end, '\n        result = nl.exp(result)'));
    const before = (await product()).runs.all[0].profile.instructions.startNs.length;
    await profile();
    const after = (await product()).runs.all[0].profile.instructions.startNs.length;
    assert.ok(after > before, `${before} instructions before, ${after} after`);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('paints each new run in the open timeline', async () => {
    const tookMs: number[] = [];
    for (let i = 0; i < 5; i++) {
      // The next interpreter starts in the background; a person takes longer than this between two runs.
      await new Promise(resolve => setTimeout(resolve, 2000));
      const { key, sinceAskedMs } = await profile(fixture('exp_script.py'), 'exp_rows');
      assert.equal(key, (await product()).runs.all[0].key);
      tookMs.push(sinceAskedMs ?? assert.fail());
    }
    measure('Profile Kernel again, until painted', tookMs);
  });

  it('shows the clicked kernel of several', async () => {
    await open('two_kernels.py');
    await profile(fixture('two_kernels.py'), 'copy_once');
    const { runs } = await product();
    assert.equal(runs.all[0].profile.kernel, 'copy_once');
    assert.ok(runs.ofKernel(fixture('two_kernels.py').fsPath, 'exponential'), 'the other call is kept as well');
  });

  it('shows the timeline when the kernel returns, and says that its script goes on', async () => {
    await open('long_check.py');
    const { captures, runs, timelines } = await product();
    const painted = next(timelines.onDidPaint);
    const run = vscode.commands.executeCommand('nkiScope.profileKernel');
    const { key } = await painted;
    assert.match(runs.get(key)?.title ?? (await until('the hints', () => runs.get(key)?.title)), /^long_check\.py: checked /);
    await until('the status to tell', () => /its script goes on$/.test(captures.statusText));
    await vscode.commands.executeCommand('nkiScope.cancel');
    await run;
    assert.equal(runs.all[0].key, key, 'what was shown stays');
  });

  it('keeps all calls of a script, shows the first, and brings the chosen one', async () => {
    const { profiles, runs } = await product();
    await profiles.delete((await profiles.all()).map(entry => entry.id));
    await open('two_kernels.py');
    await profile();
    assert.equal(runs.all[0].profile.kernel, 'copy_once');
    // saved one after the other; a run of before may be saved late
    const calls = ['copy_once', 'exponential', '2 kernel calls'];
    await until('all to be kept', async () => {
      const kept = (await profiles.all()).map(entry => entry.kernel);
      return calls.every(kernel => kept.includes(kernel));
    });
  });

  it('opens the line of a bar beside the timeline', async () => {
    const { runs, timelines } = await product();
    const editor = await open('two_kernels.py');
    const line = lineWith(editor.document, 'nisa.dma_copy(dst=tile, src=a)');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await timelines.openSource({ file: editor.document.uri.fsPath, line }, true, timelines.show(runs.all[0]));
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, editor.document.uri.fsPath);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, line - 1);
    assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.One);
  });

  it('refuses to open a file that is not part of the profile', async () => {
    const { runs, timelines } = await product();
    const panel = timelines.show(runs.all[0]);
    await assert.rejects(timelines.openSource({ file: fixture('notes.txt').fsPath, line: 1 }, true, panel), /not part of this profile/);
  });

  it('writes what the script prints into the output', async () => {
    const written = await withOutput(() => profile(fixture('exp_script.py'), 'exp_rows'));
    assert.match(written.join(''), /^rows 250$/m);
  });

  it('restores a profile that was drawn', async () => {
    const { runs, profiles } = await product();
    const [run] = runs.all;
    const restored = await until('the profile to be kept', () => profiles.latest(run.key).catch(() => undefined));
    assert.deepEqual(restored.bytes, run.bytes);
    assert.equal(restored.key, run.key, 'the next run takes its place');
  });
});
