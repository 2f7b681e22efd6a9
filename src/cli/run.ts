/** `run`: a script as it is, with NKI on the simulator. Prints what the script prints and writes no profile of its own. */
import path from 'node:path';
import { SimulatorClient } from '../simulator/index';
import { NKI_VERSION_HELP, nkiVersionOf, pythonFile, pythonPath } from './captureRequest';
import { sayIfOpen } from './confinement';
import type { CliCommand } from './context';
import { EXIT } from './errors';
import { checkTexts, errorText } from './messages';
import { type OptionTable, readOptions } from './options';
import { cwdOf, ROOT_HELP, rootOf } from './rootOption';

const OPTIONS: OptionTable = { python: { type: 'string' }, root: { type: 'string' }, 'nki-version': { type: 'string' } };

export const run: CliCommand = {
  summary: 'run a Python script with NKI on the simulator',
  help: `nki-scope run [--python PATH] [--root DIR] [--nki-version V] SCRIPT.py [script arguments]

  --python PATH             run in this interpreter instead of the bundled one
${ROOT_HELP}
${NKI_VERSION_HELP}

  nki-scope run check_softmax.py --rows 512
  nki-scope run --python .venv/bin/python check_softmax.py
`,
  async run(argv, { terminal, dist, signal }) {
    const { own, script, rest } = splitAtScript(argv);
    const { values } = readOptions('run', own, OPTIONS);
    const file = pythonFile(script === undefined ? [] : [script]);
    const client = new SimulatorClient({ dist, keepSpare: false, onSandbox: sayIfOpen(terminal.log) });
    try {
      const onOutput = (output: string, stream: 'stdout' | 'stderr') => (stream === 'stdout' ? terminal.out(output) : terminal.err(output));
      const root = rootOf(values, file);
      const request = {
        file,
        root,
        cwd: cwdOf(root),
        nkiVersion: nkiVersionOf(values, file, root),
        argv: rest,
        python: pythonPath(values),
        stdin: 'inherit' as const,
        target: process.env.NEURON_PLATFORM_TARGET_OVERRIDE || undefined,
      };
      const { error, runs } = await client.capture(request, { onOutput }, signal);
      const checks = runs.flatMap(run => run.checks);
      for (const line of checkTexts(checks)) terminal.log(line);
      // A script that calls no kernel is a script all the same.
      const calledNone = error?.kind === 'NoKernel' || error?.kind === 'NoInputs';
      if (error && !calledNone) terminal.log(errorText(error));
      return (error && !calledNone) || checks.some(check => check.severity === 'error') ? EXIT.failed : EXIT.done;
    } finally {
      client.dispose();
    }
  },
};

/** Our options end at the script: what follows is the script's, dashes and all. */
export function splitAtScript(argv: string[]): { own: string[]; script?: string; rest: string[] } {
  for (let i = 0; i < argv.length; i++) {
    if (Object.keys(OPTIONS).some(name => argv[i] === `--${name}`)) i++;
    else if (argv[i] === '--') return { own: argv.slice(0, i), script: argv[i + 1], rest: argv.slice(i + 2) };
    else if (!argv[i].startsWith('-')) return { own: argv.slice(0, i), script: argv[i], rest: argv.slice(i + 1) };
  }
  return { own: argv, rest: [] };
}

/** `python-path`: where the `nki` package is, for the user's own interpreter. */
export const pythonPathCommand: CliCommand = {
  summary: 'print the folder to put on PYTHONPATH',
  help: `nki-scope python-path

  PYTHONPATH=$(nki-scope python-path) pytest     runs anyone's NKI tests on the simulator
`,
  async run(argv, { terminal, dist }) {
    readOptions('python-path', argv, {});
    terminal.out(`${path.join(dist, 'python')}\n`);
    return EXIT.done;
  },
};
