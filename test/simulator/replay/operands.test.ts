/** Operand strings of recorded profiles, as they are printed. */
import assert from 'node:assert/strict';
import { activationName, dmaRaises, dmaRuns, raises, tiles, waits } from '../../../src/simulator/replay/operands';

describe('recorded operands', () => {
  const copy =
    'S[5] (Tensor)>=4 S[4] (Scalar)++@complete src=bfloat16@0x2000000[1,1,1,1][512,1,1,1] dst=fp32@0x4000[1,1,1,1][512,1,1,1] channels=128';

  it('reads waits and updates, not the barriers between runs', () => {
    assert.deepEqual(waits(copy), [{ id: 5, value: 4 }]);
    assert.equal(raises(copy), 4);
    const barrier = ' setter=0 $S[2]==8 $S[2]=0@complete ';
    assert.deepEqual(waits(barrier), []);
    assert.equal(raises(barrier), -1);
  });

  it('reads tiles: size, place, elements', () => {
    assert.deepEqual(tiles(copy), [
      { bytesPerElement: 2, addressBytes: 0x2000000, elements: 512, innerStride: 1 },
      { bytesPerElement: 4, addressBytes: 0x4000, elements: 512, innerStride: 1 },
    ]);
    assert.equal(tiles('src=fp32@0x4800[4,1][16,2]')[0].innerStride, 4);
    assert.equal(tiles('bias_ptr=fp32@0x4810').length, 0);
  });

  it('reads what a DMA raises and how many runs it reads', () => {
    const dma = 'semaphore=40 sem_increment=16  src_elem_size=2048 src_pattern=[2048,262144][2,128] dst_pattern=[262144,2048][2,128]';
    assert.deepEqual(dmaRaises(dma), { id: 40, value: 16 });
    assert.equal(dmaRuns(dma), 256);
  });

  it('finds the function of an activation', () => {
    assert.equal(activationName('S[6] (Vector)>=5 S[4] (Scalar)++@complete EXP bias_ptr=fp32@0x4810 src='), 'exp');
  });
});
