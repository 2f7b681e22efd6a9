/** Marks, in open editors, the lines that the timeline's selected event depends on and those that wait for it. */
import * as vscode from 'vscode';
import type { RelatedLine } from '../../webview/protocol/messages';
import type { LineMaps } from '../hints/lineMaps';

const TELLS: Record<RelatedLine['kind'], string> = {
  before: 'NKI Scope: what is selected in the timeline waits for this line',
  after: 'NKI Scope: this line waits for what is selected in the timeline',
};

export class RelatedLines implements vscode.Disposable {
  private readonly types = {
    before: edge('nkiScope.dependencyBefore', 'solid'),
    after: edge('nkiScope.dependencyAfter', 'dashed'),
  };
  private shown: readonly RelatedLine[] = [];
  private readonly subscription: vscode.Disposable;

  constructor(private readonly lineMaps: LineMaps) {
    this.subscription = vscode.window.onDidChangeVisibleTextEditors(() => this.draw());
  }

  /** An empty list removes the marks. */
  show(lines: readonly RelatedLine[]): void {
    this.shown = lines;
    this.draw();
  }

  dispose() {
    this.subscription.dispose();
    for (const type of Object.values(this.types)) type.dispose();
  }

  private draw() {
    for (const editor of vscode.window.visibleTextEditors)
      for (const kind of ['before', 'after'] as const) editor.setDecorations(this.types[kind], this.ranges(editor, kind));
  }

  /** The present ranges of the lines, which move while the file is edited. */
  private ranges({ document }: vscode.TextEditor, kind: RelatedLine['kind']): vscode.DecorationOptions[] {
    const own = this.shown.filter(line => line.kind === kind && line.file === document.uri.fsPath);
    if (own.length === 0) return [];
    const tracker = this.lineMaps.of(document)?.tracker;
    return own.flatMap(({ line }) => {
      const now = tracker ? tracker.current(line) : line;
      return now && now <= document.lineCount ? [{ range: document.lineAt(now - 1).range, hoverMessage: TELLS[kind] }] : [];
    });
  }
}

function edge(colour: string, style: 'solid' | 'dashed'): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor(colour),
    borderStyle: style,
    borderWidth: '0 0 0 3px',
    overviewRulerColor: new vscode.ThemeColor(colour),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}
