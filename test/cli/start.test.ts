/** What `npm start` runs, with a terminal and without. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

declare const NKI_SCOPE_ROOT: string;

interface Where {
  root: string;
  cwd: string;
  hasTerminal: boolean;
}
type StartSteps = (args: string[], where: Where) => { commands: { args: string[] }[]; last: string | null };

describe('npm start', () => {
  let startSteps: StartSteps;
  const where = { root: path.resolve('/clone'), cwd: path.resolve('/clone'), hasTerminal: true };
  const run = (args: string[], more: Partial<Where> = {}) => {
    const { commands, last } = startSteps(args, { ...where, ...more });
    return { commands: commands.map(command => command.args.map(arg => path.basename(arg)).join(' ')), last };
  };

  before(async () => {
    ({ startSteps } = await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts/startSteps.mjs')).href));
  });

  const MADE = [
    'capture exp_any_shape.py -s exp_any_shape.nkiprof',
    'view -s exp_any_shape.nkiprof --output-format html --output-file exp_any_shape.html',
  ];

  it('serves the viewer from a terminal', () => {
    assert.deepEqual(run([]), { commands: [...MADE, 'view -s exp_any_shape.nkiprof'], last: null });
  });

  it('ends by itself without one, and says what it would serve', () => {
    const { commands, last } = run([], { hasTerminal: false });
    assert.deepEqual(commands, MADE);
    assert.match(last!, /view -s out.exp_any_shape\.nkiprof/);
    assert.deepEqual(run(['--no-serve']).commands, MADE);
  });

  it('takes the file from where it is started', () => {
    const { commands } = startSteps(['kernel.py'], { ...where, cwd: path.resolve('/kernels') });
    assert.equal(commands[0].args[1], path.resolve('/kernels/kernel.py'));
  });
});
