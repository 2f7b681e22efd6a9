/** For each open file that the frontmost run has in it: where the run's lines are now, and whether its text has changed since. */
import * as vscode from 'vscode';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import { LineTracker, type TextChange } from './lineTracker';

export interface LineMap {
  run: Run;
  tracker: LineTracker;
  /** The file is not what was run. */
  stale: boolean;
}

export class LineMaps implements vscode.Disposable {
  private readonly maps = new Map<string, LineMap>();
  private readonly changed = new vscode.EventEmitter<vscode.TextDocument>();
  /** A document's lines moved, or its text became stale or fresh again. */
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly runs: Runs) {
    this.subscription = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(event => this.edited(event)),
      vscode.workspace.onDidCloseTextDocument(document => this.maps.delete(document.uri.fsPath)),
    );
  }

  /** Undefined when no run has the file. A run of another text than the document's is stale from the start. */
  of(document: vscode.TextDocument): LineMap | undefined {
    const file = document.uri.fsPath;
    const run = this.runs.ofFile(file);
    if (!run) return undefined;
    const known = this.maps.get(file);
    if (known?.run === run) return known;
    const text = run.textOf(file) ?? '';
    const stale = !sameText(document, text);
    const tracker = stale ? LineTracker.between(linesOf(text), linesOf(document.getText())) : freshTracker(text);
    const map = { run, tracker, stale };
    this.maps.set(file, map);
    return map;
  }

  dispose() {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent) {
    if (contentChanges.length === 0) return;
    const map = this.maps.get(document.uri.fsPath);
    const text = map?.run.textOf(document.uri.fsPath);
    if (!map || text === undefined) return;
    if (sameText(document, text)) {
      map.tracker = freshTracker(text);
      map.stale = false;
    } else {
      for (const change of contentChanges) map.tracker.apply(lineChange(change));
      map.stale = true;
    }
    this.changed.fire(document);
  }
}

const freshTracker = (text: string) => LineTracker.fresh(linesOf(text).length);

const linesOf = (text: string) => normal(text).split('\n');

function lineChange({ range, text }: vscode.TextDocumentContentChangeEvent): TextChange {
  return {
    startLine: range.start.line + 1,
    atLineStart: range.start.character === 0,
    endLine: range.end.line + 1,
    endsAtLineStart: range.end.character === 0,
    addedLines: text.split('\n').length - 1,
  };
}

/** Python reads every line end as `\n`, and so does a profile's text. */
function sameText(document: vscode.TextDocument, text: string): boolean {
  return normal(document.getText()) === normal(text);
}

const normal = (text: string) => text.replaceAll('\r\n', '\n');
