/** The row of errors: what has a mark there. */
import assert from 'node:assert/strict';
import { findingLanes, isOfRow } from '../../src/webview/data/findingLanes';

describe('the row of errors', () => {
  it('has a mark for each error and warning at its event, and none for notes', () => {
    const severities = ['warning', 'info', 'error'] as const;
    const found = severities.map((severity, k) => ({ severity, message: '', event: 10 + k, startNs: 100 * k, endNs: 100 * k + 10 }));
    const lanes = findingLanes(found.filter(isOfRow));
    assert.equal(lanes.length, 1);
    assert.deepEqual(
      [0, 1].map(k => lanes[0].startNs(k)),
      [0, 200],
    );
  });
});
