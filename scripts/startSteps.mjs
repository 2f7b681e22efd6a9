// What `npm start` does after the build, as a list of commands: profile the file, write a report, and serve the viewer where there is a
// terminal from which it can be ended.
import path from 'node:path';

const EXAMPLE = 'examples/neuronxcc/exp_any_shape.py';

/**
 * @param {string[]} args of the command line
 * @param {{ root: string, cwd: string, hasTerminal: boolean }} where
 * @returns {{ commands: { args: string[], what: string }[], last: string | null }} `last`: to print when nothing is served
 */
export function startSteps(args, { root, cwd, hasTerminal }) {
  const file = path.resolve(cwd, args.find(arg => !arg.startsWith('-')) ?? path.join(root, EXAMPLE));
  const place = path.join(root, 'out', path.basename(file, '.py'));
  const [profile, report] = [`${place}.nkiprof`, `${place}.html`];
  const commands = [
    { args: ['capture', file, '-s', profile], what: 'The capture' },
    { args: ['view', '-s', profile, '--output-format', 'html', '--output-file', report], what: 'The report' },
  ];
  const serves = hasTerminal && !args.includes('--no-serve');
  if (serves) commands.push({ args: ['view', '-s', profile], what: 'The viewer' });
  const asked = `node dist/cli.js view -s ${path.relative(cwd, profile)}`;
  return { commands, last: serves ? null : `Not served here. To look at it in a browser: ${asked}, or open ${path.relative(cwd, report)}` };
}
