/** Profile Kernel: which document, may it run, and which of the things to run it offers; the run itself is run/task.ts. */
import path from 'node:path';
import * as vscode from 'vscode';
import { casesOf } from '../../simulator/index';
import { settingsOf } from '../configuration';
import { readCases } from '../inputs/caseStore';
import type { KernelIndex } from '../kernels/kernelIndex';
import type { LastPython } from '../kernels/lastPython';
import { noticeText } from '../plainText';
import { choices } from '../run/choices';
import { pickChoice } from '../run/pickChoice';
import type { Simulator } from '../run/simulator';
import { runChoice, type TaskNeeds } from '../run/task';
import { isTrusted } from '../run/trust';

interface Needs extends TaskNeeds {
  kernels: KernelIndex;
  lastPython: LastPython;
  simulator: Simulator;
}

/** @param uri and @param name of the kernel from a CodeLens; from the palette neither: the file of the active editor, or of the last one */
export const profileKernel =
  (parts: Needs) =>
  async (uri?: vscode.Uri, name?: string): Promise<void> => {
    const askedAtMs = performance.now();
    if (!(await isTrusted())) return;
    const document = await pythonDocument(parts, uri);
    if (!document) return;
    // The interpreter starts while the choices are computed.
    if (!settingsOf(document.uri).pythonPath) parts.simulator.warm(document.uri);
    try {
      const file = await readCases(document.uri);
      const cases = (kernel: string) => casesOf(file, kernel);
      // Menus pass other values as a second argument.
      const kernel = typeof name === 'string' ? name : undefined;
      const choice = await pickChoice(choices(parts.kernels.of(document), cases, kernel));
      if (choice) await runChoice({ parts, document, kernel, cases, askedAtMs }, choice);
    } catch (error) {
      // The error of a bad case file has a message for the user; other errors are in the log with their stack.
      parts.log.error(error as Error);
      void vscode.window.showErrorMessage(noticeText(`NKI Scope: ${(error as Error).message}`));
    }
  };

async function pythonDocument({ lastPython }: Pick<Needs, 'lastPython'>, uri?: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  // Brings its editor to the front, so that the timeline opens beside it.
  const document = uri instanceof vscode.Uri ? await vscode.workspace.openTextDocument(uri) : (await lastPython.editor())?.document;
  const reason = refusal(document);
  if (reason) void vscode.window.showErrorMessage(noticeText(`NKI Scope: ${reason}`));
  return reason ? undefined : document;
}

function refusal(document: vscode.TextDocument | undefined): string | undefined {
  if (!document) return 'Open a Python file with an NKI kernel first.';
  if (document.uri.scheme !== 'file') return 'Save the file to disk first: a kernel is run with its folder around it.';
  return document.languageId === 'python' ? undefined : `${path.basename(document.uri.path)} is not a Python file.`;
}
