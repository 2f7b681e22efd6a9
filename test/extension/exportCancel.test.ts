/** Cancel while an export is being written, with the built command line in its worker: false, and nothing of it stays. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { EXPORT_FORMATS } from '../../src/extension/export/formats';
import { writeExport } from '../../src/extension/export/write';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { CLI } from '../support/built';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';

/** Enough that it is still being written when its temporary file is seen. */
const INSTRUCTIONS = 60_000;

describe('cancelling an export', () => {
  const folder = temporaryFolder();
  const names = () => fs.readdirSync(folder.path('out'));
  const job = (format: string) => ({
    cli: CLI,
    profile: folder.path('kept.nkiprof'),
    format: EXPORT_FORMATS.find(({ name }) => name === format)!,
    place: folder.path('out/trace'),
  });

  before(() => {
    folder.write('kept.nkiprof', encodeNkiprof(syntheticProfile(INSTRUCTIONS)));
    fs.mkdirSync(folder.path('out'));
  });

  for (const format of ['json', 'parquet'])
    it(`takes away what was written so far: ${format}`, async () => {
      const controller = new AbortController();
      const written = writeExport(job(format), controller.signal);
      while (names().length === 0) await new Promise(resolve => setTimeout(resolve, 2));
      controller.abort();
      assert.equal(await written, false);
      assert.deepEqual(names(), []);
    });

  it('leaves the next export whole', async () => {
    assert.equal(await writeExport(job('json'), new AbortController().signal), true);
    assert.deepEqual(names(), ['trace']);
    assert.equal(JSON.parse(fs.readFileSync(folder.path('out/trace'), 'utf8')).instruction.length, INSTRUCTIONS);
  });
});
