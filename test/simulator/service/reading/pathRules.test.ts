/** Paths that strangers' files name, by text alone: what Windows would open as a network, a device or a stream is refused everywhere. */
import assert from 'node:assert/strict';
import { isInside, isPlainName, pathProblem } from '../../../../src/simulator/service/reading/pathRules';

describe('rules of paths', () => {
  const refused = (file: string, platform: NodeJS.Platform, why: RegExp) => assert.match(pathProblem(file, platform) ?? 'taken', why, file);

  it('take files of a drive, and absolute paths of other systems', () => {
    for (const file of ['C:\\nki\\kernel.py', 'c:/nki/kernel.py', 'Z:\\a b\\console.py', 'C:\\auxiliary\\com10.txt', 'C:\\x\\..\\y.py'])
      assert.equal(pathProblem(file, 'win32'), null, file);
    for (const platform of ['linux', 'darwin'] as const)
      for (const file of ['/home/u/kernel.py', '/home/u/CON', '/a:b/c\\d.py', '//double/slash.py'])
        assert.equal(pathProblem(file, platform), null, file);
  });

  it('refuse networks of Windows, however they are written', () => {
    for (const file of [
      '\\\\server\\share\\k.py',
      '//server/share/k.py',
      '\\/server\\share',
      '\\\\127.0.0.1\\c$\\k.py',
      '\\\\server@SSL\\d\\k.py',
    ])
      refused(file, 'win32', /network/);
  });

  it('refuse devices and what goes around the rules of Windows', () => {
    for (const file of [
      '\\\\?\\C:\\k.py',
      '\\\\.\\pipe\\x',
      '//?/UNC/server/share/k.py',
      '//./PhysicalDrive0',
      '\\??\\C:\\k.py',
      '/??/C:/k.py',
    ])
      refused(file, 'win32', /device/);
  });

  it('refuse the names that Windows keeps for devices, in every folder and with every ending', () => {
    const names = ['CON', 'nul', 'Aux', 'PRN', 'COM1', 'com9', 'LPT1', 'COM¹', 'CONIN$', 'conout$', 'CLOCK$'];
    for (const name of names.flatMap(n => [n, `${n}.py`, `${n}.tar.gz`, `${n} .py`, `${n}.`, `${n} `]))
      for (const file of [`C:\\${name}`, `C:/work/${name}`, `C:\\${name}\\kernel.py`]) refused(file, 'win32', /keeps for a device/);
    refused('C:\\work\\kernel.py:hidden', 'win32', /keeps for a device/);
  });

  it('refuse what depends on where we are, and what is no path', () => {
    for (const file of ['', 'kernel.py', '..\\kernel.py', 'C:kernel.py', '\\kernel.py', '/home/u/kernel.py'])
      refused(file, 'win32', /not an absolute/);
    for (const file of ['', 'kernel.py', './kernel.py', 'C:\\kernel.py']) refused(file, 'linux', /not an absolute/);
    for (const platform of ['win32', 'linux'] as const) refused('/a\0b', platform, /not a path/);
  });

  it('tell plain names', () => {
    for (const platform of ['win32', 'linux'] as const) {
      assert.ok(isPlainName('kernel.py', platform));
      for (const name of ['', '.', '..', 'a/b', 'a\0']) assert.ok(!isPlainName(name, platform), name);
    }
    for (const name of ['C:', 'k.py:x', 'nul.py', 'a\\b'])
      assert.deepEqual([isPlainName(name, 'win32'), isPlainName(name, 'linux')], [false, true]);
  });

  it('tell what lies in a folder', () => {
    assert.ok(isInside('/w', '/w/a/b.npy', 'linux'));
    assert.ok(isInside('/w', '/w/..a', 'linux'));
    for (const file of ['/w', '/wx/a', '/w/../etc/passwd', '/', '/W/a']) assert.ok(!isInside('/w', file, 'linux'), file);
    assert.ok(isInside('C:\\w', 'c:\\W\\a.npy', 'win32'));
    for (const file of ['C:\\w', 'D:\\w\\a', 'C:\\w\\..\\a', '\\\\server\\w\\a']) assert.ok(!isInside('C:\\w', file, 'win32'), file);
  });
});
