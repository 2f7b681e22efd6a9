/** What tells of a kernel's inputs: its text, remembered cases, and files of the workspace that may call it. */
import path from 'node:path';
import * as vscode from 'vscode';
import { findKernels } from '../kernels/findKernels';
import { readCases } from './caseStore';
import type { Known } from './guessInputs';

const TESTS = '**/{test_*,*_test,conftest}.py';
const NOT_LOOKED_AT = '**/{node_modules,.git,.venv,venv,site-packages}/**';
const MOST_FILES = 60;
const MOST_BYTES = 200_000;

export async function knownOf(document: vscode.TextDocument, kernel: string): Promise<Known> {
  const text = document.getText();
  const declared = findKernels(text).kernels.findLast(({ name }) => name === kernel);
  const body = declared
    ? text
        .split('\n')
        .slice(declared.line - 1, declared.endLine)
        .join('\n')
    : '';
  const { cases } = await readCases(document.uri).catch(() => ({ cases: {} }));
  return { kernel, body, cases, tests: await testsOf(document, kernel) };
}

/** The kernel's own file last: a test says better what it takes. */
async function testsOf(document: vscode.TextDocument, kernel: string): Promise<Known['tests'][number][]> {
  const found = await vscode.workspace.findFiles(TESTS, NOT_LOOKED_AT, MOST_FILES);
  const read = await Promise.all(found.sort((a, b) => (a.path < b.path ? -1 : 1)).map(textOf));
  const tests = found.map((uri, i) => ({ name: path.basename(uri.path), text: read[i] }));
  return [...tests, { name: path.basename(document.uri.path), text: document.getText() }].filter(({ text }) => text.includes(kernel));
}

/** Empty where it cannot be read, or is too long to be a test that somebody wrote. */
async function textOf(uri: vscode.Uri): Promise<string> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.length > MOST_BYTES ? '' : new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}
