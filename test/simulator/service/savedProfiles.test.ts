/** Where profiles go that a script names itself: beside it, under names that are valid everywhere. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { encodeNkiprof } from '../../../src/simulator/formats/nkiprof';
import { saveProfileAt } from '../../../src/simulator/service/savedProfiles';
import { SaveError } from '../../../src/simulator/session/hostSession';
import { syntheticProfile } from '../../support/syntheticProfile';
import { temporaryFolder } from '../../support/temporary';

describe('profiles that a script saves', () => {
  const folder = temporaryFolder();
  const bytes = encodeNkiprof(syntheticProfile(3));
  const saved = (name: string) => path.basename(saveProfileAt({ name }, { beside: folder.path(), folders: [] }, bytes));

  it('have names that every system takes', () => {
    const names = ['trace.ntff', 'my trace (1)', 'след.nkiprof', 'NUL.ntff', 'con', 'trace,'.repeat(40)];
    const written = names.map(saved);
    assert.deepEqual(written.slice(0, 5), ['trace.nkiprof', 'my trace (1).nkiprof', 'след.nkiprof', 'NUL_.nkiprof', 'con_.nkiprof']);
    assert.deepEqual(fs.readdirSync(folder.path()).sort(), [...written].sort());
  });

  it('are refused under names that would have to be changed so that two could become one', () => {
    for (const name of ['', '.x', 'a/b', 'a\\b', 'c:d', 'a?', 'a*', '"', '<', '|', 'a\nb', 'a\0b', '$(a)', 'a;b', '..'])
      assert.throws(() => saved(name), SaveError, JSON.stringify(name));
  });

  describe('in a folder of the script’s choice', () => {
    const name = 'profile_exec_2.ntff';
    const at = (...parts: string[]) => path.join(folder.path(), ...parts);
    const save = (place: string, folders: string[] | 'all', overwrite = false) =>
      saveProfileAt({ name, folder: place, overwrite }, { beside: at(), folders }, bytes);

    it('are there if the user has named it or one above it, and beside the script otherwise', () => {
      assert.equal(save(at('a', 'b'), [at('a')]), at('a', 'b', 'profile_exec_2.nkiprof'));
      assert.ok(fs.existsSync(at('a', 'b', 'profile_exec_2.nkiprof')));
      assert.equal(save(at('c'), 'all'), at('c', 'profile_exec_2.nkiprof'));
      for (const place of [at('aa'), at('a', '..', 'd'), at('..', 'd'), 'a/e', `${at('a')}/\0`])
        assert.equal(save(place, [at('a')]), at('profile_exec_2.nkiprof'), place);
      for (const absent of ['aa', 'd', 'e']) assert.ok(!fs.existsSync(at(absent)), absent);
    });

    it('do not follow a link out of it', () => {
      fs.mkdirSync(at('f'));
      fs.mkdirSync(at('outside'));
      fs.symlinkSync(at('outside'), at('f', 'link'));
      assert.equal(save(at('f', 'link', 'g'), [at('f')]), at('profile_exec_2.nkiprof'));
      assert.deepEqual(fs.readdirSync(at('outside')), []);
      fs.symlinkSync(at('f'), at('named'));
      assert.equal(save(at('named'), [at('named')]), at('named', 'profile_exec_2.nkiprof'));
      assert.ok(fs.existsSync(at('f', 'profile_exec_2.nkiprof')));
    });

    it('replace others only where the script asks for it, and nothing but profiles', () => {
      save(at('h'), [at('h')]);
      assert.throws(() => save(at('h'), [at('h')]), /exists and was left as it is: overwrite=True/);
      save(at('h'), [at('h')], true);
      fs.writeFileSync(at('h', 'profile_exec_2.nkiprof'), 'notes');
      assert.throws(() => save(at('h'), [at('h')], true), /is not a profile/);
    });

    it('say why they cannot be written', () => {
      fs.writeFileSync(at('file'), '');
      assert.throws(
        () => save(at('file', 'x'), 'all'),
        (error: Error) => error instanceof SaveError && /cannot be saved in .*: E/.test(error.message),
      );
    });
  });
});
