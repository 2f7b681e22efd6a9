/** How hot lines look: the decoration types, and the ranges of each for one editor. What is hot is hotLines.ts. */
import * as vscode from 'vscode';
import { HOT_SHARE, heatIcon, heatPercent } from './heat';
import type { HotLine } from './hotLines';

/** Between the code and the hint. */
const HINT_MARGIN = '0 0 0 2.5em';

export class Decorations implements vscode.Disposable {
  /** By percent, each made when a line first has it. */
  private readonly heat = new Map<number, vscode.TextEditorDecorationType>();
  private readonly ruler = { hot: rulerMark('nkiScope.hotLineRuler'), warm: rulerMark('nkiScope.warmLineRuler') };
  private readonly hint = {
    fresh: hintType('nkiScope.hintForeground', 'normal'),
    stale: hintType('nkiScope.staleHintForeground', 'italic'),
  };

  show(editor: vscode.TextEditor, lines: readonly HotLine[], stale: boolean): void {
    const ends = lines.map(line => lineEnd(editor, line));
    const where = (wanted: (line: HotLine) => boolean) => ends.filter((_, i) => wanted(lines[i]));
    for (const { line } of lines) this.heatOf(heatPercent(line.share));
    for (const [percent, type] of this.heat)
      editor.setDecorations(
        type,
        where(({ line }) => heatPercent(line.share) === percent),
      );
    editor.setDecorations(this.ruler.hot, stale ? [] : where(({ line }) => line.share >= HOT_SHARE));
    editor.setDecorations(
      this.ruler.warm,
      where(({ line }) => stale || line.share < HOT_SHARE),
    );
    const hints = lines.map(({ text }, i) => ({ range: ends[i], renderOptions: { after: { contentText: text } } }));
    editor.setDecorations(this.hint.fresh, stale ? [] : hints);
    editor.setDecorations(this.hint.stale, stale ? hints : []);
  }

  private heatOf(percent: number): vscode.TextEditorDecorationType {
    const type = this.heat.get(percent) ?? heatType(percent);
    this.heat.set(percent, type);
    return type;
  }

  dispose() {
    for (const type of [...this.heat.values(), ...Object.values(this.ruler), ...Object.values(this.hint)]) type.dispose();
  }
}

/** All but the words, which are each line's own. */
function hintType(color: string, fontStyle: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    after: { color: new vscode.ThemeColor(color), fontStyle, margin: HINT_MARGIN },
  });
}

function heatType(percent: number): vscode.TextEditorDecorationType {
  const icon = (theme: 'dark' | 'light') =>
    vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(heatIcon(theme, percent)).toString('base64')}`);
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
