/**
 * A saved .nkiprof file, or a recording (.ntff), as an editor: the same timeline, drawn again when the file changes. No code of it runs.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ReadingClient } from '../../simulator/index';
import { fileIdentity, readRun } from '../profiles/readRun';
import { keyOf } from '../run/identity';
import type { Runs } from '../run/runs';
import type { Source } from './timelinePanel';
import type { Timelines } from './timelines';

interface Needs {
  reading: ReadingClient;
  runs: Runs;
  timelines: Timelines;
}

export function openProfileEditor(parts: Needs, uri: vscode.Uri, panel: vscode.WebviewPanel): void {
  const closed = new AbortController();
  const source = fileSource(parts, uri, closed.signal);
  const timeline = parts.timelines.adopt(panel, source, null);
  const folder = vscode.Uri.joinPath(uri, '..');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, path.posix.basename(uri.path)));
  const reload = () => timeline.replace(source);
  watcher.onDidChange(reload);
  watcher.onDidCreate(reload);
  panel.onDidDispose(() => {
    closed.abort();
    watcher.dispose();
  });
}

/** @param closed true once its tab is closed */
function fileSource(parts: Needs, uri: vscode.Uri, closed: AbortSignal): Source {
  return {
    key: keyOf(fileIdentity(uri)),
    title: path.posix.basename(uri.path),
    async load() {
      const run = await readRun(parts, uri, closed);
      parts.runs.put(run);
      return run;
    },
  };
}
