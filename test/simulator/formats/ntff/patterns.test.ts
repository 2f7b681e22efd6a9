/** Operands of recorded instructions in words, from the 64 bytes of each. */
import assert from 'node:assert/strict';
import { patternsText } from '../../../../src/simulator/formats/capture/ntff/patterns';

/** An ACTIVATE of `columns` fp32 values at 0x4000, to PSUM. */
function activate(columns: number, sides: (view: DataView) => void): Uint8Array {
  const word = new Uint8Array(64);
  const view = new DataView(word.buffer);
  word[0] = 33;
  for (const [at, address] of [
    [16, 0x4000],
    [48, 0x2000800],
  ]) {
    view.setUint32(at, address, true);
    for (const [k, value] of [1, 1, 1, columns, 1, 1].entries()) view.setUint16(at + 4 + 2 * k, value, true);
  }
  word[32] = 0xaa;
  word[33] = 0x0a;
  sides(view);
  return word;
}

const TILES = 'src=fp32@0x4000[1,1,1][128,1,1] dst=fp32@0x2000800[1,1,1][128,1,1]';

describe('operands of a recorded ACTIVATE', () => {
  it('name a scale in SBUF, and a bias that is a number', () => {
    const word = activate(128, view => {
      view.setUint8(12, 1);
      view.setUint8(13, 1);
      view.setUint32(36, 0x817200, true);
      view.setFloat32(40, 0.5, true);
    });
    assert.equal(patternsText(word), `imm=0.500000 scale_ptr=fp32@0x817200 ${TILES}`);
  });

  it('name a bias in SBUF, and a scale that is a number', () => {
    const word = activate(128, view => {
      view.setFloat32(36, -1, true);
      view.setUint32(40, 0x7e20, true);
    });
    assert.equal(patternsText(word), `bias_ptr=fp32@0x7e20 scale=-1.000000 ${TILES}`);
  });
});
