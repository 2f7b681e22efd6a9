/** Folders that the editor's settings add to those of imports. */
import path from 'node:path';
import * as vscode from 'vscode';

/** Extra module paths in the settings of the editor's Python. */
export function extraPathsOf(uri: vscode.Uri, root: string): string[] {
  const set: unknown = vscode.workspace.getConfiguration('python.analysis', uri).get('extraPaths');
  const folders = Array.isArray(set) ? set.filter((folder): folder is string => typeof folder === 'string') : [];
  return folders.map(folder =>
    path.resolve(
      root,
      folder.replace(/\$\{workspaceFolder\}/g, () => root),
    ),
  );
}
