/** Export…: asks for a format and a place, writes there with progress, and offers to look at what was written. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { fileStem, NKIPROF_EXTENSION } from '../../simulator/index';
import { noticeText } from '../plainText';
import { nkiprofOf } from '../profiles/packing';
import type { Run } from '../run/run';
import type { Annotations } from '../timeline/annotations';
import { EXPORT_FORMATS, type ExportFormat, OWN_FORMAT } from './formats';
import { writeExport } from './write';

interface Needs {
  annotations: Annotations;
  log: vscode.LogOutputChannel;
  extensionUri: vscode.Uri;
}

export async function exportRun(parts: Needs, run: Run): Promise<void> {
  const format = await pickFormat();
  const uri = format && (await askPlace(run, format));
  if (!uri) return;
  try {
    if (await write(parts, run, format, uri)) void tell(format, uri);
  } catch (error) {
    parts.log.error(error as Error);
    void vscode.window.showErrorMessage(noticeText(`NKI Scope: ${path.basename(uri.path)} was not written: ${(error as Error).message}`));
  }
}

async function pickFormat(): Promise<ExportFormat | undefined> {
  const items = EXPORT_FORMATS.map(format => ({ label: format.label, description: format.description, format }));
  const options = { title: 'NKI Scope: Export Profile', placeHolder: 'In which format?', matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.format;
}

function askPlace(run: Run, { label, suffix }: ExportFormat): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(os.homedir());
  const extension = path.extname(suffix).slice(1);
  return vscode.window.showSaveDialog({
    title: `Export Profile: ${label}`,
    defaultUri: vscode.Uri.joinPath(folder, `${fileName(run)}${suffix}`),
    ...(extension ? { filters: { [label]: [extension] } } : {}),
  });
}

const fileName = ({ profile }: Run) => fileStem(profile.kernel);

/** @returns false when it was cancelled */
function write(parts: Needs, run: Run, format: ExportFormat, uri: vscode.Uri): Thenable<boolean> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: noticeText(`NKI Scope: writing ${path.basename(uri.path)}`),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_, token) => {
    const bytes = await nkiprofOf(parts.annotations.containerOf(run));
    if (format.name === OWN_FORMAT) {
      await vscode.workspace.fs.writeFile(uri, bytes);
      return true;
    }
    if (uri.scheme !== 'file') throw new Error('choose a place on the machine on which the extension runs');
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    return viaFile(run, bytes, profile =>
      writeExport(
        { cli: vscode.Uri.joinPath(parts.extensionUri, 'dist/cli.js').fsPath, profile, format, place: uri.fsPath },
        controller.signal,
      ),
    );
  });
}

/** The command line reads files; a report is titled by the file's name. */
async function viaFile<T>(run: Run, bytes: Uint8Array, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'nki-scope-export-'));
  try {
    const file = path.join(folder, `${fileName(run)}${NKIPROF_EXTENSION}`);
    await fs.writeFile(file, bytes);
    return await use(file);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Files that an editor shows. */
const SHOWN = ['.txt', '.json', '.csv', NKIPROF_EXTENSION];

async function tell({ suffix }: ExportFormat, uri: vscode.Uri): Promise<void> {
  const extension = path.extname(suffix);
  const actions: Record<string, () => unknown> = {
    ...(SHOWN.includes(extension) ? { Open: () => vscode.commands.executeCommand('vscode.open', uri) } : {}),
    ...(extension === '.html' ? { 'Open in Browser': () => vscode.env.openExternal(uri) } : {}),
    'Copy Path': () => vscode.env.clipboard.writeText(uri.fsPath),
  };
  const message = noticeText(`NKI Scope: ${path.basename(uri.path)} written.`);
  const answer = await vscode.window.showInformationMessage(message, ...Object.keys(actions));
  if (answer) await actions[answer]();
}
