/** Tensors of a loop's body used behind the loop get a warning there, and only there. */
import assert from 'node:assert/strict';
import { ProgramBuilder } from '../../../support/programs';
import { verify } from '../../../support/stages';

function checks(usedBehind: boolean): string[] {
  const b = new ProgramBuilder({});
  const out = b.hbm('out', [4, 4], 'float32', 'output');
  const before = b.sbuf('before', [4, 4], 'float32');
  b.record('nki.isa.memset', { dst: before }, { value: 0 }, { line: 3 });
  b.record('nki.language.dynamic_range', {}, {}, { line: 10 });
  let made = before;
  b.call('body', 10, () => {
    made = b.sbuf('made', [4, 4], 'float32', { line: 6 });
    b.record('nki.isa.memset', { dst: made }, { value: 0 }, { line: 6 });
    b.call('helper', 7, () => b.record('nki.isa.tensor_copy', { dst: before, src: made }, {}, { line: 20 }));
  });
  b.record('nki.isa.dma_copy', { dst: out, src: usedBehind ? made : before }, {}, { line: 12 });
  return verify(b.finish()).map(({ line, message }) => `${line} ${message}`);
}

describe('tensors of a loop', () => {
  it('used behind it', () => {
    assert.deepEqual(checks(true), [
      '12 made (line 6) is made in the body of the loop on line 10 and used behind it, which the NKI compiler does not take: make it before the loop',
    ]);
  });

  it('used in it, and tensors from before', () => assert.deepEqual(checks(false), []));
});
