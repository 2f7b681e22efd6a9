/** What tests of whole programs start: the built command line, and the user's own interpreter where there is one. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

/** The folder under test: `dist/` unless NKI_SCOPE_DIST names another. */
export const DIST = process.env.NKI_SCOPE_DIST ?? path.join(NKI_SCOPE_ROOT, 'dist');
export const CLI = path.join(DIST, 'cli.js');

/** A Python 3.9 or later that has these modules: that of the path, or the system's, whose packages Debian brings. */
export function pythonWith(...modules: string[]): string | undefined {
  const probe = probeOf(modules);
  return ['python3', '/usr/bin/python3'].find(python => spawnSync(python, ['-c', probe]).status === 0);
}

/** `it` where `python3` is 3.9 or later and has these modules; elsewhere the test is listed as pending, and counted. */
export function itWithPython(...modules: string[]): typeof it | typeof it.skip {
  return spawnSync('python3', ['-c', probeOf(modules)]).status === 0 ? it : it.skip;
}

const probeOf = (modules: readonly string[]) => `import ${['sys', ...modules].join(', ')}; sys.exit(sys.version_info < (3, 9))`;
