/**
 * Runs Python in images of another interpreter's memory (`memoryImage.ts`), one after another: each finds that interpreter's script and
 * variables, and nothing of the image before.
 */
import type { BridgeRun } from './bridge';
import { type Interpreter, runPython, startInterpreter } from './interpreter';
import { becomeImage, type MemoryImage } from './memoryImage';
import { bundledPaths } from './paths';
import { furnish } from './pyodideBridge';
import { closeStreams } from './restingState';

export class ImageBridge {
  readonly paths = bundledPaths(process.platform);
  private interpreter: Interpreter | null = null;

  async start(dist: string) {
    this.interpreter = await startInterpreter(dist);
  }

  /** @param run of the interpreter whose images follow; its `handle` and `onOutput` are for them */
  furnish(run: Omit<BridgeRun, 'again' | 'onFile'>) {
    const interpreter = this.started;
    const mountPoint = this.paths.toPython(run.root);
    interpreter.FS.mkdirTree(mountPoint);
    furnish(interpreter, { ...run, mountPoint, cwd: this.paths.toPython(run.cwd ?? run.root) });
  }

  /** @returns false after an exception, which Python has printed */
  run(image: MemoryImage, code: string): boolean {
    const interpreter = this.started;
    becomeImage(interpreter, image);
    const isDone = runPython(interpreter, code);
    closeStreams(interpreter.FS);
    return isDone;
  }

  private get started(): Interpreter {
    if (!this.interpreter) throw new Error('the interpreter was not started');
    return this.interpreter;
  }
}
