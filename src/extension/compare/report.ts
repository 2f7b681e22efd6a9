/** The comparison as a Markdown preview: read-only text of our own scheme, made anew each time it is opened. */
import path from 'node:path';
import * as vscode from 'vscode';
import { compare, comparisonMarkdown } from '../../simulator/index';
import type { Run } from '../run/run';

const SCHEME = 'nki-scope-comparison';
const texts = new Map<string, string>();
const changed = new vscode.EventEmitter<vscode.Uri>();

export function registerReports(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    provideTextDocumentContent: uri => texts.get(uri.path) ?? '',
  });
}

/** One document per kernel: a newer comparison takes its place. */
export async function openReport(before: Run, after: Run): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${after.profile.kernel} comparison.md` });
  texts.set(uri.path, reportText(before, after));
  changed.fire(uri);
  await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
}

function reportText(before: Run, after: Run): string {
  const names = { before: before.title, after: after.title };
  const link = (file: string, line: number) => `${vscode.Uri.file(file)}#L${line}`;
  const table = comparisonMarkdown(compare(before.profile, after.profile), names, { link });
  const files = after.profile.files.map(file => path.basename(file.path)).join(', ');
  return `# ${after.profile.kernel}: before and after\n\n${table}\n\nSources: ${files}. Both runs are simulated.\n`;
}
