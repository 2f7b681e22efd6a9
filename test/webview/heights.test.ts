/** How rows, counters and drawer share the height of a page. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sharedHeights, type Wanted } from '../../src/webview/tracks/heights';

const USUAL: Wanted = { rowsPx: 240, roomPx: 1000, counters: 3, counterPx: 44, drawerPx: 200, isCounterSet: false, isDrawerSet: false };

describe('webview/tracks/heights', () => {
  it('all have what they want where there is room', () => assert.deepEqual(sharedHeights(USUAL), { counterPx: 44, drawerPx: 200 }));

  it('counters give way first, then the drawer, each down to what can be read', () => {
    assert.deepEqual(sharedHeights({ ...USUAL, roomPx: 542 }), { counterPx: 34, drawerPx: 200 });
    assert.deepEqual(sharedHeights({ ...USUAL, roomPx: 480 }), { counterPx: 18, drawerPx: 186 });
    assert.deepEqual(sharedHeights({ ...USUAL, roomPx: 300 }), { counterPx: 18, drawerPx: 140 });
  });

  it('what the user has set stays', () => {
    assert.deepEqual(sharedHeights({ ...USUAL, roomPx: 300, isCounterSet: true }), { counterPx: 44, drawerPx: 140 });
    assert.deepEqual(sharedHeights({ ...USUAL, roomPx: 300, isDrawerSet: true }), { counterPx: 18, drawerPx: 200 });
  });

  it('never takes more than is missing, and never adds', () => {
    const px = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        px(2000),
        px(2000),
        px(8),
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: 140, max: 800 }),
        (rowsPx, roomPx, counters, counterPx, drawerPx) => {
          const shared = sharedHeights({ ...USUAL, rowsPx, roomPx, counters, counterPx, drawerPx });
          const takenPx = counters * (counterPx - shared.counterPx) + drawerPx - shared.drawerPx;
          assert.ok(shared.counterPx <= counterPx && shared.drawerPx <= drawerPx);
          assert.ok(takenPx <= Math.max(0, rowsPx + counters * counterPx + drawerPx - roomPx) + counters, 'but for rounding');
        },
      ),
      { seed: 16 },
    );
  });
});
