/** Entry of the page that asks for a kernel's inputs: its HTML comes from the editor, which also says what is wrong with them. */
import type { FromForm, InputTexts, ToForm } from '../protocol/inputForm';

const editor = globalThis.acquireVsCodeApi!();
const form = document.querySelector('form')!;
const fields = [...form.querySelectorAll('input')];

const tell = (message: FromForm) => editor.postMessage(message);
const texts = (): InputTexts => Object.fromEntries(fields.map(field => [field.name, field.value]));
const check = () => tell({ kind: 'check', texts: texts() });

form.addEventListener('input', check);
form.addEventListener('submit', event => {
  event.preventDefault();
  tell({ kind: 'run', texts: texts() });
});
document.querySelector('#cancel')!.addEventListener('click', () => tell({ kind: 'cancel' }));
document.addEventListener('keydown', event => event.key === 'Escape' && tell({ kind: 'cancel' }));
window.addEventListener('message', ({ data }: MessageEvent<ToForm>) => {
  for (const field of fields) {
    const problem = Object.hasOwn(data.problems, field.name) ? data.problems[field.name] : '';
    field.setAttribute('aria-invalid', String(problem !== ''));
    document.getElementById(`problem-${field.id}`)!.textContent = problem;
  }
});
// until here a press would have had no effect, and what was typed was not checked
for (const button of form.querySelectorAll('button')) button.disabled = false;
if (fields.some(field => field.value !== field.defaultValue)) check();
if (!fields.includes(document.activeElement as HTMLInputElement)) fields[0]?.focus();
