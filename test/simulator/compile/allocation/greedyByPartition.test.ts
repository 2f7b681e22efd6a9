/** Tensors placed by bytes and partitions: none overlap while they live, those of a group start together, and the last decision is changed. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { greedyByPartition, type PartJob, type PlacedPart } from '../../../../src/simulator/compile/allocation/greedyByPartition';
import { greedyBySize } from '../../../../src/simulator/compile/allocation/greedyBySize';

interface Tensor {
  sizeBytes: number;
  partitions: number;
  firstUse: number;
  uses: number;
  group?: number;
}

const ALIGNMENT = 32;
const STARTS = [0, 32, 64, 96];

const mayStart = (start: number, partitions: number) => start % (partitions > 64 ? 128 : partitions > 32 ? 64 : 32) === 0;

/** Each tensor a group of its own, unless it says another. @param tookOver `[later, earlier, partitions behind its start]` */
function job(tensors: readonly Tensor[], capacityBytes: number, tookOver: readonly [number, number, number][] = []): PartJob {
  const parts = tensors.map(({ sizeBytes, partitions, group }, tensor) => ({
    tensor,
    sizeBytes,
    partitions,
    group: group ?? 1000 + tensor,
  }));
  const starts = new Map<number, number[]>();
  for (const { group, partitions } of parts)
    starts.set(
      group,
      (starts.get(group) ?? STARTS).filter(start => mayStart(start, partitions)),
    );
  return {
    parts,
    starts,
    lives: {
      firstUse: Int32Array.from(tensors, ({ firstUse }) => firstUse),
      lastUse: Int32Array.from(tensors, ({ firstUse, uses }) => firstUse + uses),
    },
    takeovers: new Map(tookOver.map(([later, earlier, behind]) => [later, new Map([[earlier, behind]])])),
    capacityBytes,
    alignmentBytes: ALIGNMENT,
  };
}

/** `address/first partition` by tensor. */
function placesOf(placed: readonly PlacedPart[] | null): string[] | null {
  if (!placed) return null;
  const sorted = placed.toSorted((a, b) => a.tensor - b.tensor);
  return sorted.map(({ addressBytes, firstPartition }) => `${addressBytes}/${firstPartition}`);
}

/** Of every partition and every block of bytes, at every time: who has it. @throws AssertionError where two have it. */
function assertApart(placed: readonly PlacedPart[], { lives }: PartJob) {
  const cells = new Map<string, number>();
  for (const { tensor, addressBytes, sizeBytes, firstPartition, partitions } of placed)
    for (let time = lives.firstUse[tensor]; time <= lives.lastUse[tensor]; time++)
      for (let block = Math.floor(addressBytes / ALIGNMENT); block * ALIGNMENT < addressBytes + sizeBytes; block++)
        for (let partition = firstPartition; partition < firstPartition + partitions; partition += 16) {
          const key = `${time} ${block} ${partition}`;
          assert.ok(!cells.has(key), `tensors ${tensor} and ${cells.get(key)} at time, block, partition ${key}`);
          cells.set(key, tensor);
        }
}

