/** Reads and writes the case file of a Python file: in its workspace folder, or beside the file if it is in none. */
import path from 'node:path';
import * as vscode from 'vscode';
import { CASE_FILE, type CaseFile, formatCaseFile, type KernelCase, parseCaseFile, withCase } from '../../simulator/index';

/** The folder with the cases of this file. */
function folderOf(file: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? path.dirname(file.fsPath);
}

export const caseFileOf = (file: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(vscode.Uri.file(folderOf(file)), ...CASE_FILE.split('/'));

/** @throws Error that names the mistake in the case file */
export async function readCases(file: vscode.Uri): Promise<CaseFile> {
  let bytes: Uint8Array;
  try {
    bytes = await vscode.workspace.fs.readFile(caseFileOf(file));
  } catch {
    return { cases: {} };
  }
  return parseCaseFile(new TextDecoder().decode(bytes));
}

export async function rememberCase(file: vscode.Uri, kernel: string, added: KernelCase): Promise<void> {
  const text = formatCaseFile(withCase(await readCases(file), kernel, added));
  await vscode.workspace.fs.writeFile(caseFileOf(file), new TextEncoder().encode(text));
}
