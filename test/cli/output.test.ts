import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../src/cli/errors';
import { writeFile, writeFolder } from '../../src/cli/output';
import { sourceRootOf } from '../../src/cli/reading';
import { sourceReader } from '../../src/simulator/service/reading/sourceRoot';
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

describe('places that are no plain files', () => {
  const folder = temporaryFolder();
  const made = (kind: string[], name: string) =>
    spawnSync(kind[0], [...kind.slice(1, 2), folder.path(name), ...kind.slice(2)]).status === 0;
  const itOnPosix = process.platform === 'win32' ? it.skip : it;
  const left = () => fs.readdirSync(folder.path()).filter(name => name.endsWith('.tmp'));
  afterEach(() => assert.deepEqual(left(), []));

  itOnPosix('a device is written into and stays', async () => {
    // As root one of our own, elsewhere the system's: nothing but root could replace that.
    const device = made(['mknod', '--mode=666', 'c', '1', '3'], 'null') ? folder.path('null') : '/dev/null';
    await writeFile(device, ['x']);
    assert.ok(fs.lstatSync(device).isCharacterDevice());
    const link = folder.path('link-to-null');
    fs.symlinkSync(device, link);
    await writeFile(link, ['x']);
    assert.ok(fs.lstatSync(link).isSymbolicLink());
    assert.ok(fs.lstatSync(device).isCharacterDevice());
    await assert.rejects(
      writeFolder(device, [['a', new Uint8Array(1)]], () => true),
      /cannot write .*: not a folder/,
    );
    assert.ok(fs.lstatSync(device).isCharacterDevice());
  });

  itOnPosix('a named pipe is written into, once somebody reads it, more than it holds', async function () {
    if (!made(['mkfifo'], 'pipe')) return this.skip();
    const piece = 'x'.repeat(1 << 20);
    const writing = writeFile(folder.path('pipe'), [piece, piece, 'end']);
    const read = spawn('cat', [folder.path('pipe')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    read.stdout.on('data', chunk => chunks.push(chunk));
    await Promise.all([writing, once(read, 'close')]);
    assert.equal(Buffer.concat(chunks).toString(), `${piece}${piece}end`);
    assert.ok(fs.lstatSync(folder.path('pipe')).isFIFO());
  });

  itOnPosix('a named pipe that nobody reads, or not to the end, can be given up', async function () {
    if (!made(['mkfifo'], 'unread')) return this.skip();
    const abort = new AbortController();
    const waiting = writeFile(folder.path('unread'), ['x'], abort.signal);
    setTimeout(() => abort.abort(), 10);
    await assert.rejects(waiting, /^InputError: Cancelled/);
    const reader = fs.openSync(folder.path('unread'), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const again = new AbortController();
    const full = writeFile(folder.path('unread'), ['x'.repeat(1 << 20), 'y'], again.signal);
    setTimeout(() => again.abort(), 10);
    await assert.rejects(full, /^InputError: Cancelled/);
    const broken = writeFile(folder.path('unread'), ['x'.repeat(1 << 20), 'y']);
    setTimeout(() => fs.closeSync(reader), 10);
    await assert.rejects(broken, /cannot write .*: its reader has gone/);
  });

  itOnPosix('a link stays, and its file is replaced as a whole', async () => {
    const file = folder.write('real/file', 'before');
    const link = folder.path('link');
    fs.symlinkSync('real/file', link);
    async function* breaking(): AsyncGenerator<string> {
      yield 'half';
      throw new Error('no more');
    }
    await assert.rejects(writeFile(link, breaking()), /no more/);
    assert.equal(fs.readFileSync(file, 'utf8'), 'before');
    await writeFile(link, ['after']);
    assert.equal(fs.readlinkSync(link), 'real/file');
    assert.equal(fs.readFileSync(file, 'utf8'), 'after');
    const [open, far] = [folder.path('open'), folder.path('far')];
    fs.symlinkSync('open', far);
    fs.symlinkSync('real/new', open);
    await writeFile(far, ['new']);
    assert.equal(fs.readFileSync(folder.path('real/new'), 'utf8'), 'new');
    assert.ok(fs.lstatSync(open).isSymbolicLink() && fs.lstatSync(far).isSymbolicLink());
    assert.deepEqual(fs.readdirSync(folder.path('real')).sort(), ['file', 'new']);
  });

  itOnPosix('a file and a folder keep their permissions', async () => {
    const file = folder.write('private', 'x');
    fs.chmodSync(file, 0o640);
    await writeFile(file, ['y']);
    assert.equal(fs.statSync(file).mode & 0o7777, 0o640);
    fs.mkdirSync(folder.path('tables'));
    fs.chmodSync(folder.path('tables'), 0o750);
    await writeFolder(folder.path('tables'), [['a', new Uint8Array(1)]], () => true);
    assert.equal(fs.statSync(folder.path('tables')).mode & 0o7777, 0o750);
  });

  itOnPosix('a link to a folder stays, and the folder is replaced', async () => {
    fs.mkdirSync(folder.path('store/tables'), { recursive: true });
    fs.symlinkSync('store/tables', folder.path('linked'));
    await writeFolder(folder.path('linked'), [['a', new Uint8Array(1)]], () => true);
    assert.ok(fs.lstatSync(folder.path('linked')).isSymbolicLink());
    assert.deepEqual([fs.readdirSync(folder.path('store')), fs.readdirSync(folder.path('store/tables'))], [['tables'], ['a']]);
  });

  it('a name as long as the disk takes is no reason to fail; a longer one is a sentence', async () => {
    await writeFile(folder.path('n'.repeat(255)), ['x']);
    await assert.rejects(writeFile(folder.path('n'.repeat(256)), ['x']), /cannot write .*: the name is too long/);
  });

  it('a file where a folder should be is a sentence, and stays', async () => {
    const file = folder.write('file', 'mine');
    await assert.rejects(
      writeFolder(file, [['a', new Uint8Array(1)]], () => true),
      (e: Error) => e instanceof UsageError && /not a folder/.test(e.message),
    );
    assert.equal(fs.readFileSync(file, 'utf8'), 'mine');
    await assert.rejects(writeFile(folder.path(), ['x']), (e: Error) => e instanceof UsageError && /is a folder/.test(e.message));
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

  it('say when the folder is not there', () => assert.throws(() => sourceRootOf(folder.path('gone')), UsageError));
});
