/**
 * Converts host paths to paths of the bundled interpreter and back: on POSIX unchanged; on Windows `C:\a\b` is `/c/a/b`.
 * Pure functions; the platform is an argument so that both are tested everywhere.
 */

export interface PathMap {
  toPython(hostPath: string): string;
  toHost(pythonPath: string): string;
}

const SAME: PathMap = { toPython: p => p, toHost: p => p };

const WINDOWS: PathMap = {
  toPython(hostPath) {
    const slashed = hostPath.replace(/^\\\\\?\\/, '').replaceAll('\\', '/');
    const drive = /^([A-Za-z]):(?:\/|$)(.*)$/s.exec(slashed);
    return drive ? `/${drive[1].toLowerCase()}/${drive[2]}`.replace(/(?<=.)\/$/, '') : slashed;
  },
  toHost(pythonPath) {
    const drive = /^\/([a-z])(?:\/(.*))?$/s.exec(pythonPath);
    if (drive) return `${drive[1].toUpperCase()}:\\${(drive[2] ?? '').replaceAll('/', '\\')}`;
    // a network share: `//server/share/x`
    return pythonPath.startsWith('//') ? pythonPath.replaceAll('/', '\\') : pythonPath;
  },
};

/** For the bundled interpreter on `platform` (`process.platform`). The user's own interpreter needs no map. */
export function bundledPaths(platform: string): PathMap {
  return platform === 'win32' ? WINDOWS : SAME;
}

export const ownPaths = SAME;
