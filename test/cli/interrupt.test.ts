/** Ctrl-C while a file is read that a parser never comes to the end of: the built command line ends at once, and leaves nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { CLI } from '../support/built';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';

/** In the reader's place: says that it runs, and never ends. */
const LOOPING =
  "import fs from 'node:fs';\nimport path from 'node:path';\nimport { fileURLToPath } from 'node:url';\nfs.writeFileSync(path.join(path.dirname(fileURLToPath(import.meta.url)), 'started'), '');\nfor (;;) {}\n";

const COMMANDS = [
  'lines -s a.nkiprof',
  'compare a.nkiprof a.nkiprof',
  'replay a.nkiprof',
  'view -s a.nkiprof --output-format json --output-file out/a.json',
  'view -s a.nkiprof --output-format parquet --output-file out/tables',
  'view -s a.nkiprof --output-format csv',
  'view -s a.json --port 0',
  'view --ingest-only -s a.nkiprof -d out',
];

describe('Ctrl-C while a file is read', () => {
  const folder = temporaryFolder();

  before(() => {
    folder.write('a.nkiprof', encodeNkiprof(syntheticProfile(5)));
    folder.write('a.json', '{}');
    folder.write('dist/reader.mjs', LOOPING);
    fs.copyFileSync(CLI, folder.path('dist/cli.js'));
    fs.mkdirSync(folder.path('out'));
  });

  for (const command of COMMANDS)
    it(`ends ${command}`, async function () {
      if (process.platform === 'win32') return this.skip();
      const child = spawn(process.execPath, [folder.path('dist/cli.js'), ...command.split(' ')], { cwd: folder.path() });
      let said = '';
      child.stderr.on('data', data => (said += data));
      const ended = new Promise<number | null>(resolve => child.on('close', resolve));
      try {
        while (!fs.existsSync(folder.path('dist/started')) && child.exitCode === null) await new Promise(resolve => setTimeout(resolve, 5));
        child.kill('SIGINT');
        assert.deepEqual([await ended, said], [1, 'Cancelled: nothing was written\n']);
        assert.deepEqual(fs.readdirSync(folder.path('out')), []);
      } finally {
        child.kill('SIGKILL');
        fs.rmSync(folder.path('dist/started'), { force: true });
      }
    });
});
