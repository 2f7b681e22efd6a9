/** Asks what to run, when there is a choice. */
import * as vscode from 'vscode';
import { type Choice, choiceLabel } from './choices';

/** The only choice, or the user's; undefined if there is none or the user cancelled. */
export async function pickChoice(all: Choice[]): Promise<Choice | undefined> {
  if (all.length <= 1) return all[0];
  const items = all.map(choice => ({ ...choiceLabel(choice), choice }));
  return (await vscode.window.showQuickPick(items, { title: 'NKI Scope: Profile Kernel', placeHolder: 'What to run?' }))?.choice;
}
