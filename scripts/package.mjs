// Makes the .vsix of what was built: third-party notices from the bundles' metafiles, then vsce. Prints its size; fails when it is
// larger than it may be.                    node scripts/package.mjs [--out FILE.vsix]: installs and builds first, as on a fresh clone
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAll, ensureInstalled, ensureNode } from './install.mjs';
import { thirdPartyNotices } from './notices.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const MAX_VSIX_BYTES = 15.5e6;
/** Bundles that ship; each has a metafile of its name. */
const SHIPPED = ['extension', 'threads', 'cli', 'mcpServer', 'webview', 'unpacking'];
const NOTICES = 'dist/ThirdPartyNotices.txt';
const REQUIRED = [
  'extension.js',
  'mcpServer.js',
  'worker.mjs',
  'sandbox.mjs',
  'helper.mjs',
  'recorder.mjs',
  'executor.mjs',
  'reader.mjs',
  'webview/main.js',
  'webview/main.css',
  'webview/inputs.js',
  'webview/sweep.js',
  'webview/unpacking.js',
  'pyodide/snapshot.bin',
  'python/nki/__init__.py',
];

/**
 * @param {string} [out] place of the .vsix
 * @param {{ preRelease?: boolean, repository?: string, tag?: string }} [more] `repository`: owner/name on GitHub, whose files README's links and
 * pictures are then; of this tag, so that they stay as they were released
 * @returns the .vsix and its size in bytes
 */
export async function makePackage(
  out = path.join(root, 'out', `${manifest().name}-${manifest().version}.vsix`),
  { preRelease = false, repository, tag } = {},
) {
  // a fresh clone has it only after `ensureInstalled`
  const { createVSIX } = await import('@vscode/vsce');
  const missing = REQUIRED.filter(name => !fs.existsSync(path.join(root, 'dist', name)));
  if (missing.length > 0) throw new Error(`not built: dist/${missing.join(', dist/')} (node esbuild.mjs makes them)`);
  fs.writeFileSync(path.join(root, NOTICES), thirdPartyNotices(SHIPPED.map(metafile), root));
  fs.mkdirSync(path.dirname(out), { recursive: true });
  // Everything is bundled: vsce need not look into node_modules.
  await createVSIX({
    cwd: root,
    packagePath: out,
    dependencies: false,
    allowMissingRepository: true,
    preRelease,
    // without an address there is nothing to rewrite them to; VS Code shows no pictures that are files
    rewriteRelativeLinks: repository !== undefined,
    ...(repository && addressesOf(repository, tag)),
    skipLicense: false,
  });
  const sizeBytes = fs.statSync(out).size;
  if (sizeBytes > MAX_VSIX_BYTES) throw new Error(`${out} has ${megabytes(sizeBytes)}, more than ${megabytes(MAX_VSIX_BYTES)}`);
  return { out, sizeBytes };
}

export const addressesOf = (repository, ref = 'HEAD') => ({
  baseContentUrl: `https://github.com/${repository}/blob/${ref}`,
  baseImagesUrl: `https://raw.githubusercontent.com/${repository}/${ref}`,
});

const manifest = () => JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const metafile = name => JSON.parse(fs.readFileSync(path.join(root, 'out/meta', `${name}.json`), 'utf8'));
const megabytes = bytes => `${(bytes / 1e6).toFixed(2)} MB`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureNode();
  ensureInstalled();
  buildAll();
  const at = process.argv.indexOf('--out');
  const { out, sizeBytes } = await makePackage(at < 0 ? undefined : path.resolve(process.argv[at + 1]));
  console.log(`${path.relative(process.cwd(), out)}  ${megabytes(sizeBytes)}`);
}
