/**
 * Third wall: how the process for kernels is started, and how the system confines it. Options of Node's permission model, and on Linux
 * bubblewrap around it where that is installed. Pure, except for the function that reads the disk, which the caller gives.
 *
 * Allowed: reading the build and the workspace folder, threads for this process' own code, and the pipe to the process that started it. The threads in
 * which kernels run may start no threads (`threadOptions`). Without a permission model (no known version of Node from 20 on) and without
 * bubblewrap the process is not confined: it only has an empty environment and a memory limit.
 */
import path from 'node:path';

export interface LaunchOptions {
  /** Host path of the build. */
  dist: string;
  /** The folder that kernels can read: its name, and its path without links. */
  root: string;
  realRoot: string;
  /** `process.execPath`, and whether it is Electron, which needs a variable to run as Node. */
  node: string;
  isElectron: boolean;
  platform: string;
  /** For the process itself. */
  argv: readonly string[];
  /** Whether that Node has an option. */
  knows(option: string): boolean;
  exists(file: string): boolean;
}

export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** The mechanisms that confine it, for a log. */
  confinedBy: ('bubblewrap' | 'Node permissions')[];
}

const ENTRY = 'sandbox.mjs';
const ALLOW_THREADS = '--allow-worker';
const PERMISSION = ['--permission', '--experimental-permission'];

const BUBBLEWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
/** Folders that Node itself links with and reads. They have no settings, accounts or files of users. */
const SYSTEM = ['/usr', '/lib', '/lib32', '/lib64', '/bin', '/sbin', '/nix/store', '/etc/ld.so.cache', '/etc/alternatives'];

/** Ways to start it, the best confined first. If one fails to start, the next is tried. */
export function launches(options: LaunchOptions): Launch[] {
  const { dist, node, isElectron } = options;
  const permissions = permissionOptions(options);
  const env: Record<string, string> = isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  const start = (flags: string[], confinedBy: Launch['confinedBy']): Launch => ({
    command: node,
    args: ['--no-warnings', ...flags, path.join(dist, ENTRY), ...options.argv],
    env,
    cwd: options.root,
    confinedBy,
  });
  const plain = [...(permissions.length > 0 ? [start(permissions, ['Node permissions'])] : []), start([], [])];
  const bubblewrap = options.platform === 'linux' ? BUBBLEWRAP.find(options.exists) : undefined;
  return bubblewrap ? [...plain.map(launch => wrapped(launch, bubblewrap, options)), ...plain] : plain;
}

/** Options for the threads in which kernels run, from those of their process: the same, but no threads. */
export const threadOptions = (execArgv: readonly string[]): string[] => execArgv.filter(option => option !== ALLOW_THREADS);

function permissionOptions({ dist, root, realRoot, platform, knows }: LaunchOptions): string[] {
  const option = PERMISSION.find(knows);
  if (!option) return [];
  const { sep } = platform === 'win32' ? path.win32 : path.posix;
  const folders = [...new Set([dist, root, realRoot])];
  // In Node 20 to 26, permission for a folder is lost if another allowed path starts with its path. Such a folder is given as a prefix.
  const allowed = (folder: string) => (folders.some(other => beginsOnly(other, folder, sep)) ? `${folder}*` : `${folder}${sep}*`);
  // Node 20 and 22 read a comma as a separator of paths. So the workspace is also the working folder.
  const patterns = new Set(folders.map(folder => (folder.includes(',') && folder !== dist ? `.${sep}*` : allowed(folder))));
  const isCovered = (pattern: string) => [...patterns].some(other => other !== pattern && pattern.startsWith(other.slice(0, -1)));
  const needed = [...patterns].filter(pattern => !isCovered(pattern));
  return [option, ...needed.map(pattern => `--allow-fs-read=${pattern}`), ALLOW_THREADS];
}

const beginsOnly = (longer: string, folder: string, sep: string) =>
  longer.startsWith(folder) && longer !== folder && longer[folder.length] !== sep;

function wrapped({ command, args, env, cwd, confinedBy }: Launch, bubblewrap: string, options: LaunchOptions): Launch {
  // Electron needs the files beside it
  const own = options.isElectron ? path.dirname(options.node) : options.node;
  const readable = [...SYSTEM.filter(options.exists), own, options.dist, options.root];
  const system = ['--unshare-all', '--die-with-parent', '--new-session', '--proc', '/proc', '--dev', '/dev'];
  const folders = readable.flatMap(file => ['--ro-bind', file, file]);
  return {
    command: bubblewrap,
    args: [...system, ...folders, '--chdir', cwd, command, ...args],
    env,
    cwd,
    confinedBy: ['bubblewrap', ...confinedBy],
  };
}
