import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../src/cli/errors';
import { writeFile, writeFolder } from '../../src/cli/output';
import { sourceReader } from '../../src/cli/sourceRoot';
import { temporaryFolder } from '../support/temporary';

describe('output files', () => {
  const folder = temporaryFolder();
  const names = () => fs.readdirSync(folder.path()).sort();

  it('are seen only when they are whole: a fault on the way leaves what was there', async () => {
    const file = folder.write('kept.json', 'before');
    async function* breaking(): AsyncGenerator<string> {
      yield 'half';
      throw new Error('no more');
    }
    await assert.rejects(writeFile(file, breaking()), /no more/);
    assert.equal(fs.readFileSync(file, 'utf8'), 'before');
    await writeFile(file, ['af', new Uint8Array([0x74, 0x65]), 'r']);
    assert.equal(fs.readFileSync(file, 'utf8'), 'after');
    assert.deepEqual(names(), ['kept.json']);
  });

  it('say why a place cannot be written', async () => {
    await assert.rejects(
      writeFile(folder.path('gone/x'), ['x']),
      (e: Error) => e instanceof UsageError && /no such file or folder/.test(e.message),
    );
  });

  it('folders replace only what they wrote themselves', async () => {
    const isTable = (existing: string[]) => existing.every(name => name.endsWith('.parquet'));
    const place = folder.path('tables');
    await writeFolder(place, [['a.parquet', new Uint8Array(1)]], isTable);
    await writeFolder(place, [['b.parquet', new Uint8Array(2)]], isTable);
    assert.deepEqual(fs.readdirSync(place), ['b.parquet']);
    folder.write('tables/notes.txt', 'mine');
    await assert.rejects(writeFolder(place, [['c.parquet', new Uint8Array(1)]], isTable), /has other files in it/);
    assert.deepEqual(fs.readdirSync(place).sort(), ['b.parquet', 'notes.txt']);
  });
});

describe('sources of a capture', () => {
  const folder = temporaryFolder();

  it('are read from the folder given and from nowhere else', () => {
    folder.write('secret.py', 'secret');
    folder.write('root/pkg/kernel.py', 'kernel');
    fs.symlinkSync(folder.path('secret.py'), folder.path('root/link.py'));
    const read = sourceReader(folder.path('root'));
    assert.equal(read('/home/someone/pkg/kernel.py'), 'kernel');
    assert.equal(read('pkg/kernel.py'), 'kernel');
    for (const outside of ['../secret.py', '/etc/passwd', 'link.py', folder.path('secret.py'), 'pkg', '', '..', 'pkg/../../secret.py'])
      assert.equal(read(outside), null, outside);
    assert.equal(sourceReader(undefined)(path.join(folder.path('root'), 'pkg/kernel.py')), null);
  });

  it('say when the folder is not there', () => assert.throws(() => sourceReader(folder.path('gone')), UsageError));
});
