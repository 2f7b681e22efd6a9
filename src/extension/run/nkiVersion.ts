/** The version of NKI of a file: that of its settings, else the one that its project requires, else the newest. */
import type * as vscode from 'vscode';
import { NEWEST_NKI, pinnedNki } from '../../simulator/index';
import { settingsOf } from '../configuration';
import { requestDefaults } from '../settings';
import { workspaceRoot } from './workspaceRoot';

export function nkiVersionFor(uri: vscode.Uri): string {
  const { nkiVersion } = requestDefaults(settingsOf(uri));
  return nkiVersion ?? pinnedNki(uri.fsPath, workspaceRoot(uri, { fenced: false }))?.version ?? NEWEST_NKI;
}
