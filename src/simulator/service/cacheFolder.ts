/** The user's folder for what can be made again, or done without. */
import os from 'node:os';
import path from 'node:path';

export function cacheFolder(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  const home = os.homedir();
  const caches =
    env.XDG_CACHE_HOME ||
    (platform === 'win32' && env.LOCALAPPDATA) ||
    path.join(home, platform === 'darwin' ? 'Library/Caches' : '.cache');
  return path.join(caches, 'nki-scope');
}
