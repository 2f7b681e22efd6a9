/** Files that strangers name: pipes, devices and huge files are answered at once, in a process that a deadline guards. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { isTextFile, openRegular, realDisk } from '../../../../src/simulator/service/reading/guardedRead';
import { temporaryFolder } from '../../../support/temporary';

const posixOnly = process.platform === 'win32' ? it.skip : it;

describe('files that strangers name', () => {
  const folder = temporaryFolder();

  it('have a text when they have it byte for byte', async () => {
    const file = folder.write('k.py', 'x = "ü"\n');
    assert.equal(await realDisk.hasText(file, 'x = "ü"\n'), true);
    for (const other of ['x = "u"\n', 'x = "ü"', 'x = "ö"\n', '']) assert.equal(await realDisk.hasText(file, other), false);
    assert.equal(await realDisk.hasText(folder.path('gone.py'), ''), false);
    assert.equal(await realDisk.hasText('k.py', 'x = "ü"\n'), false, 'a path that depends on where we are');
    assert.equal(await realDisk.hasText(folder.path(), ''), false, 'a folder');
  });

  posixOnly('are not read when they are pipes or devices', async () => {
    const pipe = folder.path('pipe.py');
    execFileSync('mkfifo', [pipe]);
    for (const file of [pipe, '/dev/zero', '/dev/null', '/dev/tty']) {
      for (const text of ['', 'x']) assert.equal(await realDisk.hasText(file, text), false, file);
      assert.deepEqual([await isTextFile(file), openRegular(fs.existsSync(file) ? file : '/dev/null')], [false, null], file);
    }
    fs.symlinkSync('/dev/zero', folder.path('link.py'));
    assert.equal(await realDisk.hasText(folder.path('link.py'), 'x'), false, 'behind a link');
  });

  posixOnly('are not read when they are larger than what is expected', async () => {
    const file = folder.write('huge.py', '');
    fs.truncateSync(file, 2 ** 40);
    const before = process.memoryUsage.rss();
    assert.equal(await realDisk.hasText(file, 'x'), false);
    assert.equal(await isTextFile(file), false);
    assert.ok(process.memoryUsage.rss() - before < 2 ** 28, 'it was not taken into memory');
  });

  it('lie in a folder only when no link leads out of it', async () => {
    folder.write('w/in.npy', 'x');
    const outside = folder.write('out.npy', 'x');
    const inside = (name: string) => realDisk.hasFileInside(folder.path('w'), folder.path(name));
    assert.equal(await inside('w/in.npy'), true);
    assert.deepEqual(
      [await inside('out.npy'), await inside('w/../out.npy'), await inside('w/gone.npy'), await inside('w')],
      [false, false, false, false],
    );
    if (process.platform === 'win32') return;
    fs.symlinkSync(outside, folder.path('w/link.npy'));
    execFileSync('mkfifo', [folder.path('w/pipe.npy')]);
    assert.deepEqual([await inside('w/link.npy'), await inside('w/pipe.npy')], [false, false]);
  });
});
