import assert from 'node:assert/strict';
import { whileRecorded } from '../../../src/simulator/hardware/recorded';
import { machineFor } from '../../../src/simulator/hardware/targets';

describe('a machine that is recorded', () => {
  it('reads HBM more slowly where recordings show that, and is the same in all else', () => {
    for (const target of ['trn1', 'trn3']) assert.equal(whileRecorded(machineFor(target)), machineFor(target), target);
    const machine = machineFor('trn2');
    const recorded = whileRecorded(machine);
    assert.ok(recorded.dma.hbmReadBytesPerNs.value < machine.dma.hbmReadBytesPerNs.value);
    assert.deepEqual({ ...recorded, dma: { ...recorded.dma, hbmReadBytesPerNs: machine.dma.hbmReadBytesPerNs } }, machine);
  });
});
