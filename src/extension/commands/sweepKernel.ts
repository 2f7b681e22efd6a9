/** Sweep Kernel: which file, which of its sweeps, and the tab that runs it. */
import * as vscode from 'vscode';
import { casesOf, sweepPlan } from '../../simulator/index';
import { readCases } from '../inputs/caseStore';
import type { KernelIndex } from '../kernels/kernelIndex';
import type { LastPython } from '../kernels/lastPython';
import { noticeText } from '../plainText';
import { requestFor } from '../run/requests';
import { isTrusted } from '../run/trust';
import { firstSweep } from '../sweeps/firstSweep';
import { addSweep, describedBy, readSweeps } from '../sweeps/sweepFile';
import { SweepPanel, type SweepPanelNeeds } from '../sweeps/sweepPanel';

interface Needs extends SweepPanelNeeds {
  kernels: KernelIndex;
  lastPython: LastPython;
}

const ADD = 'Add a Sweep…';

/** @param uri from a menu; from the palette: the file of the active editor, or of the last one @param name of the sweep; absent: the user chooses */
export const sweepKernel =
  (parts: Needs) =>
  async (uri?: vscode.Uri, name?: string): Promise<void> => {
    if (!(await isTrusted())) return;
    const document = uri instanceof vscode.Uri ? await vscode.workspace.openTextDocument(uri) : (await parts.lastPython.editor())?.document;
    if (document?.uri.scheme !== 'file') {
      void vscode.window.showErrorMessage('NKI Scope: Open a Python file with an NKI kernel first.');
      return;
    }
    try {
      const chosen = typeof name === 'string' ? name : await chooseSweep(document.uri);
      if (chosen === ADD) await addFirst(parts, document);
      else if (chosen !== undefined) open(parts, document.uri, chosen);
    } catch (error) {
      parts.log.error(error as Error);
      void vscode.window.showErrorMessage(noticeText(`NKI Scope: ${(error as Error).message}`));
    }
  };

/** undefined when the user backed out. */
async function chooseSweep(uri: vscode.Uri): Promise<string | undefined> {
  const names = Object.keys(await readSweeps(uri));
  if (names.length === 0) {
    const answer = await vscode.window.showInformationMessage('There is no sweep in .vscode/nki-scope.json yet.', ADD);
    return answer;
  }
  return vscode.window.showQuickPick([...names, ADD], { placeHolder: 'Sweep to run' });
}

async function addFirst({ kernels }: Needs, document: vscode.TextDocument): Promise<void> {
  const names = Object.keys(await readSweeps(document.uri));
  const { kernels: found, isScript } = kernels.of(document);
  const kernel = isScript ? undefined : found[0]?.name;
  const [known] = kernel === undefined ? [] : casesOf(await readCases(document.uri), kernel);
  const name = `sweep ${names.length + 1}`;
  await addSweep(document.uri, name, firstSweep(document.getText(), kernel, known));
}

function open(parts: Needs, uri: vscode.Uri, name: string) {
  new SweepPanel(parts, {
    name,
    uri,
    async plan() {
      const description = describedBy(name, (await readSweeps(uri))[name]);
      const document = await vscode.workspace.openTextDocument(uri);
      const numerics = description.kernel === undefined ? 'auto' : 'off';
      // points are the same wherever they ran
      const base = requestFor(uri, { python: undefined, hostTime: undefined, numerics });
      return sweepPlan(description, base, document.getText());
    },
  });
}
