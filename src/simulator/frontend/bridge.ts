/** What the two ways to run Python have in common. Types only: `pyodideBridge.ts`, `cpythonBridge.ts`. */
import type { Handler } from './device';
import type { Interrupt } from './interrupt';
import type { PathMap } from './paths';

export interface BridgeRun {
  /** Host path of the folder the script may read. */
  root: string;
  /** Host path of the folder that it works in; absent: `root`. */
  cwd?: string;
  /** Host path -> text of unsaved files. */
  overlay: ReadonlyMap<string, string>;
  /** Answers the front end's requests. */
  handle: Handler;
  interrupt: Interrupt;
  onOutput(text: string, stream: 'stdout' | 'stderr'): void;
}

export interface Bridge {
  readonly paths: PathMap;
  /** Everything that can be done before it is known what to run. */
  start(): Promise<void>;
  /** Runs the front end's `main()` once; ends when it does. @throws BridgeError when the interpreter cannot be started. */
  run(run: BridgeRun): Promise<void>;
}

/** The user's interpreter cannot be run, or ended early: their business, said so that they can mend it. */
export class BridgeError extends Error {
  override name = 'BridgeError';
}
