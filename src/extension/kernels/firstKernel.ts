/**
 * Watches for files with kernels: tells menus about the active editor, and starts the spare interpreter when the first kernel
 * is seen, so that windows without NKI pay nothing.
 */
import * as vscode from 'vscode';
import type { Simulator } from '../run/simulator';
import { hasKernels, type KernelIndex } from './kernelIndex';

interface Needs {
  kernels: KernelIndex;
  simulator: Simulator;
}

/** Lets the editor settle first. */
const WARM_DELAY_MS = 300;

export function watchForKernels(parts: Needs): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const warm = (uri: vscode.Uri) => {
    if (timer || !vscode.workspace.isTrusted) return;
    timer = setTimeout(() => parts.simulator.warm(uri), WARM_DELAY_MS);
  };
  const look = async (editor = vscode.window.activeTextEditor) => {
    const document = editor?.document;
    const isPython = document?.languageId === 'python' && document.uri.scheme === 'file';
    const hasKernel = isPython && hasKernels(parts.kernels.of(document));
    await vscode.commands.executeCommand('setContext', 'nkiScope.hasKernel', hasKernel);
    if (hasKernel) warm(document.uri);
  };
  void look();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(editor => void look(editor)),
    parts.kernels.onDidRead(document => document === vscode.window.activeTextEditor?.document && void look()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void look()),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}
