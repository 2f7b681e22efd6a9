/** Which NEFF an NTFF on the disk is read with. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { Profile } from '../../../../src/simulator/profile/profile';
import { readJobs } from '../../../../src/simulator/service/reading/jobs';
import { formatOf, readProfile } from '../../../../src/simulator/service/reading/profileAt';
import { ReadingError } from '../../../../src/simulator/service/reading/readingError';
import { neffFile, ntffFile } from '../../../support/ntffFile';
import { temporaryFolder } from '../../../support/temporary';

const compilerOf = (p: Profile) => p.recorded!.summary.compiler_version;

describe('NTFF files', () => {
  const folder = temporaryFolder();
  const put = (name: string, bytes: Uint8Array) => {
    const file = folder.path(name);
    fs.writeFileSync(file, bytes);
    return file;
  };

  it('are read with the NEFF of the same name, or without one', async () => {
    const alone = put('alone.ntff', ntffFile());
    assert.equal(formatOf(alone), 'ntff');
    const p = await readProfile({ path: alone });
    assert.deepEqual([p.kernel, p.simulated, compilerOf(p)], ['alone', false, undefined]);
    const named = put('named.ntff', ntffFile());
    put('named.neff', neffFile());
    assert.equal(compilerOf(await readProfile({ path: named })), '2.21');
  });

  it('are read with the NEFF that is asked for, which must be there and fit', async () => {
    const file = put('run.ntff', ntffFile());
    const neff = put('other.neff', neffFile());
    assert.equal(compilerOf(await readProfile({ path: file, neff })), '2.21');
    await assert.rejects(readProfile({ path: file, neff: folder.path('missing.neff') }), ReadingError);
    await assert.rejects(readProfile({ path: file, neff: put('bad.neff', new Uint8Array(2000)) }), /no gzipped archive/);
  });

  it('whose NEFF beside them is damaged are shown without it, with a warning', async () => {
    const file = put('half.ntff', ntffFile());
    put('half.neff', neffFile().subarray(0, 1400));
    const { checks } = await readProfile({ path: file });
    assert.match(checks[0].message, /^Read without the NEFF beside it: the NEFF is damaged/);
  });

  it('are replayed with their NEFF, which says what triggers DMAs', async () => {
    const replayed = (path: string) => readJobs.replay({ sources: [{ path }], target: undefined });
    await assert.rejects(replayed(put('again.ntff', ntffFile())), /no kernel body to replay: .* the NEFF says/);
    put('again.neff', neffFile());
    const { recordedBodyNs, kinds } = await replayed(folder.path('again.ntff'));
    assert.equal(recordedBodyNs, 2500);
    assert.deepEqual(
      kinds.map(({ engine, opcode, count }) => `${count} ${engine} ${opcode}`),
      ['1 TensorMatrix MATMUL', '1 Vector TENSOR_TENSOR', '2 Sync PSEUDO_DMA_TRIGGER', '2 qSPIO0 DMA'],
    );
  });
});
