/** `view` without arguments: what `capture` wrote last, in whatever folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { folderShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { recentProfiles, rememberProfiles } from '../../src/cli/recentProfiles';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { CLI, DIST } from '../support/built';
import { DOUBLE_KERNEL } from '../support/doubleKernel';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';

describe('recent profiles', () => {
  const folder = temporaryFolder();
  const before = process.env.XDG_CACHE_HOME;

  beforeEach(() => {
    fs.rmSync(folder.path('cache'), { recursive: true, force: true });
    process.env.XDG_CACHE_HOME = folder.path('cache');
  });
  after(() => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  });

  it('stand beside those of a folder, the newest first, while they are there', () => {
    const own = folder.write('here/own.nkiprof', encodeNkiprof(syntheticProfile(50)));
    const other = folder.write('there/other.nkiprof', encodeNkiprof(syntheticProfile(60)));
    fs.utimesSync(own, 1000, 1000);
    rememberProfiles([other, own]);
    const shelf = folderShelf(folder.path('here'), new Reading({ dist: DIST }), {}, recentProfiles);
    assert.deepEqual(
      shelf.list().map(({ name }) => name),
      [folder.path('there/other').split(path.sep).join('/'), 'own'],
    );
    fs.rmSync(other);
    assert.deepEqual(
      shelf.list().map(({ name }) => name),
      ['own'],
    );
  });

  it('are the last 50, each once; a list that is damaged is none', () => {
    const files = Array.from({ length: 60 }, (_, k) => folder.write(`many/${k}.nkiprof`, 'x'));
    for (const file of [...files, files[30]]) rememberProfiles([file]);
    assert.deepEqual(
      recentProfiles().map(({ file }) => file),
      [files[30], ...files.slice(10).reverse()].filter((file, k, all) => all.indexOf(file) === k),
    );
    folder.write('cache/nki-scope/recent.json', '{"not": "a list"');
    assert.deepEqual(recentProfiles(), []);
    rememberProfiles([files[0]]);
    assert.equal(recentProfiles().length, 1);
  });

  it('are remembered by capture, and a folder that cannot be written costs nothing', async () => {
    folder.write('project/double.py', `${DOUBLE_KERNEL}\ndouble(np.ones((128, 512), dtype=np.float32))\n`);
    const capture = () =>
      new Promise(resolve => {
        const env = { ...process.env, NEURON_PLATFORM_TARGET_OVERRIDE: '' };
        spawn(process.execPath, [CLI, 'capture', 'double.py'], { cwd: folder.path('project'), env, stdio: 'ignore' }).on('close', resolve);
      });
    assert.equal(await capture(), 0);
    assert.deepEqual(
      recentProfiles().map(({ file }) => file),
      [folder.path('project/double.nkiprof')],
    );
    process.env.XDG_CACHE_HOME = folder.write('no-folder', '');
    assert.equal(await capture(), 0);
    assert.deepEqual(recentProfiles(), []);
  });
});
