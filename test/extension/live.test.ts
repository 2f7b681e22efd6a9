/** When a file is run again by itself, and what a run is measured against. */
import assert from 'node:assert/strict';
import { delayMs } from '../../src/extension/live/plan';
import { measureAgainst } from '../../src/extension/run/baseline';
import { Run } from '../../src/extension/run/run';
import { encodeProfile } from '../../src/simulator/index';
import { tinyProfile } from '../support/tinyProfile';

const live = { when: 'afterPause', delayMs: 250, maxSeconds: 2 } as const;

describe('running again while the file is edited', () => {
  it('after a pause, at once after a save', () => {
    assert.equal(delayMs(live, 'edit', 100), 250);
    assert.equal(delayMs(live, 'save', 100), 0);
    assert.equal(delayMs(live, 'edit', 1800), 900, 'a slow run waits for a longer pause');
  });

  it('as the settings say, and only what is affordable', () => {
    assert.equal(delayMs({ ...live, when: 'off' }, 'save', 1), undefined);
    assert.equal(delayMs({ ...live, when: 'onSave' }, 'edit', 1), undefined);
    assert.equal(delayMs({ ...live, when: 'onSave' }, 'save', 1), 0);
    assert.equal(delayMs(live, 'edit', 2001), undefined);
    assert.equal(delayMs(live, 'save', 2001), 0);
    assert.equal(delayMs(live, 'save', 8001), undefined);
  });
});

describe('what a run is measured against', () => {
  const made = (endNs: number, isSaved: boolean) =>
    new Run(
      { of: 'kept', id: 'k' },
      encodeProfile(tinyProfile({ events: [{ line: 1, track: 'Vector', ready: 0, start: 0, end: endNs }] })),
      {
        isSaved: () => isSaved,
      },
    );
  const chain = (...runs: Run[]) => {
    runs.slice(1).forEach((run, i) => {
      measureAgainst(run, runs[i]);
    });
    return runs.map(run => run.before);
  };

  it('the run before; nothing at first, and the same baseline after an equal run', () => {
    const [a, b, again] = [made(100, true), made(200, true), made(200, true)];
    const [, beforeB] = chain(a, b);
    assert.equal(beforeB, a);
    assert.deepEqual(chain(made(100, true)), [undefined]);
    assert.equal(chain(a, b, again).at(-1), a);
  });

  it('while typing, the last saved run and not each other', () => {
    const [saved, typing, typed] = [made(100, true), made(200, false), made(300, false)];
    assert.deepEqual(chain(saved, typing, typed).slice(1), [saved, saved]);
    typed.markSaved(true);
    assert.equal(chain(typed, made(400, false)).at(-1), typed);
  });

  it('tells lines’ changes', () => {
    const [a, b] = [made(100, true), made(70, true)];
    chain(a, b);
    const changes = [...b.changesOf(b.profile.files[0].path).values()];
    assert.deepEqual(
      changes.map(c => [c.verdict, c.deltaNs]),
      [['better', -30]],
    );
  });
});
