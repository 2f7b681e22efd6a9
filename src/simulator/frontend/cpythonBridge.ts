/**
 * Runs the front end in the user's own interpreter: a child process with two more pipes for the wire. It is not fenced: it is the user's
 * Python with the user's rights, chosen by the user's setting, and never in an untrusted workspace. Processes that the script leaves
 * running end with it (`processTree.ts`), and all of them end with this process (`lifeline.ts`).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { type Bridge, BridgeError, type BridgeRun } from './bridge';
import type { Handler } from './device';
import { holdLifeline } from './lifeline';
import { ownPaths } from './paths';
import { endTree, LEADS_GROUP } from './processTree';
import { encodeMessage, MessageReader } from './wire';

/** Descriptors in the child. */
const READ_FD = 3;
const WRITE_FD = 4;
/** The working folder is not on the path until the front end adds it, because a `nki.py` there would hide our package. */
const MAIN = 'import sys; sys.path[:] = [p for p in sys.path if p]; from nki._record.launch.run import main; main()';
const KEPT_STDERR = 4000;
/** Time to read the rest of the pipes of an interpreter that has ended. */
const QUIET_MS = 500;

export interface CpythonOptions {
  dist: string;
  /** The interpreter: a path, or a name on PATH. */
  python: string;
  /** `inherit`: the child reads this process' standard input. */
  stdin: 'inherit' | 'ignore';
  /** Environment of the child. */
  env: Record<string, string>;
  /** Reports the process, so that the thread's owner can end it after this thread is gone. */
  onStart(pid: number): void;
}

export class CpythonBridge implements Bridge {
  readonly paths = ownPaths;

  constructor(private readonly options: CpythonOptions) {}

  async start() {}

  async run({ root, cwd = root, handle, onOutput }: BridgeRun) {
    const child = this.spawn(cwd);
    if (child.pid !== undefined) this.endTogether(child, child.pid);
    let lastErrors = '';
    const [, stdout, stderr, toChild, fromChild] = child.stdio as [null, Readable, Readable, Duplex, Duplex];
    stdout.setEncoding('utf8').on('data', (text: string) => onOutput(text, 'stdout'));
    stderr.setEncoding('utf8').on('data', (text: string) => {
      lastErrors = (lastErrors + text).slice(-KEPT_STDERR);
      onOutput(text, 'stderr');
    });
    const served = serve(handle, fromChild, toChild);
    const ended = exitOf(child, this.options.python);
    const said = await Promise.race([served, ended.then(() => served)]);
    if (!said) child.kill('SIGKILL');
    const status = await ended;
    if (!said || status !== 0) this.explain(status, lastErrors);
  }

  private endTogether(child: ChildProcess, pid: number) {
    const { python, env, onStart } = this.options;
    onStart(pid);
    const release = holdLifeline(python, pid, env);
    child.once('exit', () => {
      endTree(pid);
      release();
      closeWhenQuiet(child);
    });
  }

  private spawn(cwd: string): ChildProcess {
    const { dist, python, env, stdin } = this.options;
    const pythonPath = [path.join(dist, 'python'), env.PYTHONPATH].filter(Boolean).join(path.delimiter);
    const wire = { NKI_SCOPE_HOST_READ_FD: String(READ_FD), NKI_SCOPE_HOST_WRITE_FD: String(WRITE_FD) };
    return spawn(python, ['-u', '-c', MAIN], {
      cwd,
      env: { ...env, PYTHONPATH: pythonPath, PYTHONIOENCODING: 'utf-8', ...wire },
      stdio: [stdin, 'pipe', 'pipe', 'pipe', 'pipe'],
      ...LEADS_GROUP,
    });
  }

  private explain(status: number | string, errors: string): never {
    throw new BridgeError(`${this.options.python} ended early (${status})${errors ? `:\n${errors.trim()}` : ''}`);
  }
}

/** Answers until the child closes its end. False: it broke the framing. */
function serve(handle: Handler, from: Duplex, to: Duplex): Promise<boolean> {
  const reader = new MessageReader();
  to.on('error', () => {}); // the child ended while we answered; its exit event reports it
  return new Promise(resolve => {
    from.on('data', (piece: Buffer) => {
      try {
        for (const message of reader.push(piece)) {
          const { header, payload } = handle(message);
          for (const part of encodeMessage(header, payload)) if (part.length > 0) to.write(part);
        }
      } catch {
        resolve(false);
      }
    });
    from.on('error', () => resolve(false));
    from.on('close', () => resolve(true));
  });
}

/** A process that left the group can keep the pipes of an ended interpreter open. They are closed when no more data comes. */
function closeWhenQuiet(child: ChildProcess) {
  const pipes = child.stdio.slice(1) as Readable[];
  const timer = setTimeout(() => {
    for (const pipe of pipes) pipe.destroy();
  }, QUIET_MS);
  for (const pipe of pipes) pipe.on('data', () => timer.refresh());
  child.once('close', () => clearTimeout(timer));
}

/** Exit code or signal name. @throws BridgeError when it cannot be started */
function exitOf(child: ChildProcess, python: string): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.on('error', error => reject(new BridgeError(`cannot start the Python interpreter ${python}: ${error.message}`)));
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
}
