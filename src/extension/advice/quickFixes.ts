/**
 * Quick fixes that carry out advice, where it is an argument of some calls. Once applied, the kernel runs as it was and as
 * it is now, and a message says what the edit gained and whether the values are the same.
 */
import * as vscode from 'vscode';
import {
  type Advice,
  type EditedRun,
  EditFailed,
  modelledChangeText,
  NoWorkspace,
  percentText,
  rerunRequest,
  runEdited,
  timeText,
} from '../../simulator/index';
import { settingsOf } from '../configuration';
import { noticeText } from '../plainText';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import type { Simulator } from '../run/simulator';
import type { Experiments } from '../timeline/experiments';

interface Needs {
  experiments: Experiments;
  log: vscode.LogOutputChannel;
  runs: Runs;
  simulator: Simulator;
}

/** Not in the palette: what a quick fix calls once its edit is made. */
const PROVE = 'nkiScope.proveEdit';

interface Applied {
  run: Run;
  advice: Advice;
}

export function registerAdviceFixes(parts: Needs): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(PROVE, (applied: Applied) => prove(parts, applied)),
    vscode.languages.registerCodeActionsProvider(
      { language: 'python', scheme: 'file' },
      { provideCodeActions: (document, range) => fixes(parts, document, range) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

/** Of the run whose text the document has; as soon as its advice was worked out for the timeline. */
function fixes({ experiments, runs }: Needs, document: vscode.TextDocument, { start, end }: vscode.Range): vscode.CodeAction[] {
  const file = document.uri.fsPath;
  const run = runs.ofFile(file);
  if (!run?.isMadeHere || run.textOf(file) !== document.getText()) return [];
  const isHere = ({ line }: { line: number }) => start.line < line && line <= end.line + 1;
  return (experiments.knownAdvice(run)?.advice ?? [])
    .filter(({ edits }) => edits.some(isHere) && edits.every(edit => edit.file === file))
    .map(advice => action(document, run, advice));
}

function action(document: vscode.TextDocument, run: Run, advice: Advice): vscode.CodeAction {
  const { title, gainShare, reason, edits } = advice;
  const made = new vscode.CodeAction(`${title}: −${percentText(gainShare)} in the model`, vscode.CodeActionKind.QuickFix);
  made.edit = new vscode.WorkspaceEdit();
  // No confirmation is asked for: VS Code shows those edits unticked. Ctrl+Enter in its menu shows them first, as for every quick fix.
  const described: vscode.WorkspaceEditEntryMetadata = { needsConfirmation: false, label: title, description: reason };
  for (const { from, to, text } of edits)
    made.edit.replace(document.uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), text, described);
  made.command = { command: PROVE, title: 'Run before and after', arguments: [{ run, advice } satisfies Applied] };
  return made;
}

/** @returns what was said. */
async function prove({ log, simulator }: Needs, { run, advice }: Applied): Promise<string> {
  const said = await measured(simulator, run, advice).catch((error: unknown) => {
    if (error instanceof EditFailed) return `${advice.title}: the kernel does not run with it: ${error.message}`;
    if (!(error instanceof NoWorkspace)) log.error(error as Error);
    return `${advice.title}: ${(error as Error).message}`;
  });
  void vscode.window.showInformationMessage(noticeText(`NKI Scope: ${said}`));
  return said;
}

async function measured(simulator: Simulator, { profile }: Run, { title, gainShare, edits }: Advice): Promise<string> {
  if (!vscode.workspace.isTrusted) return 'kernels run only in a trusted workspace.';
  const python = settingsOf().pythonPath || undefined;
  const answer = await rerunRequest(profile, { own: true, python, rootOf: () => null });
  if (answer.reason !== null) return answer.reason;
  const options = { location: vscode.ProgressLocation.Notification, title: `${title}: running before and after`, cancellable: true };
  return vscode.window.withProgress(options, async (_, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    const ran = await runEdited(request => simulator.capture(request, {}, controller.signal), answer.request, answer.call, edits);
    return outcomeText(title, gainShare, ran);
  });
}

function outcomeText(title: string, told: number, { beforeNs, afterNs, gainShare, differing }: EditedRun): string {
  const values = differing.length === 0 ? 'The values are the same.' : `Other values in ${differing.join(', ')}.`;
  const times = `${timeText(beforeNs)} → ${timeText(afterNs)} (${modelledChangeText(-gainShare)}; the advice said −${percentText(told)})`;
  return `${title}: ${times}. ${values}`;
}
