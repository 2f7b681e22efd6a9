import assert from 'node:assert/strict';
import { costOperands, type WalkedOperand } from '../../../src/simulator/hardware/operands';
import { machineFor } from '../../../src/simulator/hardware/targets';

const trn2 = machineFor('trn2');
const tile = (changed: Partial<WalkedOperand>): WalkedOperand => ({
  elements: 512,
  bytes: 4,
  stride: 1,
  isPsum: false,
  isWritten: false,
  ...changed,
});

describe('what the cost of an instruction depends on', () => {
  it('takes the largest operand, unless the instruction says how much it streams', () => {
    const walked = [tile({ isWritten: true, elements: 64 }), tile({})];
    assert.equal(costOperands(trn2, walked).elements, 512);
    assert.equal(costOperands(trn2, walked, 2048).elements, 2048);
  });

  it('leaves operands of one value per partition out, beside larger ones', () => {
    const column = tile({ elements: 1, bytes: 2, isPsum: true });
    assert.deepEqual(costOperands(trn2, [tile({}), column]), costOperands(trn2, [tile({})]));
    assert.equal(costOperands(trn2, [column]).psum, true);
  });

  it('knows a result in PSUM, wherever the inputs are', () => {
    const result = tile({ isWritten: true, isPsum: true });
    assert.equal(costOperands(trn2, [result, tile({})]).intoPsum, true);
    assert.equal(costOperands(trn2, [tile({ isPsum: true }), result]).intoPsum, true);
    assert.equal(costOperands(trn2, [tile({ isWritten: true }), tile({ isPsum: true })]).intoPsum, false);
  });

  it('knows the widest and narrowest element, and long strides by direction', () => {
    const { bytes, leastBytes, unitStride, longStrideRead, longStrideWriteBytes } = costOperands(trn2, [
      tile({ isWritten: true, bytes: 4, stride: -64 }),
      tile({ isWritten: true, bytes: 2, stride: 64 }),
      tile({ bytes: 4, stride: 4 }),
    ]);
    assert.deepEqual(
      { bytes, leastBytes, unitStride, longStrideRead, longStrideWriteBytes },
      {
        bytes: 4,
        leastBytes: 2,
        unitStride: false,
        longStrideRead: false,
        longStrideWriteBytes: 2,
      },
    );
    assert.equal(costOperands(trn2, [tile({ stride: 5 })]).longStrideRead, true);
  });
});
