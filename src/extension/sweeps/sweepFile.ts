/** The sweeps of a Python file: the entries of `sweeps` in its case file. */
import * as vscode from 'vscode';
import { type CaseFile, checkedDescription, formatCaseFile, type SweepDescription } from '../../simulator/index';
import { caseFileOf, readCases } from '../inputs/caseStore';

type WithSweeps = CaseFile & { sweeps?: Record<string, unknown> };

/** Names and entries, as they are in the file. */
export async function readSweeps(file: vscode.Uri): Promise<Record<string, unknown>> {
  const { sweeps } = (await readCases(file)) as WithSweeps;
  return typeof sweeps === 'object' && sweeps !== null ? sweeps : {};
}

/** @throws SpaceError that names the wrong part */
export const describedBy = (name: string, entry: unknown): SweepDescription => checkedDescription(name, entry);

/** Adds an entry to the case file and shows it. */
export async function addSweep(file: vscode.Uri, name: string, entry: SweepDescription): Promise<void> {
  const cases = (await readCases(file)) as WithSweeps;
  const text = formatCaseFile({ ...cases, sweeps: { ...cases.sweeps, [name]: entry } } as CaseFile);
  const place = caseFileOf(file);
  await vscode.workspace.fs.writeFile(place, new TextEncoder().encode(text));
  const document = await vscode.workspace.openTextDocument(place);
  const at = document.positionAt(Math.max(0, document.getText().lastIndexOf(JSON.stringify(name))));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}
