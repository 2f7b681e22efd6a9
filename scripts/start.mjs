// npm start [-- FILE.py] [--no-serve]: from a fresh clone to a profile in the browser.
// Installs, builds, profiles the file (default: a bundled example), prints summary and hot lines, writes the profile and
// serves the viewer, at a URL whose token is printed with it, until Ctrl-C. With --no-serve it ends instead.
import path from 'node:path';
import { buildAll, ensureInstalled, ensureNode, root, run } from './install.mjs';

const EXAMPLE = 'examples/neuronxcc/exp_any_shape.py';

ensureNode();
ensureInstalled();
buildAll();

const args = process.argv.slice(2);
const serve = !args.includes('--no-serve');
const file = path.resolve(args.find(arg => !arg.startsWith('-')) ?? path.join(root, EXAMPLE));
const profile = path.join(root, 'out', `${path.basename(file, '.py')}.nkiprof`);
const cli = path.join(root, 'dist/cli.js');
run(process.execPath, [cli, 'capture', file, '-s', profile], 'The capture');
if (serve) run(process.execPath, [cli, 'view', '-s', profile], 'The viewer');
else console.log(`To look at it: node dist/cli.js view -s ${path.relative(process.cwd(), profile)}`);
