/** Hover on a line of the frontmost run: its engines, what it waited for, its bytes, and the way to the timeline. */
import * as vscode from 'vscode';
import { type Line, statementAt } from '../../simulator/index';
import type { LinePart } from '../../webview/protocol/linePart';
import { settingsOf } from '../configuration';
import { commandUri } from '../plainText';
import type { Run } from '../run/run';
import type { Experiments } from '../timeline/experiments';
import { hoverText } from './hintText';
import { gainOf, type LineGain } from './lineGain';
import type { LineMaps } from './lineMaps';

interface Needs {
  experiments: Experiments;
  lineMaps: LineMaps;
}

/** A hover is not held up longer by what is being worked out: the next one has it. */
const MOST_WAIT_MS = 700;

/** The only commands that links of the hover may call. */
const SHOW_LINE = 'nkiScope.showLine';
const COMPARE = 'nkiScope.compareWithLastRun';

export function registerHover(parts: Needs): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { language: 'python', scheme: 'file' },
    { provideHover: (document, position, token) => hover(parts, document, position.line + 1, token) },
  );
}

async function hover(
  parts: Needs,
  document: vscode.TextDocument,
  now: number,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const map = settingsOf(document.uri).hints.enabled ? parts.lineMaps.of(document) : undefined;
  const original = map?.tracker.original(now);
  const found = map && original !== undefined ? statementOf(map.run, document.uri.fsPath, original) : undefined;
  if (!map || !found) return undefined;
  const { line, statement } = found;
  const change = map.run.changesOf(document.uri.fsPath).get(line.line);
  const warnings = map.run.warningsOf(document.uri.fsPath, line.line);
  const { kernel, target } = map.run.profile;
  // where its statement begins now: a hover may be on a later line of it
  const position = { file: line.file, line: map.tracker.current(line.line) ?? now };
  const links = {
    timeline: commandUri(SHOW_LINE, position),
    part: (of: LinePart) => commandUri(SHOW_LINE, position, of),
    compare: commandUri(COMPARE),
  };
  const whatIf = await whatIfOf(parts, map.run, line, token);
  const text = hoverText(line, { kernel, target, stale: map.stale, statement, change, warnings, whatIf, links });
  const markdown = new vscode.MarkdownString(text, true);
  markdown.isTrusted = { enabledCommands: [SHOW_LINE, COMPARE] };
  return new vscode.Hover(markdown);
}

/** Lines above that are looked at for the beginning of a statement. */
const MOST_LINES_ABOVE = 40;

/** The line of the run whose statement goes over this one; with its text where that has several lines. */
function statementOf(run: Run, file: string, number: number): { line: Line; statement?: string } | undefined {
  const lines = run.linesOf(file);
  const texts = run.textOf(file)?.split(/\r\n|\r|\n/) ?? [];
  for (let first = number; first > Math.max(0, number - MOST_LINES_ABOVE); first--) {
    const line = lines.get(first);
    if (!line) continue;
    const { endLine } = statementAt(texts, first);
    if (endLine < number) return undefined;
    return { line, statement: endLine > first ? line.text : undefined };
  }
  return undefined;
}

/** What the kernel gains when the line is free, and when it is twice as fast; undefined: not known, or not yet. */
async function whatIfOf({ experiments }: Needs, run: Run, line: Line, token: vscode.CancellationToken): Promise<LineGain | undefined> {
  if (!run.profile.timing || line.timeNs <= 0) return undefined;
  const gone = new AbortController();
  const listening = token.onCancellationRequested(() => gone.abort());
  const known = gainOf(experiments, run, line, gone.signal);
  void known.finally(() => listening.dispose());
  return Promise.race([known, new Promise<undefined>(resolve => setTimeout(resolve, MOST_WAIT_MS))]);
}
