/** How hot lines look: the decoration types, and the ranges of each for one editor. What is hot is hotLines.ts. */
import * as vscode from 'vscode';
import { HEAT_LEVELS, HOT_LEVEL } from './heat';
import type { HotLine } from './hotLines';

/** Between the code and the hint. */
const HINT_MARGIN = '0 0 0 2.5em';

export class Decorations implements vscode.Disposable {
  private readonly heat: vscode.TextEditorDecorationType[];
  private readonly ruler = { hot: rulerMark('nkiScope.hotLineRuler'), warm: rulerMark('nkiScope.warmLineRuler') };
  private readonly hint = {
    fresh: hintType('nkiScope.hintForeground', 'normal'),
    stale: hintType('nkiScope.staleHintForeground', 'italic'),
  };

  constructor(extensionUri: vscode.Uri) {
    this.heat = HEAT_LEVELS.map(level => heatIcon(extensionUri, level));
  }

  show(editor: vscode.TextEditor, lines: readonly HotLine[], stale: boolean): void {
    const ends = lines.map(line => lineEnd(editor, line));
    const where = (wanted: (line: HotLine) => boolean) => ends.filter((_, i) => wanted(lines[i]));
    for (const [index, type] of this.heat.entries())
      editor.setDecorations(
        type,
        where(line => line.level === index + 1),
      );
    editor.setDecorations(this.ruler.hot, stale ? [] : where(line => line.level >= HOT_LEVEL));
    editor.setDecorations(
      this.ruler.warm,
      where(line => stale || line.level < HOT_LEVEL),
    );
    const hints = lines.map(({ text }, i) => ({ range: ends[i], renderOptions: { after: { contentText: text } } }));
    editor.setDecorations(this.hint.fresh, stale ? [] : hints);
    editor.setDecorations(this.hint.stale, stale ? hints : []);
  }

  dispose() {
    for (const type of [...this.heat, ...Object.values(this.ruler), ...Object.values(this.hint)]) type.dispose();
  }
}

/** All but the words, which are each line's own. */
function hintType(color: string, fontStyle: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    after: { color: new vscode.ThemeColor(color), fontStyle, margin: HINT_MARGIN },
  });
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

const lineEnd = (editor: vscode.TextEditor, line: HotLine) => {
  const { end } = editor.document.lineAt(line.now - 1).range;
  return new vscode.Range(end, end);
};
