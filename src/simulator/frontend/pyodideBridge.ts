/**
 * Runs the front end in the bundled interpreter. One run per interpreter, or several where the caller asks for it: then each finds the
 * interpreter as the first one did (`restingState.ts`).
 */
import type { Bridge, BridgeRun } from './bridge';
import { BridgeError } from './bridge';
import { crashSentence } from './crash';
import { createDevice, DEVICE_PATH } from './device';
import { type Interpreter, runPython, startInterpreter } from './interpreter';
import { imageOf, type MemoryImage } from './memoryImage';
import { limitedOutput } from './outputLimit';
import { bundledPaths } from './paths';
import { mountReadOnly } from './readOnlyFs';
import { RestingState } from './restingState';

/** Folders of the interpreter itself: a mount over one of them would hide its own files. */
const OWN_FOLDERS = ['/', '/lib', '/dev', '/proc', '/nki-scope'];

/** Defines no name in `__main__`, because that module belongs to the script. */
const MAIN = '__import__("nki._record.launch.run", fromlist=["main"]).main()';

export class PyodideBridge implements Bridge {
  readonly paths = bundledPaths(process.platform);
  private interpreter: Interpreter | null = null;
  private running: Interpreter | null = null;
  private resting: RestingState | null = null;

  constructor(private readonly dist: string) {}

  async start() {
    this.interpreter = await startInterpreter(this.dist);
  }

  /** Its memory, while Python waits for an answer of `handle`. */
  image(): MemoryImage | null {
    return this.running && imageOf(this.running);
  }

  /** Whether another run can follow. */
  get isReady(): boolean {
    return this.interpreter !== null;
  }

  async run({ root, cwd = root, overlay, handle, interrupt, onOutput, onFile, again }: BridgeRun) {
    const interpreter = this.interpreter;
    if (!interpreter) throw new Error('the interpreter was not started, or has run already');
    this.interpreter = null;
    this.running = interpreter;
    const mountPoint = this.paths.toPython(root);
    if (OWN_FOLDERS.includes(mountPoint)) throw new BridgeError(`${root} cannot be given to a kernel to read: open a folder below it`);
    interpreter.FS.mkdirTree(mountPoint);
    this.resting?.restore();
    if (again) this.resting ??= new RestingState(interpreter);
    const isBroken = furnish(interpreter, {
      mountPoint,
      cwd: this.paths.toPython(cwd),
      root,
      overlay,
      handle,
      interrupt,
      onOutput,
      onFile,
    });
    try {
      runPython(interpreter, MAIN);
    } catch (error) {
      const sentence = crashSentence(error);
      throw sentence === null ? error : new BridgeError(sentence);
    }
    if (isBroken()) throw new BridgeError('the script wrote to /dev/nki, which is the simulator’s own');
    if (this.resting?.clear({ mounts: [mountPoint], devices: [DEVICE_PATH] })) this.interpreter = interpreter;
  }
}

interface Furniture extends Omit<BridgeRun, 'again'> {
  mountPoint: string;
  cwd: string;
}

/** Gives an interpreter what a run needs. @returns whether its messages are broken */
export function furnish(interpreter: Interpreter, { mountPoint, root, cwd, overlay, handle, interrupt, onOutput, onFile }: Furniture) {
  mountReadOnly(interpreter.FS, { folder: root, overlay, onFile }, mountPoint);
  interpreter.FS.chdir(cwd);
  const isBroken = createDevice(interpreter.FS, handle);
  const limited = limitedOutput(onOutput);
  interpreter.setStdout(textWriter(text => limited(text, 'stdout')));
  interpreter.setStderr(textWriter(text => limited(text, 'stderr')));
  interpreter.setInterruptBuffer(interrupt.bytes);
  return isBroken;
}

/** Bytes come in any pieces; characters go out whole. */
function textWriter(emit: (text: string) => void) {
  const decoder = new TextDecoder();
  return {
    write(bytes: Uint8Array) {
      const text = decoder.decode(bytes, { stream: true });
      if (text) emit(text);
      return bytes.length;
    },
  };
}
