/** The editor offers what the command line writes, each under a name of its own. */
import assert from 'node:assert/strict';
import { FORMATS, type Format } from '../../src/cli/viewFormats';
import { EXPORT_FORMATS, OWN_FORMAT } from '../../src/extension/export/formats';

describe('formats of an export', () => {
  it('are those of the command line that take one profile, and our own', () => {
    const ofOne = Object.entries<Format>(FORMATS).filter(([, { ofRanks }]) => !ofRanks);
    assert.equal(ofOne.length, Object.keys(FORMATS).length - 2);
    assert.deepEqual(EXPORT_FORMATS.map(format => format.name).sort(), [OWN_FORMAT, ...ofOne.map(([name]) => name)].sort());
  });

  it('have labels and proposed names that differ', () => {
    for (const of of ['label', 'description', 'suffix'] as const)
      assert.equal(new Set(EXPORT_FORMATS.map(format => format[of])).size, EXPORT_FORMATS.length, of);
  });
});
