/** A large profile's rows are drawn before the panels that read all of it; a small one's page is drawn at once. */
import assert from 'node:assert/strict';
import { Stages } from '../../src/webview/stages';

function drawn() {
  const log: string[] = [];
  const panel = (name: string) => ({ element: null as unknown as HTMLElement, draw: () => void log.push(name) });
  const stages = new Stages([panel('rows'), panel('counters'), panel('drawer')], 1);
  const frame = () => {
    log.length = 0;
    const isMore = stages.draw();
    return { log: [...log], isMore };
  };
  return { stages, frame };
}

const settled = () => new Promise(resolve => setTimeout(resolve, 1));

describe('stages of drawing', () => {
  it('draw the rows of a large profile first, then one more panel in each frame', async () => {
    const { stages, frame } = drawn();
    const told: string[] = [];
    stages.begin(
      { isLarge: true },
      () => told.push('rows'),
      () => told.push('all'),
    );
    assert.deepEqual(frame(), { log: ['rows'], isMore: true });
    await settled();
    assert.deepEqual(told, ['rows']);
    assert.deepEqual(frame(), { log: ['rows', 'counters'], isMore: true });
    assert.deepEqual(frame(), { log: ['rows', 'counters', 'drawer'], isMore: false });
    await settled();
    assert.deepEqual(told, ['rows', 'all']);
    assert.deepEqual(frame().log, ['rows', 'counters', 'drawer']);
    await settled();
    assert.deepEqual(told, ['rows', 'all'], 'told once');
  });

  it('draw the rows alone until the rest of the profile is there', async () => {
    const { stages, frame } = drawn();
    const told: string[] = [];
    stages.begin(
      { isLarge: true, waits: true },
      () => told.push('rows'),
      () => told.push('all'),
    );
    assert.deepEqual(frame(), { log: ['rows'], isMore: false });
    assert.deepEqual(frame(), { log: ['rows'], isMore: false });
    stages.resume();
    assert.deepEqual(frame(), { log: ['rows', 'counters'], isMore: true });
    assert.deepEqual(frame(), { log: ['rows', 'counters', 'drawer'], isMore: false });
    await settled();
    assert.deepEqual(told, ['rows', 'all']);
  });

  it('draw all of a small profile in one frame', async () => {
    const { stages, frame } = drawn();
    const told: string[] = [];
    stages.begin(
      { isLarge: false },
      () => told.push('rows'),
      () => told.push('all'),
    );
    assert.deepEqual(frame(), { log: ['rows', 'counters', 'drawer'], isMore: false });
    await settled();
    assert.deepEqual(told, ['rows', 'all']);
  });
});
