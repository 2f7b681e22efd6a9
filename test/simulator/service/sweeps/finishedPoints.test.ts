/** Points on the disk: what a crash leaves, what counts as the same point. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { FinishedPoints, pointsFolder } from '../../../../src/simulator/service/sweeps/finishedPoints';
import { failedResult } from '../../../../src/simulator/variants/result';
import { temporaryFolder } from '../../../support/temporary';

describe('finished points', () => {
  const folder = temporaryFolder();
  const request = () => ({ file: folder.path('w/k.py'), root: folder.path('w'), args: { a: 1, b: 2 } });
  const opened = (name: string) => new FinishedPoints(folder.path(name), 'm', request().file);
  before(() => folder.write('w/k.py', 'x = 1\n'));

  it('are found again by request, not by the order of its names', () => {
    const one = opened('a');
    one.add(one.keyOf(request()), failedResult('e'), request().root, [request().file]);
    one.close();
    const again = opened('a');
    assert.deepEqual(again.find(again.keyOf({ ...request(), args: { b: 2, a: 1 } })), failedResult('e'));
    assert.equal(again.find(again.keyOf({ ...request(), args: { a: 1, b: 3 } })), null);
    assert.equal(again.find(again.keyOf({ ...request(), overlay: { [request().file]: 'x = 2\n' } })), null);
  });

  it('survive a line that a crash cut off', () => {
    const one = opened('b');
    for (const a of [1, 2]) one.add(one.keyOf({ ...request(), args: { a } }), failedResult(`e${a}`), request().root, []);
    one.close();
    const [name] = fs.readdirSync(folder.path('b'));
    const place = path.join(folder.path('b'), name);
    const text = fs.readFileSync(place, 'utf8');
    fs.writeFileSync(place, text.slice(0, -20));
    const two = opened('b');
    assert.deepEqual(two.find(two.keyOf({ ...request(), args: { a: 1 } })), failedResult('e1'));
    assert.equal(two.find(two.keyOf({ ...request(), args: { a: 2 } })), null);
    two.add(two.keyOf({ ...request(), args: { a: 3 } }), failedResult('e3'), request().root, []);
    two.close();
    const three = opened('b');
    assert.deepEqual(three.find(three.keyOf({ ...request(), args: { a: 3 } })), failedResult('e3'));
  });

  it('are not kept where a process names files outside of its folder', () => {
    const one = opened('c');
    one.add(one.keyOf(request()), failedResult('e'), request().root, ['/etc/hostname']);
    one.close();
    assert.equal(fs.existsSync(folder.path('c')), false);
  });

  it('lie in the folder of the system for what can be made again', () => {
    assert.equal(pointsFolder({ XDG_CACHE_HOME: '/x' }, 'linux'), path.join('/x', 'nki-scope', 'points'));
    assert.match(pointsFolder({}, 'darwin'), /Library[/\\]Caches[/\\]nki-scope/);
    assert.match(pointsFolder({ LOCALAPPDATA: 'L' }, 'win32'), /^L[/\\]nki-scope/);
    assert.match(pointsFolder({}, 'linux'), /\.cache[/\\]nki-scope/);
  });
});
