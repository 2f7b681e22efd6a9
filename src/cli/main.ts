/** The command line: finds the command, runs it, and turns how it ended into an exit code. Bundled as `dist/cli.js`. */
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { NoWorkspace } from '../simulator/index';
import { advise } from './advise';
import { capture } from './capture';
import { check } from './check';
import { compare } from './compare';
import type { CliCommand } from './context';
import { EXIT, faultReport, InputError, UsageError } from './errors';
import { fidelity } from './fidelity';
import { COMMANDS_INAPPLICABLE } from './inapplicable';
import { lines } from './lines';
import { mcp } from './mcp';
import { path as criticalPath } from './path';
import { replay } from './replay';
import { pythonPathCommand, run } from './run';
import { serveTools } from './serveTools';
import { sweep } from './sweep';
import { processTerminal } from './terminal';
import { tune } from './tune';
import { productVersion } from './version';
import { view } from './view';
import { whatif } from './whatif';

/** The bundles' folder: this file's own. */
const dist = path.resolve(__dirname);

const COMMANDS: Readonly<Record<string, CliCommand>> = {
  capture,
  run,
  'python-path': pythonPathCommand,
  lines,
  path: criticalPath,
  compare,
  view,
  advise,
  whatif,
  sweep,
  tune,
  replay,
  fidelity,
  check,
  serve: serveTools,
  mcp,
};

function usage(): string {
  const rows = Object.entries(COMMANDS).map(([name, command]) => `  ${name.padEnd(13)}${command.summary}`);
  return `NKI Scope ${productVersion(dist)}: NKI kernels on a simulated NeuronCore, and where their time goes.

nki-scope COMMAND [options]

${rows.join('\n')}

nki-scope COMMAND --help explains a command.
Exit codes: 0 done; 1 the kernel, a check or a file failed; 2 wrong usage; 3 a fault of NKI Scope.
`;
}

async function main(argv: string[]): Promise<number> {
  const terminal = processTerminal();
  try {
    const [name, ...rest] = argv;
    if (name === undefined) throw new UsageError('name a command');
    if (['--help', '-h', 'help'].includes(name)) {
      terminal.out(usage());
      return EXIT.done;
    }
    if (name === '--version') {
      terminal.out(`${productVersion(dist)}\n`);
      return EXIT.done;
    }
    if (Object.hasOwn(COMMANDS_INAPPLICABLE, name)) throw new UsageError(`${name} does not apply here: ${COMMANDS_INAPPLICABLE[name]}`);
    if (!Object.hasOwn(COMMANDS, name)) throw new UsageError(`no command ${name}; there are ${Object.keys(COMMANDS).join(', ')}`);
    if (asksForHelp(name, rest)) {
      terminal.out(COMMANDS[name].help);
      return EXIT.done;
    }
    return await COMMANDS[name].run(rest, { terminal, dist, signal: interrupts() });
  } catch (error) {
    if (error instanceof UsageError || error instanceof NoWorkspace) {
      terminal.log(`nki-scope: ${error.message}`);
      return EXIT.usage;
    }
    if (error instanceof InputError) {
      terminal.log(error.message);
      return EXIT.failed;
    }
    terminal.err(faultReport(error, productVersion(dist)));
    return EXIT.fault;
  }
}

/** Before `--`, and for `run` before the script: what follows is the script's. */
function asksForHelp(name: string, argv: string[]): boolean {
  const end = argv.findIndex(a => a === '--' || (name === 'run' && !a.startsWith('-')));
  return (end < 0 ? argv : argv.slice(0, end)).some(a => a === '--help' || a === '-h');
}

/** The first Ctrl-C, or a message where this is a worker of the editor's, asks the command to stop; the second Ctrl-C ends it. */
function interrupts(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  parentPort?.once('message', () => controller.abort()).unref();
  return controller.signal;
}

void main(process.argv.slice(2)).then(code => {
  process.exitCode = code;
});
