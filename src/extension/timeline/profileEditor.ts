/** A saved .nkiprof file as an editor: the same timeline, drawn again when the file changes. Nothing of it is run. */
import path from 'node:path';
import * as vscode from 'vscode';
import { profileContainer } from '../../simulator/index';
import { Run } from '../run/run';
import type { Scope } from '../scope';
import type { Source } from './timelinePanel';

export function openProfileEditor(scope: Scope, uri: vscode.Uri, panel: vscode.WebviewPanel): void {
  const source = fileSource(scope, uri);
  const timeline = scope.timelines.adopt(panel, source, null);
  const folder = vscode.Uri.joinPath(uri, '..');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, path.posix.basename(uri.path)));
  const reload = () => timeline.replace(source);
  watcher.onDidChange(reload);
  watcher.onDidCreate(reload);
  panel.onDidDispose(() => watcher.dispose());
}

function fileSource(scope: Scope, uri: vscode.Uri): Source {
  const key = `file\n${uri}`;
  return {
    key,
    title: path.posix.basename(uri.path),
    async load() {
      const run = new Run(key, profileContainer(await vscode.workspace.fs.readFile(uri), path.posix.parse(uri.path).name));
      scope.runs.put(run);
      return run;
    },
  };
}
