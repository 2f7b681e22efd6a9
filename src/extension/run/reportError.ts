/** Reports an error in the user's code or request: a message with a button for the line, and the traceback in the log. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { UserError } from '../../simulator/index';
import { noticeText } from '../plainText';
import { revealLine } from '../timeline/revealSource';
import { isCancelled } from './cancelled';

interface Needs {
  log: vscode.LogOutputChannel;
}

/** Kinds of errors for which another interpreter may help. */
const MISSING_MODULE = new Set(['ModuleNotFoundError', 'ImportError']);

export function errorText({ kind, message, file, line }: UserError): string {
  const place = file ? ` (${path.basename(file)}${line ? `:${line}` : ''})` : '';
  return `${kind}: ${message}${place}`;
}

/** The error of a request that could not be made. */
export const requestError = ({ name, message }: Error): UserError => ({ kind: name, message, file: null, line: null, traceback: null });

/** Nothing waits for the answer: the message may stand there for long. */
export function reportError(parts: Needs, error: UserError): void {
  if (isCancelled(error)) {
    parts.log.info(errorText(error));
    vscode.window.setStatusBarMessage('NKI Scope: cancelled', 4000);
    return;
  }
  parts.log.error(error.traceback ?? errorText(error));
  void offer(errorText(error), [
    // First: it is what the key for a message's first button does.
    ...(error.file && error.line ? [['Go to Line', () => goToLine(error)] as [string, () => unknown]] : []),
    ['Show Output', () => parts.log.show(true)],
    ...(MISSING_MODULE.has(error.kind) ? [['Choose Python…', openPythonSetting] as [string, () => unknown]] : []),
  ]);
}

async function offer(text: string, actions: [string, () => unknown][]): Promise<void> {
  const answer = await vscode.window.showErrorMessage(noticeText(text), ...actions.map(([label]) => label));
  await actions.find(([label]) => label === answer)?.[1]();
}

async function goToLine({ file, line }: UserError) {
  if (file && line) await revealLine(await vscode.workspace.openTextDocument(vscode.Uri.file(file)), line, { focus: true });
}

const openPythonSetting = () => vscode.commands.executeCommand('workbench.action.openSettings', 'nkiScope.pythonPath');
