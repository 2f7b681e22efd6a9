/** A few hundred mutants of each format that is read, every time; `npm run fuzz` runs ten thousand. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { writeFile } from '../../../src/cli/output';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import { syntheticProfile } from '../../support/syntheticProfile';
import { temporaryFolder } from '../../support/temporary';
import { runFuzz } from './runFuzz';
import { TARGETS } from './targets';

declare const NKI_SCOPE_ROOT: string;

const SEED = 20_000;
const MUTANTS = 300;

describe('files that were made to do harm @long', () => {
  const folder = temporaryFolder();

  before(async function () {
    this.timeout(60_000);
    await esbuild.build({
      absWorkingDir: NKI_SCOPE_ROOT,
      entryPoints: ['test/security/fuzz/fuzzWorker.ts'],
      outfile: folder.path('fuzzWorker.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      define: { NKI_SCOPE_ROOT: JSON.stringify(NKI_SCOPE_ROOT) },
      logLevel: 'warning',
    });
  });

  for (const target of Object.keys(TARGETS))
    it(`${target}: ${MUTANTS} mutants end as what they say or in one sentence, in time and memory`, async function () {
      this.timeout(300_000);
      const worker = pathToFileURL(folder.path('fuzzWorker.mjs'));
      const { read, refused, faults } = await runFuzz({ worker, target, seed: SEED, mutants: MUTANTS });
      assert.deepEqual(faults, []);
      assert.equal(read + refused, MUTANTS);
      assert.ok(read > MUTANTS / 20 && refused > MUTANTS / 20, `${read} read, ${refused} refused: mutants of one kind only`);
    });

  it('leave nothing on the disk when writing them fails', async () => {
    const odd = syntheticProfile(5);
    odd.transfers.startNs[0] = Number.POSITIVE_INFINITY;
    const before = fs.readdirSync(folder.path());
    await assert.rejects(writeFile(folder.path('out.pftrace'), perfettoChunks(odd)), RangeError);
    assert.deepEqual(fs.readdirSync(folder.path()), before);
  });
});
