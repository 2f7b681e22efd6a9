// Releases what was built: checks version, tag and changelog, packages, and publishes to the Marketplace and to Open VSX.
//   node scripts/release.mjs [--dry-run] [--tag v0.2.0] [--repository OWNER/NAME]
// An odd minor version is a pre-release, as VS Code's Marketplace has it. With --dry-run everything but publishing is done, and the commands
// are printed. Tokens are VSCE_PAT and OVSX_PAT; .github/workflows/release.yml sets them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makePackage } from './package.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const OVSX = 'ovsx@1.3.0';

export const isPreRelease = version => Number(version.split('.')[1]) % 2 === 1;

/** What keeps this version from being released, as sentences; none: nothing does. */
export function obstacles({ version, tag, changelog }) {
  const found = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) found.push(`the version ${version} is not three numbers, which the Marketplace asks for`);
  if (tag !== undefined && tag !== `v${version}`) found.push(`the tag ${tag} is not v${version}, the version of package.json`);
  const [, section] =
    changelog
      .split(/^## /m)
      .map(text => [text.split('\n')[0].trim(), text])
      .find(([name]) => name === version) ?? [];
  if (!section) found.push(`CHANGELOG.md has no section ${version}`);
  return found;
}

/** Commands that publish a package, with the variable that has the token of each. */
export function publishing({ file, version }) {
  const more = isPreRelease(version) ? ['--pre-release'] : [];
  return [
    { token: 'VSCE_PAT', command: ['vsce', 'publish', '--packagePath', file, ...more] },
    { token: 'OVSX_PAT', command: ['--yes', OVSX, 'publish', file, ...more] },
  ];
}

async function release() {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, tag: { type: 'string' }, repository: { type: 'string' } } });
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const changelog = fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const found = obstacles({ version, tag: values.tag, changelog });
  if (found.length > 0) throw new Error(found.join('\n'));
  const { out, sizeBytes } = await makePackage(undefined, {
    preRelease: isPreRelease(version),
    repository: values.repository,
    tag: values.tag,
  });
  console.log(
    `${path.relative(process.cwd(), out)}: ${(sizeBytes / 1e6).toFixed(2)} MB, ${isPreRelease(version) ? 'a pre-release' : 'a release'}`,
  );
  for (const { token, command } of publishing({ file: out, version })) {
    const shown = `npx ${command.join(' ')}`;
    if (values['dry-run']) console.log(`not run: ${shown}`);
    else if (!process.env[token]) console.log(`left out, ${token} is not set: ${shown}`);
    else if (spawnSync('npx', command, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status !== 0)
      throw new Error(`failed: ${shown}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await release();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
