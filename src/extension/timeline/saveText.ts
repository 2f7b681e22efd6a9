/** Saves a text from the timeline (markers, events as CSV) to a file that the user chooses. */
import * as vscode from 'vscode';

/** false when they changed their mind. */
export async function saveText({ name, text }: { name: string; text: string }): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {});
  if (!uri) return false;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return true;
}
