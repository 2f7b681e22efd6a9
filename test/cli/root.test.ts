/** What a kernel on the command line may read: `--root`, the project around it, and no home folder. The built `dist/cli.js`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { CLI, itWithPython } from '../support/built';
import { temporaryFolder } from '../support/temporary';

describe('the folder that a kernel may read', () => {
  const folder = temporaryFolder();
  const READS =
    'import sys\nfor name in sys.argv[1:]:\n    try:\n        print(open(name).read())\n    except OSError as e:\n        print(type(e).__name__)\n';
  const run = (...args: string[]) => runIn('', ...args);
  const runIn = (place: string, ...args: string[]) => {
    const env = { ...process.env, HOME: folder.path('home'), USERPROFILE: folder.path('home') };
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd: folder.path(place), env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  before(() => {
    folder.write('home/.vscode/settings.json', '{}');
    folder.write('home/.git/HEAD', '');
    folder.write('home/secret', 'secret');
    folder.write('home/kernel.py', READS);
    folder.write('home/p/kernel.py', READS);
    folder.write('home/p/sub/kernel.py', READS);
    folder.write('home/p/data', 'data');
  });

  it('ends below the home folder, whatever lies in that', () => {
    const { status, stdout } = run('run', 'home/p/kernel.py', folder.path('home/secret'), folder.path('home/p/data'));
    assert.deepEqual([status, stdout], [0, 'FileNotFoundError\ndata\n']);
  });

  it('is not the home folder for a file that lies in it: the user is told what to do', () => {
    for (const command of ['run', 'capture']) {
      const { status, stdout, stderr } = run(command, 'home/kernel.py');
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, /^nki-scope: kernel\.py lies directly in [^\n]*--root DIR[^\n]*\n$/);
    }
  });

  it('is the one that is named, and must be around the file', () => {
    const secret = folder.path('home/secret');
    assert.equal(run('run', '--root', 'home', 'home/kernel.py', secret).stdout, 'secret\n');
    assert.equal(
      run('run', '--root', 'home/p', 'home/p/sub/kernel.py', folder.path('home/p/data'), secret).stdout,
      'data\nFileNotFoundError\n',
    );
    assert.match(
      run('capture', '--root', 'home/p', 'home/kernel.py').stderr,
      /^nki-scope: --root home\/p: [^\n]*kernel\.py is not in it\n$/,
    );
    assert.match(run('run', '--root', 'gone', 'home/kernel.py').stderr, /^nki-scope: --root gone: not a folder\n$/);
  });

  it('has the caller’s folder in it, in which the script works as Python has it', () => {
    assert.equal(runIn('home/p', 'run', '--root', '.', 'sub/kernel.py', 'data').stdout, 'data\n');
    assert.equal(runIn('home/p/sub', 'run', '--root', '..', 'kernel.py', 'data', '../data').stdout, 'FileNotFoundError\ndata\n');
    // not from a folder that it may not read
    assert.equal(runIn('', 'run', '--root', 'home/p', 'home/p/sub/kernel.py', 'data', 'home/secret').stdout, 'data\nFileNotFoundError\n');
  });

  it('is found through links', () => {
    fs.symlinkSync(folder.path('home/p'), folder.path('link'));
    assert.equal(run('run', '--root', folder.path('home/p'), 'link/sub/kernel.py', folder.path('link/data')).stdout, 'data\n');
    fs.symlinkSync(folder.path('home'), folder.path('home-link'));
    assert.equal(run('run', 'home-link/kernel.py').status, 2);
  });

  itWithPython()('does not bind the user’s own interpreter', () => {
    assert.equal(runIn('home', 'run', '--python', 'python3', 'kernel.py', 'secret').stdout, 'secret\n');
  });

  it('says in a sentence that links lead in a circle', () => {
    fs.symlinkSync('circle.py', folder.path('circle.py'));
    for (const args of [
      ['capture', 'circle.py'],
      ['run', 'circle.py'],
      ['capture', 'home/p/kernel.py', '-s', 'circle.py/x'],
      ['run', '--root', 'circle.py', 'home/p/kernel.py'],
    ]) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2, stderr);
      assert.match(stderr, /^nki-scope: [^\n]*circle\.py\S*: its links lead in a circle\n$/);
    }
  });
});
