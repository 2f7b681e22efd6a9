/**
 * Runs captures for the extension and the command line. Kernels in the bundled interpreter run in a process of their own (`sandbox/`), one for
 * each workspace folder; the user's own interpreter has the user's rights and is started by a thread of this process.
 *
 * This process itself reads the request's inputs and writes the profiles that scripts save.
 */
import fs from 'node:fs/promises';
import path from 'node:path';
import { type CaptureListener, type CaptureRequest, type CaptureResult, type KernelCall, limitsOf, withoutRuns } from '../session/capture';
import { SaveError } from '../session/hostSession';
import type { ProfileSave } from '../session/sessionContext';
import { stopError } from '../session/stopError';
import { CaptureThreads } from './captureThreads';
import { type Inspection, NoValues } from './inspection';
import type { CaptureTask } from './messages';
import { checkRequest } from './request';
import { SandboxProcess } from './sandbox/sandboxProcess';
import { saveProfileAt } from './savedProfiles';

/** Processes that are kept for the folders that were used last: each has an interpreter in memory. */
const MOST_PROCESSES = 2;
/** Bytes that one capture can write to the disk. */
const MOST_SAVED_BYTES = 2 ** 30;

export interface ClientOptions {
  /** Host path of the build. */
  dist: string;
  /** Start the next interpreter after each capture: for a host that will run more (default). */
  keepSpare?: boolean;
  /** Its captures are many variants, one after another, for which starting an interpreter each would take most of the time. */
  again?: boolean;
  /** Called when a process for kernels has started, with the mechanisms that confine it. */
  onSandbox?(confinedBy: readonly string[]): void;
}

export class SimulatorClient {
  /** Processes by folder, in the order of their last use. */
  private readonly sandboxes = new Map<string, SandboxProcess>();
  private readonly own: CaptureThreads;
  private readonly savedBytes = new WeakMap<CaptureTask, number>();
  private disposed = false;

  constructor(private readonly options: ClientOptions) {
    this.own = new CaptureThreads({ dist: options.dist, keepSpare: false, saveProfile: (...save) => this.saveProfile(...save) });
  }

  /** Starts the next interpreter for kernels of this folder, so that a capture finds it ready. Cheap to call again. */
  warm(root: string) {
    if (!this.disposed) this.sandboxFor(root).warm();
  }

  /**
   * Runs the request's file. What is wrong with the user's code or request is in the result's `error`.
   * @throws SimulatorFault for our own faults.
   */
  async capture(request: CaptureRequest, listener: CaptureListener = {}, signal?: AbortSignal): Promise<CaptureResult> {
    const task = await this.task(request, signal);
    if ('kind' in task) return withoutRuns(task);
    const tellsReturns = listener.onReturn !== undefined;
    return this.runnerFor(request).capture({ ...task, tellsReturns }, listener, signal);
  }

  /**
   * Runs the request's file again and keeps one of its kernel calls to be looked into.
   * @throws NoValues with what went wrong in the user's code or request. @throws SimulatorFault
   */
  async inspect(request: CaptureRequest, call: KernelCall, listener: CaptureListener = {}, signal?: AbortSignal): Promise<Inspection> {
    const task = await this.task(request, signal);
    if ('kind' in task) throw new NoValues(task.message);
    return this.runnerFor(request).inspect(task, call, listener, signal);
  }

  dispose() {
    this.disposed = true;
    for (const sandbox of this.sandboxes.values()) sandbox.dispose();
    this.own.dispose();
  }

  /** The task, or an error that the user can correct. */
  private async task(request: CaptureRequest, signal: AbortSignal | undefined) {
    if (this.disposed) throw new Error('the simulator was disposed');
    const askedAt = Date.now();
    const refused = signal?.aborted ? stopError('cancelled', limitsOf(request), request.file) : checkRequest(request);
    if (refused) return refused;
    // started before the inputs are read
    if (!request.python) this.sandboxFor(request.root);
    const named = [request.inputs ?? {}, ...(request.rankInputs ?? [])].flatMap(each => Object.values(each));
    const files = new Set([...named, ...(request.references ?? [])]);
    const inputs = new Map(await Promise.all([...files].map(async file => [file, await fs.readFile(file)] as const)));
    return {
      request: { ...request, cwd: workingFolder(request), overlay: insideRoot(request), ...importPathsOf(request) },
      inputs,
      env: environmentFor(request),
      askedAt,
      again: this.options.again,
    } satisfies CaptureTask;
  }

  private runnerFor({ python, root }: CaptureRequest): SandboxProcess | CaptureThreads {
    return python ? this.own : this.sandboxFor(root);
  }

  private sandboxFor(root: string): SandboxProcess {
    const known = this.sandboxes.get(root);
    const { dist, onSandbox, keepSpare = true } = this.options;
    const sandbox = known?.isUsable
      ? known
      : new SandboxProcess({ dist, root, keepSpare, saveProfile: (...save) => this.saveProfile(...save), onStart: onSandbox });
    this.sandboxes.delete(root);
    this.sandboxes.set(root, sandbox);
    for (const [folder, old] of this.sandboxes) {
      if (this.sandboxes.size <= MOST_PROCESSES) break;
      if (old === sandbox || !old.isIdle) continue;
      old.dispose();
      this.sandboxes.delete(folder);
    }
    return sandbox;
  }

  private async saveProfile(task: CaptureTask, place: ProfileSave, nkiprof: Uint8Array): Promise<string> {
    const bytes = (this.savedBytes.get(task) ?? 0) + nkiprof.length;
    if (bytes > MOST_SAVED_BYTES) throw new SaveError(`the script saves more than ${MOST_SAVED_BYTES / 2 ** 20} MB of profiles`);
    this.savedBytes.set(task, bytes);
    const { file, python, profileFolders = [] } = task.request;
    // the user's own interpreter has the user's rights anyway
    return saveProfileAt(place, { beside: path.dirname(file), folders: python ? 'all' : profileFolders }, nkiprof);
  }
}

/** The request's import paths and those of PYTHONPATH. The user's own interpreter reads PYTHONPATH itself. */
function importPathsOf({ importPaths = [], python }: CaptureRequest): Pick<CaptureRequest, 'importPaths'> {
  const named = python ? [] : (process.env.PYTHONPATH ?? '').split(path.delimiter).filter(Boolean);
  const all = [...new Set([...named.map(folder => path.resolve(folder)), ...importPaths])];
  return all.length > 0 ? { importPaths: all } : {};
}

/** Unsaved texts that the kernel can read: those in its folder, and that of its own file. */
function insideRoot({ file, root, overlay = {} }: CaptureRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(overlay).filter(([name]) => name === file || isInside(root, name)));
}

/** The bundled interpreter has no other folders. */
const workingFolder = ({ cwd, root, python }: CaptureRequest) => (cwd !== undefined && (python || isInside(root, cwd)) ? cwd : undefined);

function isInside(root: string, place: string): boolean {
  const relative = path.relative(root, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** What AWS's tools look at, and so the bundled interpreter: the target, the physical cores of a kernel, flags and front end of the compiler. */
const AWS_VARIABLES = ['NEURON_PLATFORM_TARGET_OVERRIDE', 'NEURON_LOGICAL_NC_CONFIG', 'NEURON_CC_FLAGS', 'NKI_COMPILER_FRONTEND'];

/** The whole environment for the user's own interpreter; only the variables above for the bundled one. */
function environmentFor({ python }: CaptureRequest): Record<string, string> {
  const given = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(python ? given : given.filter(([name, value]) => AWS_VARIABLES.includes(name) && value));
}
