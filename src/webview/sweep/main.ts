/** Entry of the page of a sweep: its rows come from the editor, which does what the page asks for. */
import '../styles/theme.css';
import '../styles/tables.css';
import './sweep.css';
import type { FromSweep, ToSweep } from '../protocol/sweep';
import { type KeptChoices, SweepPage } from './page';

interface Editor {
  postMessage(message: FromSweep): void;
  getState(): KeptChoices | undefined;
  setState(choices: KeptChoices): void;
}

const editor = globalThis.acquireVsCodeApi!() as unknown as Editor;
const page = new SweepPage(
  document.querySelector('main')!,
  message => editor.postMessage(message),
  editor.getState() ?? {},
  choices => editor.setState(choices),
);
window.addEventListener('message', ({ data }: MessageEvent<ToSweep>) => page.hear(data));
editor.postMessage({ kind: 'ready' });
