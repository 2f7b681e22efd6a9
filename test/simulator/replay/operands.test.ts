/** Operands of recorded profiles, as they are printed. */
import assert from 'node:assert/strict';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { activationName, dmaRaises, dmaRuns, matmulRows, OperandReader } from '../../../src/simulator/replay/operands';

const read = (text: string) => new OperandReader(machineFor('trn2')).read(text);

describe('recorded operands', () => {
  const copy =
    'S[5] (Tensor)>=4 S[4] (Scalar)++@complete src=bfloat16@0x2000000[1,1,1,1][512,1,1,1] dst=fp32@0x4000[1,1,1,1][512,1,1,1] channels=128';

  it('reads waits and updates, not the barriers between runs', () => {
    assert.deepEqual(read(copy).waits, [{ id: 5, value: 4 }]);
    assert.equal(read(copy).raises, 4);
    const barrier = read(' setter=0 $S[2]==8 $S[2]=0@complete ');
    assert.deepEqual(barrier.waits, []);
    assert.equal(barrier.raises, -1);
  });

  it('reads tiles: size, place, elements', () => {
    assert.deepEqual(read(copy).tiles, [
      { bytesPerElement: 2, addressBytes: 0x2000000, elements: 512, innerStride: 1, isWritten: false },
      { bytesPerElement: 4, addressBytes: 0x4000, elements: 512, innerStride: 1, isWritten: true },
    ]);
    assert.equal(read('src=fp32@0x4800[4,1][16,2]').tiles[0].innerStride, 4);
    assert.equal(read('bias_ptr=fp32@0x4810').tiles.length, 0);
    assert.deepEqual(
      read('acc_flags=3 src=bfloat16@0x37600[1,0,0][512,1,1] dst=0x2000800[1,0,0][512,1,1] 128*128').tiles.map(
        tile => tile.bytesPerElement,
      ),
      [2, 2],
    );
  });

  it('reads what a DMA raises and how many runs it reads', () => {
    const dma = read(
      ' semaphore=40 sem_increment=16  src_elem_size=2048 src_pattern=[2048,262144][2,128] dst_pattern=[262144,2048][2,128] ',
    );
    assert.deepEqual(dmaRaises(dma), { id: 40, value: 16 });
    assert.equal(dmaRuns(dma), 256);
  });

  it('reads how many rows of the PE array a MATMUL uses', () => {
    assert.equal(matmulRows(read('acc_flags=3 src=fp32@0x37600[1,0,0][512,1,1] dst=0x2000800[1,0,0][512,1,1] 64*128')), 64);
    assert.equal(matmulRows(read('acc_flags=3 src=fp32@0x37600[1,0,0][512,1,1] dst=0x2000800[1,0,0][512,1,1]')), 0);
  });

  it('finds the function of an activation', () => {
    assert.equal(activationName(read('S[6] (Vector)>=5 S[4] (Scalar)++@complete EXP bias_ptr=fp32@0x4810 src=')), 'exp');
  });
});
