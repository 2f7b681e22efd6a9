/**
 * The profiles of all examples on all targets, held by their hashes: a change of the code that is to change no time, no value and no
 * order changes none of these lines. Left out of a hash is what depends on the machine that the test runs on (folders), how the kernel
 * was asked for, the sentence on how far the times can be believed, and what the scheduler was given: the times follow from it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { TARGETS } from '../../src/simulator/hardware/targets';
import { decodeProfile } from '../../src/simulator/profile/codec';
import type { Profile } from '../../src/simulator/profile/profile';
import { SimulatorClient } from '../../src/simulator/service/client';
import { testDist } from '../support/dist';
import { EXAMPLES, exampleFiles } from '../support/examples';
import { firstLayout } from '../support/firstLayout';
import { expectGolden } from '../support/golden';

declare const NKI_SCOPE_ROOT: string;

const files = exampleFiles();

const relative = (file: string) => path.relative(EXAMPLES, file).replaceAll('\\', '/');

/** SHA-256 of the profile's content, hex. */
function hashOf({ rerun, likely, ...profile }: Profile): string {
  const portable: Profile = {
    ...profile,
    accuracy: '',
    files: profile.files.map(file => ({ ...file, path: relative(file.path) })),
    checks: profile.checks.map(check => ({ ...check, file: relative(check.file) })),
  };
  return createHash('sha256').update(firstLayout(portable)).digest('hex');
}

describe('profiles of the examples', () => {
  const clients: SimulatorClient[] = [];
  after(() => {
    for (const client of clients) client.dispose();
  });

  it('are the same as ever, column for column', async function () {
    this.timeout(600_000);
    const client = new SimulatorClient({ dist: await testDist() });
    clients.push(client);
    const lines: string[] = [];
    for (const file of files)
      for (const target of TARGETS) {
        const { runs, error } = await client.capture({ file: path.join(EXAMPLES, file), root: EXAMPLES, target });
        assert.equal(error, null, `${file} on ${target}`);
        assert.ok(runs.length > 0, `${file} on ${target} calls no kernel`);
        for (const run of runs) lines.push(`${file} ${target} ${run.kernel} ${hashOf(decodeProfile(run.profile))}\n`);
      }
    expectGolden('profile-hashes', lines.join(''));
  });
});
