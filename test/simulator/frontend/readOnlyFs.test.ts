import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { loadPyodide } from 'pyodide';
import type { EmscriptenFs } from '../../../src/simulator/frontend/emscripten';
import { mountReadOnly } from '../../../src/simulator/frontend/readOnlyFs';
import { temporaryFolder } from '../../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const MOUNT = '/home/user/space';

/** Runs in an interpreter that is neither fenced nor disarmed: what is refused here, the file system refuses. */
describe('read-only file system', () => {
  const folder = temporaryFolder();
  let runPython: (code: string) => unknown;

  before(async () => {
    folder.write('space/kernel.py', 'a = 1\n');
    folder.write('space/unsaved.py', 'old');
    folder.write(
      'space/sub/data.bin',
      Uint8Array.from({ length: 70_000 }, (_, k) => k & 255),
    );
    folder.write('secret.txt', 'secret');
    fs.symlinkSync(folder.path('secret.txt'), folder.path('space/link-out'));
    fs.symlinkSync(folder.path(), folder.path('space/folder-out'));
    fs.symlinkSync('../secret.txt', folder.path('space/relative-out'));
    fs.symlinkSync('kernel.py', folder.path('space/link-in'));
    fs.symlinkSync('loop', folder.path('space/loop'));
    const pyodide = await loadPyodide({ indexURL: path.join(NKI_SCOPE_ROOT, 'node_modules/pyodide') });
    const overlay = new Map([
      [folder.path('space/unsaved.py'), 'new text, ü'],
      [folder.path('space/only-in-editor.py'), 'b = 2'],
      [folder.path('secret.txt'), 'an overlay outside is not let in'],
    ]);
    mountReadOnly(pyodide.FS as unknown as EmscriptenFs, { folder: folder.path('space'), overlay }, MOUNT);
    pyodide.runPython(`
import os
os.chdir('${MOUNT}')
def refused(call):
    try:
        call()
    except OSError as error:
        return error.strerror
    return 'done'
`);
    runPython = code => pyodide.runPython(code);
  });

  it('reads texts, bytes in pieces, and lists folders', () => {
    assert.equal(runPython(`open('kernel.py').read()`), 'a = 1\n');
    assert.equal(runPython(`open('sub/data.bin', 'rb').read() == bytes(k & 255 for k in range(70000))`), true);
    assert.equal(
      runPython(`f = open('sub/data.bin', 'rb'); f.seek(-3, 2); list(f.read()) == [k & 255 for k in range(69997, 70000)]`),
      true,
    );
    assert.equal(runPython(`sorted(os.listdir('sub')) == ['data.bin'] and 'kernel.py' in os.listdir('.')`), true);
    assert.equal(runPython(`os.stat('sub/data.bin').st_size`), 70_000);
    assert.equal(runPython(`import pathlib; pathlib.Path('sub').is_dir() and not os.path.exists('nothing')`), true);
    assert.equal(runPython(`open('link-in').read()`), 'a = 1\n');
  });

  it('shows the texts of unsaved files instead of the disk', () => {
    assert.equal(runPython(`open('unsaved.py', encoding='utf-8').read()`), 'new text, ü');
    assert.equal(runPython(`os.stat('unsaved.py').st_size`), 12);
    assert.equal(runPython(`open('only-in-editor.py').read()`), 'b = 2');
    assert.equal(runPython(`'only-in-editor.py' in os.listdir('.') and os.listdir('.').count('unsaved.py') == 1`), true);
  });

  for (const [what, call] of [
    ['writing a file', `open('kernel.py', 'w')`],
    ['appending', `open('kernel.py', 'a')`],
    ['reading and writing', `open('kernel.py', 'r+')`],
    ['truncating', `os.open('kernel.py', os.O_RDONLY | os.O_TRUNC)`],
    ['truncating by name', `os.truncate('kernel.py', 0)`],
    ['making a file', `open('new.py', 'x')`],
    ['making a file with flags', `os.open('new.py', os.O_CREAT | os.O_RDONLY)`],
    ['making a folder', `os.mkdir('new')`],
    ['removing a file', `os.remove('kernel.py')`],
    ['removing a folder', `os.rmdir('sub')`],
    ['renaming', `os.rename('kernel.py', 'k.py')`],
    ['renaming into it', `(open('/tmp/x', 'w').close(), os.rename('/tmp/x', '${MOUNT}/x'))`],
    ['linking', `os.symlink('/tmp', 'link')`],
    ['changing the mode', `os.chmod('kernel.py', 0o777)`],
    ['changing the time', `os.utime('kernel.py')`],
    ['writing an unsaved file', `open('unsaved.py', 'w')`],
  ])
    it(`refuses ${what}`, () => {
      const answer = runPython(`refused(lambda: ${call})`);
      assert.match(String(answer), /Read-only file system|Cross-device|Permission denied|Invalid/);
      assert.equal(fs.readFileSync(folder.path('space/kernel.py'), 'utf8'), 'a = 1\n');
      assert.deepEqual(
        fs.readdirSync(folder.path('space')).filter(name => /new|^x$|^k\.py$|^link$/.test(name)),
        [],
      );
    });

  it('says that the file system is read-only', () =>
    assert.equal(runPython(`refused(lambda: open('kernel.py', 'w'))`), 'Read-only file system'));

  for (const name of ['link-out', 'folder-out/secret.txt', 'relative-out', '../secret.txt', 'sub/../../secret.txt', 'loop', 'folder-out'])
    it(`does not lead out by ${name}`, () => {
      assert.notEqual(runPython(`refused(lambda: open('${name}').read())`), 'done');
      assert.notEqual(runPython(`refused(lambda: os.listdir('${name}'))`), 'done');
    });

  it('refuses sockets and other special files', async function () {
    if (process.platform === 'win32') this.skip();
    const server = net.createServer().listen(folder.path('space/socket'));
    await new Promise(resolve => server.once('listening', resolve));
    assert.notEqual(runPython(`refused(lambda: open('socket').read())`), 'done');
    server.close();
  });

  it('follows the disk: a link that is turned outside after a look is refused', () => {
    fs.symlinkSync('kernel.py', folder.path('space/turned'));
    assert.equal(runPython(`open('turned').read()`), 'a = 1\n');
    fs.rmSync(folder.path('space/turned'));
    fs.symlinkSync(path.join('..', 'secret.txt'), folder.path('space/turned'));
    assert.notEqual(runPython(`refused(lambda: open('turned').read())`), 'done');
  });
});
