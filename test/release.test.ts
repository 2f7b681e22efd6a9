/** What a release checks and runs, and that the workflow is a dry run by hand. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

declare const NKI_SCOPE_ROOT: string;

interface Publishing {
  token: string;
  command: string[];
}
interface Release {
  isPreRelease(version: string): boolean;
  obstacles(of: { version: string; tag?: string; changelog: string }): string[];
  publishing(of: { file: string; version: string }): Publishing[];
}

const read = (...names: string[]) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, ...names), 'utf8');

describe('a release', () => {
  let release: Release;
  const manifest = JSON.parse(read('package.json'));
  const changelog = read('CHANGELOG.md');

  before(async () => {
    release = await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts/release.mjs')).href);
  });

  it('of this version has no obstacle', () => {
    const { version } = manifest;
    assert.deepEqual(release.obstacles({ version, tag: `v${version}`, changelog }), []);
    assert.equal(JSON.parse(read('package-lock.json')).version, version);
  });

  it('needs a plain version, its tag, and what changed', () => {
    const found = release.obstacles({ version: '9.9.0-rc', tag: 'v9.8.0', changelog });
    assert.deepEqual(
      found.map(text => /three numbers|the tag v9\.8\.0|no section 9\.9\.0-rc/.test(text)),
      [true, true, true],
    );
  });

  it('tells of the newest version in a page that can be read', () => {
    const [, newest] = changelog.split(/^## /m);
    const lines = newest.trim().split('\n').length;
    assert.ok(lines > 5 && lines <= 90, `${lines} lines`);
    for (const [, link] of newest.matchAll(/\]\(([^)]+)\)/g)) assert.ok(fs.existsSync(path.join(NKI_SCOPE_ROOT, link)), link);
  });

  it('is packaged from a fresh clone by one command: nothing that has to be installed is imported before it is', () => {
    const met = new Set<string>();
    const follow = (name: string) => {
      if (met.has(name)) return;
      met.add(name);
      for (const [, from] of read('scripts', name).matchAll(/^(?:import|export) [^;]*?from '([^']+)'/gm)) {
        assert.ok(/^(node:|\.\/)/.test(from), `${name} imports ${from}`);
        if (from.startsWith('./')) follow(from.slice(2));
      }
    };
    follow('package.mjs');
    assert.match(read('scripts', 'package.mjs'), /ensureInstalled\(\);\n {2}buildAll\(\);/);
    assert.equal(manifest.scripts.package, 'node scripts/package.mjs');
  });

  it('of an odd minor version is a pre-release, in both registries', () => {
    assert.deepEqual(['0.2.0', '0.3.1', '1.0.0'].map(release.isPreRelease), [false, true, false]);
    const commands = (version: string) =>
      release.publishing({ file: 'a.vsix', version }).map(({ token, command }) => `${token}: ${command.join(' ')}`);
    assert.match(commands('0.2.0')[0], /^VSCE_PAT: vsce publish --packagePath a\.vsix$/);
    assert.match(commands('0.2.0')[1], /^OVSX_PAT: --yes ovsx@\d+\.\d+\.\d+ publish a\.vsix$/);
    assert.ok(commands('0.3.0').every(command => command.endsWith(' --pre-release')));
  });

  it('leads from README to the files of its tag, which stay as they are', async () => {
    const { addressesOf } = await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts/package.mjs')).href);
    assert.deepEqual(addressesOf('owner/name', 'v0.2.0'), {
      baseContentUrl: 'https://github.com/owner/name/blob/v0.2.0',
      baseImagesUrl: 'https://raw.githubusercontent.com/owner/name/v0.2.0',
    });
    for (const [, picture] of read('README.md').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g))
      assert.ok(/\.png$/.test(picture) && fs.existsSync(path.join(NKI_SCOPE_ROOT, picture)), picture);
    assert.match(read('scripts', 'release.mjs'), /tag: values\.tag/);
  });

  it('by hand is a dry run unless told otherwise, and has the tokens that it asks for', () => {
    const workflow = read('.github', 'workflows', 'release.yml');
    assert.match(workflow, /dry-run:\n(?: {8}.*\n)*? {8}default: true\n/);
    assert.match(workflow, /node scripts\/release\.mjs\n[\s\S]*inputs\.dry-run && '--dry-run'/);
    for (const { token } of release.publishing({ file: 'a.vsix', version: '0.2.0' }))
      assert.ok(workflow.includes(`secrets.${token}`), token);
  });

  it('is free, takes questions, and shows an icon and a banner', () => {
    assert.deepEqual([manifest.pricing, manifest.qna, manifest.galleryBanner.theme], ['Free', 'marketplace', 'dark']);
    assert.ok(fs.existsSync(path.join(NKI_SCOPE_ROOT, manifest.icon)));
    assert.ok(manifest.keywords.length <= 30, 'the Marketplace takes 30 keywords');
  });
});
