/** What a line that a sentence names by its number leads to, where several files have that line. */
import assert from 'node:assert/strict';
import { lines } from '../../src/simulator/analyze/lines';
import { lineOrigin } from '../../src/webview/actions/origins';
import { buildModel } from '../../src/webview/data/model';
import type { SourcePosition } from '../../src/webview/protocol/messages';
import type { View } from '../../src/webview/view/view';
import { syntheticProfile } from '../support/syntheticProfile';

/** The same line in two files: in each a part of the events. */
function inTwoFiles() {
  const profile = syntheticProfile(400, 5);
  const { frames, files } = profile;
  const [{ line }] = lines(profile);
  const of = frames.line.indexOf(line);
  const more = <T extends Uint32Array | Int32Array>(column: T, value: number): T => {
    const longer = new (column.constructor as new (length: number) => T)(column.length + 1);
    longer.set(column);
    longer[column.length] = value;
    return longer;
  };
  const added = frames.line.length;
  const copied = Object.fromEntries(
    Object.entries(frames).map(([name, column]) => [name, more(column, name === 'file' ? files.length : column[of])]),
  ) as typeof frames;
  const frame = profile.instructions.frame.map((known, row) => (known === of && row % 2 === 0 ? added : known));
  const helper = { ...files[0], path: '/kernels/helper.py' };
  return {
    line,
    model: buildModel({ ...profile, files: [...files, helper], frames: copied, instructions: { ...profile.instructions, frame } }),
  };
}

describe('the line that a number in a sentence names', () => {
  const { line, model } = inTwoFiles();
  const opened: SourcePosition[] = [];
  const view = {
    model,
    store: { update: () => {} },
    announce: () => {},
    openSource: ({ file, line: number }: SourcePosition) => opened.push({ file, line: number }),
  } as unknown as View;

  it('is that of the file that the sentence is about', () => {
    const files = ['/kernels/tiled.py', '/kernels/helper.py'];
    assert.deepEqual(new Set(lines(model.profile).flatMap(known => (known.line === line ? [known.file] : []))), new Set(files));
    for (const file of files) lineOrigin(view, line, file)!.open(view);
    assert.deepEqual(
      opened.splice(0),
      files.map(file => ({ file, line })),
    );
  });

  it('is opened where it asked for nothing, as the head of a loop', () => {
    lineOrigin(view, 1, '/kernels/helper.py')!.open(view);
    assert.deepEqual(opened.splice(0), [{ file: '/kernels/helper.py', line: 1 }]);
    assert.equal(lineOrigin(view, 1), null);
  });
});
