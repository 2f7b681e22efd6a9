/** What a script prints is passed on up to a limit, and the cut is told once. */
import assert from 'node:assert/strict';
import { limitedOutput } from '../../../src/simulator/frontend/outputLimit';

describe('printed text', () => {
  function printed(pieces: string[], most: number): string[] {
    const emitted: string[] = [];
    const emit = limitedOutput((text, stream) => emitted.push(`${stream}: ${text}`), most);
    for (const piece of pieces) emit(piece, 'stdout');
    return emitted;
  }

  it('up to the limit is passed on as it is', () => assert.deepEqual(printed(['ab', 'c', ''], 3), ['stdout: ab', 'stdout: c', 'stdout: ']));

  it('is cut within the piece that exceeds it, with one note', () => {
    const [first, cut, note, ...more] = printed(['ab', 'cdef', 'g', 'h'], 4);
    assert.deepEqual([first, cut, more], ['stdout: ab', 'stdout: cd', []]);
    assert.match(note, /^stderr: .*printed more than 4 characters; the rest is not shown/s);
  });
});
