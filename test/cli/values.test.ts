/** Served profiles whose files are named to hold up or to misuse the one who opens them: the answer comes at once, and nothing runs. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { ShelvedProfile } from '../../src/cli/profileShelf';
import { valuesSource } from '../../src/cli/values';
import { encodeProfile, type Profile } from '../../src/simulator/index';
import { temporaryFolder } from '../support/temporary';
import { tinyProfile } from '../support/tinyProfile';

const SOURCE = 'import nki\n';

describe('values of strangers’ profiles', () => {
  const folder = temporaryFolder();

  /** Why there are none; of a profile of `kernel.py`, which is on the disk, and the file that is given. */
  async function obstacle(files: Profile['files']): Promise<string | null> {
    const file = folder.write('kernel.py', SOURCE);
    // without frames, so that it is whole without files, too
    const empty = tinyProfile({ events: [] });
    const allocations = Object.fromEntries(Object.entries(empty.allocations).map(([name, column]) => [name, column.slice(0, 0)]));
    const profile = {
      ...empty,
      allocations: allocations as unknown as Profile['allocations'],
      files,
      rerun: { request: { file, root: '/' }, call: 0 },
    };
    const shelved: ShelvedProfile = { id: 'n_1', name: 'a', file: 'a.nkiprof', format: 'nkiprof', sizeBytes: 1 };
    const values = valuesSource({ container: async () => encodeProfile(profile) }, folder.path('dist'));
    try {
      return await values.obstacle(shelved);
    } finally {
      values.close();
    }
  }
  const own = () => ({ path: folder.path('kernel.py'), text: SOURCE, sha256: '' });
  const refused = async (path: string, text = 'x') =>
    assert.match((await obstacle([own(), { path, text, sha256: '' }])) ?? '', /is not what/, path);

  it('are there for sources that lie on this disk', async () => assert.equal(await obstacle([own()]), null));

  it('are not there for a profile without the file that it would run', async () => {
    assert.match((await obstacle([])) ?? '', /kernel\.py is not what this profile was made of/);
  });

  it('do not wait for a pipe, and read no device and no huge file', async function () {
    if (process.platform === 'win32') return this.skip();
    const pipe = folder.path('pipe.py');
    execFileSync('mkfifo', [pipe]);
    fs.writeFileSync(folder.path('huge.py'), '');
    fs.truncateSync(folder.path('huge.py'), 2 ** 40);
    for (const path of [pipe, '/dev/zero', '/dev/tty', folder.path('huge.py'), '/proc/self/environ']) await refused(path);
  });
});
