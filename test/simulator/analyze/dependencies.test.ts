import assert from 'node:assert/strict';
import { Producers, predecessors, successors } from '../../../src/simulator/analyze/dependencies';
import { waitChain } from '../../../src/simulator/analyze/waitChain';
import { tinyProfile } from '../../support/tinyProfile';

const VECTOR = { track: 'Vector', ready: 0 } as const;
const SCALAR = { track: 'Scalar', ready: 0 } as const;

/** Event 0 writes what 1 reads; 2 overwrites what 1 read; 3 waits for the DMA that 4 is. */
const profile = () => {
  const p = tinyProfile({
    events: [
      { ...VECTOR, line: 1, start: 0, end: 10, operands: 'src=fp32@0x0[1,0,0][4,1,1] dst=fp32@0x100[1,0,0][4,1,1] channels=128' },
      {
        ...SCALAR,
        line: 2,
        start: 20,
        end: 30,
        stall: 'data',
        blocker: 0,
        operands: 'src=fp32@0x100[1,0,0][4,1,1] dst=fp32@0x200[1,0,0][4,1,1]',
      },
      { ...VECTOR, line: 3, start: 40, end: 50, stall: 'buffer', blocker: 1, operands: 'dst=fp32@0x10c[1,0,0][1,1,1] channels=128' },
      { ...SCALAR, line: 4, start: 90, end: 95, stall: 'dma', blocker: 4, operands: '' },
    ],
    dmas: [{ line: 5, ready: 0, start: 60, end: 80, bytes: 64, trigger: 2 }],
  });
  p.semaphores = [
    { id: 6, name: 'Vector' },
    { id: 4, name: 'Scalar' },
    { id: 8, name: 'qSyncIO0' },
  ];
  p.instructions.signal.set([0, 1]);
  const waits = [
    [1, 0, 1],
    [2, 1, 1],
    [3, 2, p.machine.dmaEngines],
  ];
  p.waits = {
    instruction: Uint32Array.from(waits, w => w[0]),
    semaphore: Uint8Array.from(waits, w => w[1]),
    value: Uint32Array.from(waits, w => w[2]),
  };
  return p;
};

const brief = (list: ReturnType<typeof predecessors>) => list.map(({ event, type, via, blocking }) => [event, type, via, blocking]);

describe('dependencies', () => {
  const p = profile();
  const producers = new Producers(p);

  it('finds producers by semaphore value, and the type by the memory both touch', () => {
    assert.deepEqual(brief(predecessors(p, producers, 1)), [[0, 'flow', 'S[6] (Vector)>=1', true]]);
    assert.deepEqual(brief(predecessors(p, producers, 2)), [[1, 'anti', 'S[4] (Scalar)>=1', true]]);
    assert.deepEqual(brief(predecessors(p, producers, 3)), [[4, 'flow', 'S[8] (qSyncIO0)>=16', true]]);
    assert.deepEqual(brief(predecessors(p, producers, 4)), [[2, 'flow', 'trigger', false]]);
    assert.deepEqual(predecessors(p, producers, 0), []);
  });

  it('finds the same pairs from the other end', () => {
    for (let event = 0; event < 5; event++)
      for (const { event: before, type, gapNs } of predecessors(p, producers, event)) {
        const back = successors(p, producers, before).find(found => found.event === event);
        assert.deepEqual([back?.type, back?.gapNs], [type, gapNs]);
      }
    assert.deepEqual(
      successors(p, producers, 2).map(found => found.event),
      [4],
    );
  });

  it('says nothing of semaphores in a measured capture, whose counts do not begin at 0', () => {
    const measured = { ...profile(), simulated: false };
    assert.deepEqual(brief(predecessors(measured, new Producers(measured), 1)), [[0, 'flow', 'waited: data', true]]);
  });

  it('follows blockers back to one that did not wait, and stops in a circle', () => {
    assert.deepEqual(
      waitChain(p, 2).map(link => [link.event, link.reason, link.waitNs]),
      [
        [2, 'none', 0],
        [1, 'buffer', 40],
        [0, 'data', 20],
      ],
    );
    const circle = profile();
    circle.instructions.blocker[0] = 2;
    assert.equal(waitChain(circle, 2).length, 3);
  });
});
