import assert from 'node:assert/strict';
import { idleNs } from '../../src/simulator/analyze/idleAllocations';
import type { Profile } from '../../src/simulator/profile/profile';
import { blockAt, holders, memoryBlocks, SPACE_CODES } from '../../src/webview/drawer/memoryBlocks';
import { tinyProfile } from '../support/tinyProfile';

const ROWS = 1_000_000;
const SIZE_BYTES = 256;

/** Each allocation is there for two steps of time, so that two are there at once. */
function many(): Profile {
  const p = tinyProfile({ events: [{ line: 1, track: 'Vector', ready: 0, start: 0, end: ROWS + 1 }] });
  const name = p.strings.length;
  const allocations = {
    startNs: Float64Array.from({ length: ROWS }, (_, row) => row),
    endNs: Float64Array.from({ length: ROWS }, (_, row) => row + 2),
    space: new Uint8Array(ROWS).fill(SPACE_CODES.sbuf),
    addressBytes: Uint32Array.from({ length: ROWS }, (_, row) => (row % 2) * SIZE_BYTES),
    sizeBytes: new Uint32Array(ROWS).fill(SIZE_BYTES),
    partitionStart: new Uint16Array(ROWS),
    partitions: new Uint16Array(ROWS).fill(128),
    name: new Uint32Array(ROWS).fill(name),
    frame: new Uint32Array(ROWS),
  };
  return { ...p, strings: [...p.strings, 'tile'], allocations };
}

describe('a million allocations', () => {
  it('are counted, each for its tensor, without more arguments than a call may have', () => {
    const p = many();
    const blocks = memoryBlocks(p, SPACE_CODES.sbuf, 0);
    assert.equal(blocks.rows.length, ROWS);
    assert.deepEqual([blocks.peakBytes, blocks.peakNs, blocks.topBytes], [2 * SIZE_BYTES, 1, 2 * SIZE_BYTES]);
    const idle = idleNs(p);
    assert.ok(
      idle.every(ns => ns === 2),
      'nothing uses them',
    );
    assert.deepEqual(holders(p, blocks, idle), [
      { name: 'tile', allocations: ROWS, byteNs: 2 * ROWS * SIZE_BYTES, idleByteNs: 2 * ROWS * SIZE_BYTES, atPeakBytes: 2 * SIZE_BYTES },
    ]);
  });

  it('are found by a time and an address, wherever they stand among the rows', () => {
    const p = many();
    const { allocations: a } = p;
    const half = ROWS / 2;
    // one that is held from the first to the last, late among the rows
    a.startNs[half] = 0;
    a.endNs[half] = ROWS + 1;
    a.addressBytes[half] = 4 * SIZE_BYTES;
    const blocks = memoryBlocks(p, SPACE_CODES.sbuf, 0);
    const at = (timeNs: number, addressBytes: number) => blockAt(p, blocks, timeNs, addressBytes);
    for (const row of [0, 1, 255, 256, 257, half - 1, half + 1, ROWS - 1]) assert.equal(at(row + 1.5, (row % 2) * SIZE_BYTES + 7), row);
    for (const timeNs of [0, 1, half, ROWS + 1]) assert.equal(at(timeNs, 4 * SIZE_BYTES), half);
    assert.equal(at(12.5, 2 * SIZE_BYTES), null, 'nothing lies there');
    assert.equal(at(ROWS + 1.5, 0), null, 'the kernel has ended');
  });
});
