/** The folder a kernel may read when nobody names one: projects, homes behind links, Windows, disks without projects. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { type HostSystem, NoWorkspace, nearestWorkspace, ownFolder } from '../../../src/simulator/service/workspace';

interface Disk {
  homes: string[];
  files?: string[];
  /** Link -> what it leads to. */
  links?: Record<string, string>;
}

function posix({ homes, files = [], links = {} }: Disk): HostSystem {
  const real = (place: string) => {
    const link = Object.keys(links).find(from => place === from || place.startsWith(`${from}/`));
    return link === undefined ? place : links[link] + place.slice(link.length) || '/';
  };
  return { path: path.posix, homes, exists: place => files.includes(real(place)), realPath: real };
}

/** Case does not count; `realPath` gives the spelling of the disk. */
function windows({ homes, files = [] }: Disk): HostSystem {
  const known = (place: string) => files.find(file => file.toLowerCase() === place.toLowerCase());
  return { path: path.win32, homes, exists: place => known(place) !== undefined, realPath: place => known(place) ?? place };
}

const homeOf = { homes: ['/home/u'] };

describe('workspace of a kernel', () => {
  it('is the nearest project', () => {
    const machine = posix({ ...homeOf, files: ['/home/u/p/.git', '/home/u/p/sub/pyproject.toml'] });
    assert.equal(nearestWorkspace('/home/u/p/sub/a/b/k.py', machine), '/home/u/p/sub');
    assert.equal(nearestWorkspace('/home/u/p/other/k.py', machine), '/home/u/p');
  });

  it('is the file’s own folder where there is no project; a .vscode is none', () => {
    const machine = posix({ ...homeOf, files: ['/home/u/.vscode', '/home/u/p/.vscode', '/srv/.vscode'] });
    assert.equal(nearestWorkspace('/home/u/p/a/k.py', machine), '/home/u/p/a');
    assert.equal(nearestWorkspace('/srv/a/b/k.py', machine), '/srv/a/b');
  });

  it('is never a home folder or one around it, also when that is a project', () => {
    const machine = posix({ ...homeOf, files: ['/home/u/.git', '/home/pyproject.toml', '/.git'] });
    assert.equal(nearestWorkspace('/home/u/a/k.py', machine), '/home/u/a');
    assert.equal(nearestWorkspace('/srv/k.py', machine), '/srv');
    for (const file of ['/home/u/k.py', '/home/k.py', '/k.py']) {
      assert.throws(() => nearestWorkspace(file, machine), NoWorkspace, file);
      assert.throws(() => ownFolder(file, machine), /lies directly in .*--root DIR/, file);
    }
  });

  it('knows a home by its real path, however it is reached', () => {
    const linkedHome = posix({ homes: ['/home/u'], files: ['/data/u/.git'], links: { '/home/u': '/data/u' } });
    for (const file of ['/home/u/k.py', '/data/u/k.py', '/data/k.py']) assert.throws(() => nearestWorkspace(file, linkedHome), NoWorkspace);
    assert.equal(nearestWorkspace('/data/u/a/k.py', linkedHome), '/data/u/a');
    const linkToHome = posix({ ...homeOf, files: ['/home/u/.git'], links: { '/srv/mine': '/home/u' } });
    assert.throws(() => nearestWorkspace('/srv/mine/k.py', linkToHome), NoWorkspace);
    assert.equal(nearestWorkspace('/srv/mine/a/k.py', linkToHome), '/srv/mine/a');
    const linkToDisk = posix({ ...homeOf, links: { '/srv/all': '' } });
    assert.throws(() => ownFolder('/srv/all/k.py', linkToDisk), NoWorkspace);
  });

  it('takes a neighbour of the home whose name only begins alike', () => {
    const machine = posix({ ...homeOf, files: ['/home/u2/.git'] });
    assert.equal(nearestWorkspace('/home/u2/a/k.py', machine), '/home/u2');
    assert.equal(ownFolder('/home/u/..data/k.py', machine), '/home/u/..data');
  });

  it('follows the rules of Windows: drives, shares, profiles, case', () => {
    const files = ['C:\\Users\\Ann', 'C:\\Users\\Ann\\.git', 'D:\\work\\p\\.git', 'D:\\.git'];
    const machine = windows({ homes: ['C:\\Users\\Ann'], files });
    assert.equal(nearestWorkspace('D:\\work\\p\\a\\k.py', machine), 'D:\\work\\p');
    assert.equal(nearestWorkspace('D:\\other\\k.py', machine), 'D:\\other');
    assert.equal(nearestWorkspace('c:\\users\\ann\\a\\k.py', machine), 'c:\\users\\ann\\a');
    assert.equal(nearestWorkspace('\\\\host\\share\\a\\k.py', machine), '\\\\host\\share\\a');
    for (const file of ['C:\\Users\\Ann\\k.py', 'c:\\users\\ANN\\k.py', 'C:\\Users\\k.py', 'C:\\k.py', 'D:\\k.py', '\\\\host\\share\\k.py'])
      assert.throws(() => nearestWorkspace(file, machine), NoWorkspace, file);
  });
});
