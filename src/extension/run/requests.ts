/** The parts of a request that come from the window: the settings of the file, the folder that it can read, and unsaved texts. */
import * as vscode from 'vscode';
import type { CaptureRequest } from '../../simulator/index';
import { settingsOf } from '../configuration';
import { extraPathsOf } from '../kernels/extraPaths';
import { requestDefaults } from '../settings';
import { nkiVersionFor } from './nkiVersion';
import { workspaceRoot } from './workspaceRoot';

/** @throws NoWorkspace */
export function requestFor(uri: vscode.Uri, more: Partial<CaptureRequest>): CaptureRequest {
  const defaults = requestDefaults(settingsOf(uri));
  const root = workspaceRoot(uri, { fenced: defaults.python === undefined });
  const importPaths = extraPathsOf(uri, root);
  return {
    ...defaults,
    nkiVersion: nkiVersionFor(uri),
    file: uri.fsPath,
    root,
    overlay: unsavedTexts(),
    ...(importPaths.length > 0 ? { importPaths } : {}),
    ...more,
  };
}

/** Texts of unsaved Python files, so that a run uses the text in the editor. */
function unsavedTexts(): Record<string, string> {
  const unsaved = vscode.workspace.textDocuments.filter(d => d.isDirty && d.uri.scheme === 'file' && d.languageId === 'python');
  return Object.fromEntries(unsaved.map(d => [d.uri.fsPath, d.getText()]));
}

/** Whether the run saw none of them. */
export function isOfSavedTexts({ overlay }: CaptureRequest, files: readonly { path: string }[]): boolean {
  return !files.some(({ path }) => overlay && Object.hasOwn(overlay, path));
}
