import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bundledPaths } from '../../../src/simulator/frontend/paths';

describe('paths of the bundled interpreter', () => {
  const windows = bundledPaths('win32');

  it('leaves POSIX paths alone', () => {
    const { toPython, toHost } = bundledPaths('linux');
    assert.equal(toPython('/a/b c.py'), '/a/b c.py');
    assert.equal(toHost('/c/d'), '/c/d');
  });

  for (const [host, python] of [
    ['C:\\a\\b.py', '/c/a/b.py'],
    ['Z:\\', '/z'],
    ['D:\\with space\\ü.py', '/d/with space/ü.py'],
    ['\\\\server\\share\\k.py', '//server/share/k.py'],
  ])
    it(`maps ${host} to ${python} and back`, () => {
      assert.equal(windows.toPython(host), python);
      assert.equal(windows.toHost(python), host);
    });

  it('takes the other spellings of Windows', () => {
    assert.equal(windows.toPython('c:/a/b.py'), '/c/a/b.py');
    assert.equal(windows.toPython('\\\\?\\C:\\a'), '/c/a');
  });

  it('leaves paths of the interpreter alone on the way back', () =>
    assert.equal(windows.toHost('/lib/python314.zip/ast.py'), '/lib/python314.zip/ast.py'));

  it('maps any Windows path there and back', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_. -]{1,12}$/);
    fc.assert(
      fc.property(fc.constantFrom('C', 'D', 'Z'), fc.array(name, { minLength: 1, maxLength: 5 }), (drive, names) => {
        const host = `${drive}:\\${names.join('\\')}`;
        assert.equal(windows.toHost(windows.toPython(host)), host);
      }),
      { seed: 1 },
    );
  });
});
