/** Where profiles go that a script names itself: beside it, under names that are valid everywhere. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { encodeNkiprof } from '../../../src/simulator/formats/nkiprof';
import { saveProfileIn } from '../../../src/simulator/service/savedProfiles';
import { SaveError } from '../../../src/simulator/session/hostSession';
import { syntheticProfile } from '../../support/syntheticProfile';
import { temporaryFolder } from '../../support/temporary';

describe('profiles that a script saves', () => {
  const folder = temporaryFolder();
  const bytes = encodeNkiprof(syntheticProfile(3));
  const saved = (name: string) => path.basename(saveProfileIn(folder.path(), name, bytes));

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
});