describe('greedy allocation by partition', () => {
  it('gives no byte of a partition to two tensors that live at the same time, and starts those of a group together', () => {
    const tensor = fc.record({
      sizeBytes: fc.integer({ min: 1, max: 300 }),
      partitions: fc.constantFrom(16, 32, 48, 64, 96, 128),
      firstUse: fc.integer({ min: 0, max: 20 }),
      uses: fc.integer({ min: 0, max: 10 }),
      group: fc.integer({ min: 0, max: 20 }),
    });
    let [moved, refused] = [0, 0];
    fc.assert(
      fc.property(fc.array(tensor, { minLength: 1, maxLength: 14 }), fc.integer({ min: 400, max: 1000 }), (tensors, capacityBytes) => {
        const given = job(tensors, capacityBytes);
        const placed = greedyByPartition(given);
        if (!placed) {
          refused++;
          return;
        }
        assert.deepEqual(placed.map(({ tensor }) => tensor).sort(), [...tensors.keys()].sort());
        assertApart(placed, given);
        const startOf = new Map<number, number>();
        for (const { group, firstPartition, addressBytes, sizeBytes, partitions } of placed) {
          assert.equal(startOf.get(group) ?? firstPartition, firstPartition);
          startOf.set(group, firstPartition);
          assert.equal(addressBytes % ALIGNMENT, 0);
          assert.ok(addressBytes + sizeBytes <= capacityBytes);
          assert.ok(mayStart(firstPartition, partitions) && firstPartition + partitions <= 128);
          if (firstPartition > 0) moved++;
        }
      }),
      { numRuns: 300, seed: 3 },
    );
    assert.ok(moved > 50 && refused > 10, `${moved} moved, ${refused} refused`);
  });

  it('takes lower partitions before lower addresses, so that few tensors move', () => {
    const small = { sizeBytes: 64, partitions: 32, firstUse: 0, uses: 1 };
    assert.deepEqual(placesOf(greedyByPartition(job([small, small, small], 128))), ['0/0', '64/0', '0/32']);
  });

  it('places in the same bytes what does not fit one behind the other', () => {
    const half = { sizeBytes: 128, partitions: 64, firstUse: 0, uses: 3 };
    const given = job([half, half], 128);
    assert.equal(greedyBySize(given.parts, given.lives, 128, ALIGNMENT), null);
    assert.deepEqual(placesOf(greedyByPartition(given)), ['0/0', '0/64']);
    assert.equal(greedyByPartition(job([half, half, half], 128)), null);
  });

  it('changes the last decision if a tensor of the same group does not fit', () => {
    // the first would be at 0, where the second has no space beside the third, which must be there
    const group = 1;
    const tensors = [
      { sizeBytes: 256, partitions: 64, firstUse: 0, uses: 1, group },
      { sizeBytes: 224, partitions: 96, firstUse: 2, uses: 1 },
      { sizeBytes: 64, partitions: 32, firstUse: 2, uses: 1, group },
    ];
    assert.equal(greedyByPartition(job(tensors, 256)), null);
    assert.deepEqual(placesOf(greedyByPartition(job([{ ...tensors[0], partitions: 32 }, ...tensors.slice(1)], 256))), [
      '0/96',
      '0/0',
      '0/96',
    ]);
  });

  it('lets a tensor begin where the one that it takes over ends, at the same place only', () => {
    const tensors = [
      { sizeBytes: 128, partitions: 128, firstUse: 2, uses: 2 },
      { sizeBytes: 128, partitions: 64, firstUse: 0, uses: 2 },
    ];
    assert.equal(greedyByPartition(job(tensors, 128)), null);
    assert.deepEqual(placesOf(greedyByPartition(job(tensors, 128, [[0, 1, 0]]))), ['0/0', '0/0']);
    // it would have to start at partition -64
    assert.deepEqual(placesOf(greedyByPartition(job(tensors, 128, [[0, 1, -64]]))), ['0/0', '0/64']);
    assert.equal(
      greedyByPartition(
        job([tensors[0], { ...tensors[1], group: 0 }, { ...tensors[1], partitions: 128, group: 0, firstUse: 9 }], 128, [[0, 1, -64]]),
      ),
      null,
    );
    // a third one lies where both would be
    const third = { sizeBytes: 64, partitions: 128, firstUse: 0, uses: 4 };
    assert.equal(greedyByPartition(job([...tensors, third], 128, [[0, 1, 0]])), null);
    assert.deepEqual(placesOf(greedyByPartition(job([...tensors, third], 192, [[0, 1, 0]]))), ['0/0', '0/0', '128/0']);
  });

  it('lets none lie on a part of what it takes over', () => {
    const tensors = [
      { sizeBytes: 32, partitions: 128, firstUse: 2, uses: 2 },
      { sizeBytes: 128, partitions: 64, firstUse: 0, uses: 2 },
      { sizeBytes: 64, partitions: 64, firstUse: 0, uses: 4 },
    ];
    // beside the third it cannot be where the second begins
    assert.equal(greedyByPartition(job(tensors, 128, [[0, 1, 0]])), null);
    assert.deepEqual(placesOf(greedyByPartition(job(tensors, 160, [[0, 1, 0]]))), ['128/0', '0/0', '0/64']);
  });

  it('gives up soon where nothing fits', () => {
    const tensors = Array.from({ length: 60 }, (_, k) => ({ sizeBytes: 320 + (k % 3), partitions: 32, firstUse: k % 7, uses: 40 }));
    const before = performance.now();
    assert.equal(greedyByPartition(job(tensors, 2048)), null);
    assert.ok(performance.now() - before < 2000);
  });
});
