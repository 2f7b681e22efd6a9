/** How hot lines look: the decoration types, and the ranges of each for one editor. What is hot is hotLines.ts. */
import * as vscode from 'vscode';
import { HEAT_LEVELS, HOT_LEVEL } from './heat';
import type { HotLine } from './hotLines';

/** Between the code and the hint. */
const HINT_MARGIN = '0 0 0 2.5em';

export class Decorations implements vscode.Disposable {
  private readonly heat: vscode.TextEditorDecorationType[];
  private readonly ruler = { hot: rulerMark('nkiScope.hotLineRuler'), warm: rulerMark('nkiScope.warmLineRuler') };
  private readonly hint = vscode.window.createTextEditorDecorationType({ rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed });

  constructor(extensionUri: vscode.Uri) {
    this.heat = HEAT_LEVELS.map(level => heatIcon(extensionUri, level));
  }

  show(editor: vscode.TextEditor, lines: readonly HotLine[], stale: boolean): void {
    for (const [index, type] of this.heat.entries())
      editor.setDecorations(
        type,
        rangesOf(editor, lines, l => l.level === index + 1),
      );
    editor.setDecorations(this.ruler.hot, stale ? [] : rangesOf(editor, lines, l => l.level >= HOT_LEVEL));
    editor.setDecorations(
      this.ruler.warm,
      rangesOf(editor, lines, l => stale || l.level < HOT_LEVEL),
    );
    editor.setDecorations(
      this.hint,
      lines.map(line => this.hintOptions(editor, line, stale)),
    );
  }

  dispose() {
    for (const type of [...this.heat, this.ruler.hot, this.ruler.warm, this.hint]) type.dispose();
  }

  private hintOptions(editor: vscode.TextEditor, line: HotLine, stale: boolean): vscode.DecorationOptions {
    const color = new vscode.ThemeColor(stale ? 'nkiScope.staleHintForeground' : 'nkiScope.hintForeground');
    const fontStyle = stale ? 'italic' : 'normal';
    return { range: lineEnd(editor, line), renderOptions: { after: { contentText: line.text, color, fontStyle, margin: HINT_MARGIN } } };
  }
}

function heatIcon(extensionUri: vscode.Uri, level: number): vscode.TextEditorDecorationType {
  const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', 'heat', `${theme}-${level}.svg`);
  return vscode.window.createTextEditorDecorationType({
    gutterIconSize: 'contain',
    light: { gutterIconPath: icon('light') },
    dark: { gutterIconPath: icon('dark') },
  });
}

function rulerMark(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    overviewRulerColor: new vscode.ThemeColor(color),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
}

const rangesOf = (editor: vscode.TextEditor, lines: readonly HotLine[], wanted: (line: HotLine) => boolean) =>
  lines.filter(wanted).map(line => lineEnd(editor, line));

const lineEnd = (editor: vscode.TextEditor, line: HotLine) => {
  const { end } = editor.document.lineAt(line.now - 1).range;
  return new vscode.Range(end, end);
};
