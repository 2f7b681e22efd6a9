/** Starts `runner.ts` as a process of its own, under a deadline and a bound of memory, and gives what came of the probes. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';
import { testDist } from '../../support/dist';
import type { Arena } from './arena';
import type { Outcome, Task } from './runner';

declare const NKI_SCOPE_ROOT: string;

export interface Bounds {
  deadlineMs: number;
  /** Of the process and all below it, where /proc tells; above it the process is ended. */
  mostBytes?: number;
}

export interface Ran {
  outcomes: Outcome[];
  /** Why the process was ended or failed; null for one that ended by itself. */
  ended: string | null;
  /** What it wrote on its own standard output and error. */
  own: string;
  peakBytes: number;
}

const WATCH_EVERY_MS = 50;

export async function runTasks(arena: Arena, tasks: Task[], { deadlineMs, mostBytes = Number.POSITIVE_INFINITY }: Bounds): Promise<Ran> {
  const dist = await testDist();
  const [runner, tasksFile, outcomesFile] = [path.join(dist, 'escapeRunner.mjs'), `${arena.base}.tasks`, `${arena.base}.outcomes`];
  await bundle(runner);
  fs.writeFileSync(tasksFile, JSON.stringify(tasks));
  const child = spawn(process.execPath, [runner, tasksFile, outcomesFile, dist, arena.canaries.arg], {
    cwd: arena.path('cwd'),
    env: { PATH: process.env.PATH, HOME: arena.path('home'), TMPDIR: arena.path('tmp'), NKI_CANARY: arena.canaries.env },
    // a group of its own, so that what it started can be ended with it
    detached: true,
  });
  child.stdin.write(arena.canaries.stdin.repeat(100));
  child.stdin.on('error', () => {});
  let own = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (own += piece.toString('latin1')));
  const { ended, peakBytes } = await watch(child, deadlineMs, mostBytes);
  const outcomes = fs.existsSync(outcomesFile) ? (JSON.parse(fs.readFileSync(outcomesFile, 'utf8')) as Outcome[]) : [];
  for (const file of [tasksFile, outcomesFile]) fs.rmSync(file, { force: true });
  return { outcomes, ended, own, peakBytes };
}

function bundle(outfile: string) {
  const entryPoints = ['test/security/escapes/runner.ts'];
  const node = { platform: 'node', format: 'esm', target: 'node20' } as const;
  return esbuild.build({ absWorkingDir: NKI_SCOPE_ROOT, entryPoints, outfile, bundle: true, ...node, logLevel: 'warning' });
}

async function watch(child: ChildProcess, deadlineMs: number, mostBytes: number) {
  let ended: string | null = null;
  let peakBytes = 0;
  const end = (why: string) => {
    ended ??= why;
    endGroup(child);
  };
  const deadline = setTimeout(() => end(`it ran longer than ${deadlineMs} ms`), deadlineMs);
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(child.pid!));
    if (peakBytes > mostBytes) end(`it took ${Math.round(peakBytes / 2 ** 20)} MB`);
  }, WATCH_EVERY_MS);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(resolve =>
    child.once('close', (...how) => resolve(how)),
  );
  clearTimeout(deadline);
  clearInterval(timer);
  endGroup(child);
  return { ended: ended ?? (code === 0 ? null : `exit code ${code}, signal ${signal}`), peakBytes };
}

function endGroup({ pid }: ChildProcess) {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // nobody is left of it
  }
}

/** Resident memory of a process and all below it; 0 where /proc does not tell. */
function residentBytes(pid: number): number {
  try {
    const pages = Number(fs.readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    const threads = fs.readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap(thread => fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean));
    return pages * 4096 + children.reduce((sum, child) => sum + residentBytes(Number(child)), 0);
  } catch {
    return 0;
  }
}
