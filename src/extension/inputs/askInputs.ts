/** Asks for a kernel's inputs on one page, filled in as far as they can be guessed; each is checked while it is typed. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { type ArgumentValue, type KernelCase, type KernelInfo, parseArgument } from '../../simulator/index';
import type { FromForm, InputTexts, ToForm } from '../../webview/protocol/inputForm';
import { guessInputs } from './guessInputs';
import { inputFormHtml } from './inputFormHtml';
import { knownOf } from './knownOf';

const VIEW_TYPE = 'nkiScope.inputs';

/** @param extensionUri where the page's script is @returns undefined when the user backed out */
export async function askInputs(
  document: vscode.TextDocument,
  kernel: KernelInfo,
  extensionUri: vscode.Uri,
): Promise<KernelCase | undefined> {
  const guesses = guessInputs(kernel.params, await knownOf(document, kernel.name));
  const assets = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const panel = vscode.window.createWebviewPanel(VIEW_TYPE, `Inputs of ${kernel.name}`, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [assets],
  });
  return new Promise(resolve => {
    panel.onDidDispose(() => resolve(undefined));
    panel.webview.onDidReceiveMessage((message: FromForm) => {
      if (message.kind === 'cancel') return panel.dispose();
      const problems = problemsOf(kernel, message.texts);
      void panel.webview.postMessage({ problems } satisfies ToForm);
      if (message.kind !== 'run' || Object.keys(problems).length > 0) return;
      resolve(caseOf(kernel, message.texts));
      panel.dispose();
    });
    panel.webview.html = inputFormHtml({
      kernel,
      guesses,
      scriptUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(assets, 'inputs.js')).toString(),
      nonce: randomBytes(16).toString('base64url'),
    });
  });
}

function problemsOf({ params }: KernelInfo, texts: InputTexts): ToForm['problems'] {
  const problems = params.map(({ name, default: usual }) => [name, problemOf(texts[name] ?? '', usual !== null)]);
  return Object.fromEntries(problems.filter(([, problem]) => problem !== ''));
}

/** Empty: none. */
function problemOf(text: string, isOptional: boolean): string {
  if (text.trim() === '' && isOptional) return '';
  try {
    parseArgument(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Named by what was typed. A parameter that has a value of its own, and was given none, is left to the kernel. */
function caseOf({ params }: KernelInfo, texts: InputTexts): KernelCase {
  const given = params.filter(({ name }) => (texts[name] ?? '').trim() !== '');
  const words = given.map(({ name, default: usual }) => (usual === null ? texts[name].trim() : `${name}=${texts[name].trim()}`));
  return { name: words.join(', ') || 'no inputs', args: Object.fromEntries(given.map(({ name }) => [name, storedValue(texts[name])])) };
}

/** Tensors as typed, which is shorter to read in the file; plain values as what they are. */
function storedValue(text: string): ArgumentValue {
  const parsed = parseArgument(text);
  return parsed.kind === 'tensor' ? text.trim() : parsed.value;
}
