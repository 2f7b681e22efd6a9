/** What the line above a kernel says of its last run. */
import assert from 'node:assert/strict';
import { lastTime } from '../../src/extension/kernels/lastTime';
import type { Profile } from '../../src/simulator/profile/profile';
import { oneByOne } from '../support/tinyProfile';

const modelled = (totalTimeNs: number): Profile => ({ ...oneByOne('add(x)\n', [100]), simulated: true, target: 'trn2', totalTimeNs });

describe('the last time above a kernel', () => {
  it('is that of the run, on its target', () => assert.equal(lastTime(modelled(49_000)), 'last 49 µs (trn2)'));

  it('says what changed since the run before, and when the model cannot tell that apart', () => {
    assert.equal(lastTime(modelled(49_000), modelled(52_100)), 'last 49 µs (trn2) ▼ 3.10 µs');
    assert.equal(lastTime(modelled(49_000), modelled(48_990)), 'last 49 µs (trn2) ▲ 10 ns (less than the model can tell apart)');
    assert.equal(lastTime(modelled(49_000), modelled(49_000)), 'last 49 µs (trn2)');
  });

  it('says how long hardware is likely to take, where that is known', () => {
    const likely = { lowNs: 44_000, highNs: 56_000, heldPercent: 80 };
    assert.equal(lastTime({ ...modelled(49_000), likely }, modelled(52_100)), 'last 49 µs (trn2) ▼ 3.10 µs, likely 44 µs to 56 µs');
  });
});
