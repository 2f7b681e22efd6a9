/** The interface of the two bridges that run Python: `pyodideBridge.ts` and `cpythonBridge.ts`. */
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
  /** Told of each file that the script looks at or reads, in the bundled interpreter; maybe several times. */
  onFile?(file: string): void;
  /** More runs will follow, in the same folder. The bundled interpreter is then kept for them, if it can be made as it was. */
  again?: boolean;
}

export interface Bridge {
  readonly paths: PathMap;
  /** Prepares the interpreter, before the job is known. */
  start(): Promise<void>;
  /** Runs the front end's `main()` once; ends when it does. @throws BridgeError when the interpreter cannot be started. */
  run(run: BridgeRun): Promise<void>;
}

/** The user's interpreter cannot be started, or ended early. The message tells the user what to correct. */
export class BridgeError extends Error {
  override name = 'BridgeError';
}
