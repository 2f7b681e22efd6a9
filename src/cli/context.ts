/** The context of every command: terminal, folder of the bundles, signal of Ctrl-C. Made once, in `main.ts`. */
import type { Terminal } from './terminal';

export interface CliContext {
  terminal: Terminal;
  /** Folder of the bundles: cli.js, worker.mjs, python/, pyodide/, webview/. */
  dist: string;
  /** Aborts at the first Ctrl-C. */
  signal: AbortSignal;
}

export interface CliCommand {
  /** After the command's name, in the list of commands. */
  summary: string;
  help: string;
  /** @returns the exit code. @throws UsageError, InputError */
  run(argv: string[], context: CliContext): Promise<number>;
}
