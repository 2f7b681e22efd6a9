// npm start [-- FILE.py] [--no-serve]: from a fresh clone to a profile in the browser.
// Installs, builds, profiles the file (default: a bundled example), prints summary and hot lines, writes the profile and an HTML report and
// serves the viewer, at a URL whose token is printed with it, until Ctrl-C. With --no-serve, and without a terminal, it ends instead.
import path from 'node:path';
import { buildAll, ensureInstalled, ensureNode, root, run } from './install.mjs';
import { startSteps } from './startSteps.mjs';

ensureNode();
ensureInstalled();
buildAll();

const hasTerminal = Boolean(process.stdin.isTTY || process.stdout.isTTY);
const { commands, last } = startSteps(process.argv.slice(2), { root, cwd: process.cwd(), hasTerminal });
for (const { args, what } of commands) run(process.execPath, [path.join(root, 'dist/cli.js'), ...args], what);
if (last) console.log(last);
