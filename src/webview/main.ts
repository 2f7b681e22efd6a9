/** Entry of the webview bundle: chooses the host, starts the app. */
import 'uplot/dist/uPlot.min.css';
import './styles/theme.css';
import './styles/layout.css';
import './styles/panels.css';
import './styles/drawer.css';
import './styles/stack.css';
import './styles/tables.css';
import './styles/charts.css';
import './styles/values.css';
import './styles/advice.css';
import './styles/floating.css';
import './styles/forcedColours.css';
import { App } from './app';
import { browserHost } from './hosts/browser';
import { vscodeHost } from './hosts/vscode';

const root = document.getElementById('nki-scope') ?? document.body;
const vscode = vscodeHost();
const browser = vscode ? null : browserHost(root);
const app = new App(root, vscode ?? browser!, {
  keep: view => vscode?.keep(view),
  drawn: ({ profile, analysis }) => browser?.show(profile, analysis.lines()),
});
void app.start();
