/** The lines of a document at which a script's last run called kernels, with what the calls took. */
import type * as vscode from 'vscode';
import { type LaunchRow, launchTable } from '../../simulator/index';
import type { Run } from '../run/run';

export interface LaunchSite {
  /** Of the document, 1-based. */
  line: number;
  launches: LaunchRow[];
}

/** Lines that are not what they were when the script ran are left out. */
export function launchSites(run: Run, document: vscode.TextDocument): LaunchSite[] {
  const file = document.uri.fsPath;
  const ran = (run.textOf(file) ?? '').split('\n');
  const isSame = (line: number) => line <= document.lineCount && document.lineAt(line - 1).text.trim() === ran[line - 1]?.trim();
  const sites = new Map<number, LaunchSite>();
  for (const launch of launchTable(run.profile)) {
    const { position } = launch;
    if (position.file !== file || !isSame(position.line)) continue;
    const site = sites.get(position.line) ?? { line: position.line, launches: [] };
    sites.set(position.line, site);
    site.launches.push(launch);
  }
  return [...sites.values()];
}
