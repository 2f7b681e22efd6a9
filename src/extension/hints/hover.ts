/** Hover on a line of the frontmost run: its engines, what it waited for, its bytes, and the way to the timeline. */
import * as vscode from 'vscode';
import { settingsOf } from '../configuration';
import { commandUri } from '../plainText';
import { hoverText } from './hintText';
import type { LineMaps } from './lineMaps';

interface Needs {
  lineMaps: LineMaps;
}

/** The only command that a link of the hover may call. */
const SHOW_LINE = 'nkiScope.showLine';

export function registerHover(parts: Needs): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { language: 'python', scheme: 'file' },
    { provideHover: (document, position) => hover(parts, document, position.line + 1) },
  );
}

function hover(parts: Needs, document: vscode.TextDocument, now: number): vscode.Hover | undefined {
  const map = settingsOf(document.uri).hints.enabled ? parts.lineMaps.of(document) : undefined;
  const original = map?.tracker.original(now);
  const line = original === undefined ? undefined : map?.run.linesOf(document.uri.fsPath).get(original);
  if (!map || !line) return undefined;
  const change = map.run.changesOf(document.uri.fsPath).get(line.line);
  const advice = map.run.adviceFor(document.uri.fsPath, line.line);
  const { kernel, target } = map.run.profile;
  const timelineLink = commandUri(SHOW_LINE, { file: line.file, line: now });
  const text = hoverText(line, { kernel, target, stale: map.stale, change, advice, timelineLink });
  const markdown = new vscode.MarkdownString(text, true);
  markdown.isTrusted = { enabledCommands: [SHOW_LINE] };
  return new vscode.Hover(markdown);
}
