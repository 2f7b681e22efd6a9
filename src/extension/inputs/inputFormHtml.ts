/** The page that asks for a kernel's inputs: a field for each parameter, with the guess in it and where that came from. Pure. */
import type { KernelInfo } from '../../simulator/index';
import { escapeHtml, htmlHead, policyText } from '../../webview/protocol/html';
import type { Guess } from './guessInputs';

export interface InputFormParts {
  kernel: KernelInfo;
  guesses: ReadonlyMap<string, Guess>;
  scriptUri: string;
  /** Of the page's only script and only style. */
  nonce: string;
}

export function inputFormHtml({ kernel: { name, params }, guesses, scriptUri, nonce }: InputFormParts): string {
  const policy = policyText([`script-src 'nonce-${nonce}'`, `style-src 'nonce-${nonce}'`]);
  const fields = params.map((param, index) => field(param, index, guesses.get(param.name) ?? { text: '', from: '' }));
  return `${htmlHead({ title: `Inputs of ${name}`, policy, elements: [`<style nonce="${nonce}">${STYLE}</style>`] })}
<body>
<main>
<h1>Inputs of <code>${escapeHtml(name)}</code></h1>
<p>A tensor as <code>dtype[shape]</code>, for example <code>bf16[128,512]</code>; or a number, true, false, null or "text". They are remembered as a case.</p>
<form>
${fields.join('\n')}
<p class="buttons"><button type="submit" disabled>Profile Kernel</button> <button type="button" id="cancel" disabled>Cancel</button></p>
</form>
</main>
<script nonce="${nonce}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>
`;
}

function field({ name, annotation, default: usual }: KernelInfo['params'][number], index: number, { text, from }: Guess): string {
  const id = `input-${index}`;
  const [label, value, said] = [`${name}${annotation === null ? '' : `: ${annotation}`}`, text, from].map(escapeHtml);
  const placeholder = usual === null ? '' : ` placeholder="${escapeHtml(usual)}"`;
  return `<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${escapeHtml(name)}" type="text" value="${value}"${placeholder} spellcheck="false" autocomplete="off" aria-describedby="from-${id} problem-${id}">
<span class="from" id="from-${id}">${said}</span>
<span class="problem" id="problem-${id}" role="status"></span></div>`;
}

const STYLE = `
body { color: var(--vscode-foreground); background: var(--vscode-editor-background); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
main { max-width: 640px; padding: 8px 20px; }
h1 { font-size: 1.3em; font-weight: 600; }
code { color: inherit; background: none; font-family: var(--vscode-editor-font-family); }
.field { margin: 12px 0; }
label { display: block; margin-bottom: 3px; font-family: var(--vscode-editor-font-family); }
input { box-sizing: border-box; width: 100%; padding: 4px 6px; font-family: var(--vscode-editor-font-family); color: var(--vscode-input-foreground);
  background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-settings-textInputBorder, var(--vscode-contrastBorder, transparent))); }
input:focus, button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
input[aria-invalid="true"] { border-color: var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground)); }
.from { color: var(--vscode-descriptionForeground); }
.problem { display: block; color: var(--vscode-errorForeground); }
button { padding: 5px 14px; border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); font: inherit; cursor: pointer;
  color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
#cancel { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
`;
