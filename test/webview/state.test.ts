import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blockedBy, buildModel } from '../../src/webview/data/model';
import { KEY_ACTIONS } from '../../src/webview/input/keyActions';
import { actionFor, KEYS } from '../../src/webview/input/keymap';
import { eventsOfLines, findEvents } from '../../src/webview/search/find';
import { mergeByStart } from '../../src/webview/search/merge';
import { parseQuery } from '../../src/webview/search/query';
import { motion, stepped } from '../../src/webview/state/motion';
import { selectorsOf } from '../../src/webview/state/selector';
import { Store } from '../../src/webview/state/store';
import { Tracker } from '../../src/webview/state/tracker';
import { syntheticProfile } from '../support/syntheticProfile';

const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

describe('webview/state', () => {
  it('tells listeners exactly what changed, and keeps silent about nothing', () => {
    const store = new Store({ a: 1, b: 'x' });
    const seen: string[][] = [];
    const stop = store.subscribe((_, changed) => seen.push([...changed]));
    store.update({ a: 1 });
    store.update({ a: 2, b: 'x' });
    stop();
    store.update({ a: 3 });
    assert.deepEqual(seen, [['a']]);
    assert.deepEqual(store.state, { a: 3, b: 'x' });
  });

  it('works out again only what follows from a change', () => {
    const store = new Store({ a: 1, b: 2, c: 3 });
    const { key, derived, steadyList } = selectorsOf<{ a: number; b: number; c: number }>();
    let made = 0;
    const sum = derived([key('a'), key('b')], (a, b) => {
      made++;
      return [a + b];
    });
    const steady = steadyList(sum);
    const first = steady(store.state);
    store.update({ c: 4 });
    assert.equal(sum(store.state), sum(store.state));
    assert.equal(made, 1);
    store.update({ a: 2, b: 1 });
    assert.deepEqual([sum(store.state), made], [[3], 2]);
    assert.equal(steady(store.state), first, 'the same members, the same list');
  });

  it('makes a drawing again when what it read has changed, and for nothing else', () => {
    const store = new Store({ a: 1, b: 2, c: 3 });
    const tracker = new Tracker(() => store.state);
    const seen: unknown[] = [];
    const isEven = (state: { a: number }) => state.a % 2 === 0;
    const drawing = tracker.drawing(() => seen.push(tracker.read(isEven) ? tracker.state.b : 'odd'));
    const inner = tracker.drawing(() => tracker.state.c);
    const outer = tracker.drawing(() => seen.push(inner(true)));
    assert.ok(drawing() && outer());
    seen.length = 0;
    store.update({ b: 5, c: 4 });
    assert.ok(!drawing(), 'b was not read');
    assert.ok(!outer(), 'c is what another drawing read');
    store.update({ a: 3 });
    assert.ok(!drawing(), 'the selector gives the same');
    store.update({ a: 4 });
    assert.ok(drawing());
    store.update({ b: 6 });
    assert.ok(drawing() && !drawing() && drawing(true));
    assert.deepEqual(seen, [5, 6, 6]);
  });

  it('animates to exactly the target', () => {
    const [from, to] = [
      { startNs: 0, endNs: 100 },
      { startNs: 3, endNs: 4 },
    ];
    const first = stepped(motion(from, to), 1000);
    assert.deepEqual(first.span, from);
    assert.deepEqual(first.motion?.to, to);
    assert.deepEqual(stepped(first.motion!, 5000), { span: to, motion: null });
  });
});

describe('webview/input', () => {
  it('maps each printed key to its action, and none while typing or with modifiers', () => {
    for (const { keys, action } of KEYS)
      for (const key of keys) {
        const [, modifier, bare] = /^(?:(Ctrl|Shift)\+)?(.+)$/.exec(key)!;
        const more = { ctrlKey: modifier === 'Ctrl', shiftKey: modifier === 'Shift' };
        assert.equal(actionFor(press(bare, more), false), action);
        assert.equal(actionFor(press(bare, more), true), null);
        assert.equal(actionFor(press(bare, { ...more, altKey: true }), false), null);
      }
    assert.equal(actionFor(press('W'), false), 'zoomIn', 'Caps Lock');
    assert.equal(actionFor(press('x'), false), null);
  });

  it('has one meaning per key and an action for each', () => {
    const keys = KEYS.flatMap(entry => entry.keys);
    assert.equal(new Set(keys).size, keys.length);
    for (const { action } of KEYS) assert.equal(typeof KEY_ACTIONS[action], 'function');
  });
});

describe('webview/data search', () => {
  const profile = syntheticProfile(600, 5);
  const model = buildModel(profile);
  const start = (id: number) => (id < 600 ? profile.instructions.startNs[id] : profile.transfers.startNs[id - 600]);

  it('finds by substring and by regex, in order of start', () => {
    const found = findEvents(model, parseQuery('activate'));
    const expected = [...profile.instructions.opcode].filter(code => profile.opcodes[code] === 'ACTIVATE').length;
    assert.equal(found.length, expected);
    for (let i = 1; i < found.length; i++) assert.ok(start(found[i - 1]) <= start(found[i]));
    assert.deepEqual(findEvents(model, parseQuery('/^ACTIVATE$/')), found);
    assert.equal(findEvents(model, parseQuery('/py:12$/')).length, eventsOfLines(model, [{ file: '/kernels/tiled.py', line: 12 }]).length);
    assert.equal(findEvents(model, parseQuery('qScalarIO0')).length, 75);
    const waits = profile.waits.semaphore.filter(semaphore => profile.semaphores[semaphore].name === 'Tensor').length;
    assert.equal(findEvents(model, parseQuery('/S\\[5\\] \\(Tensor\\)>=\\d/')).length, waits);
    assert.equal(findEvents(model, parseQuery('(qSyncIO0)>=299')).length, 1);
    assert.deepEqual(parseQuery('  '), []);
    assert.throws(() => parseQuery('/(/'), SyntaxError);
  });

  it('finds the events of lines, also through helpers called from them', () => {
    const nested = syntheticProfile(100, 2);
    nested.frames.parent[3] = 0;
    const withCalls = buildModel(nested);
    const line = (index: number) => eventsOfLines(withCalls, [{ file: '/kernels/tiled.py', line: nested.frames.line[index] }]).length;
    const own = (index: number) => [...nested.instructions.frame, ...nested.transfers.frame].filter(frame => frame === index).length;
    assert.equal(line(3), own(3));
    assert.equal(line(0), own(0) + own(3));
    assert.equal(eventsOfLines(withCalls, [{ file: '/other.py', line: 8 }]).length, 0);
  });

  it('knows who waited for an event', () => {
    const blocker = profile.instructions.blocker.find(id => id >= 0)!;
    const waiting = blockedBy(model, blocker);
    assert.ok(waiting.length > 0 && waiting.every(id => profile.instructions.blocker[id] === blocker));
  });

  it('merges as a sort does', () => {
    const lists = fc.array(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 }), { maxLength: 7 });
    fc.assert(
      fc.property(lists, given => {
        const sorted = given.map(list => Uint32Array.from(list).sort());
        assert.deepEqual(
          [...mergeByStart(sorted, id => id)],
          given.flat().sort((a, b) => a - b),
        );
      }),
    );
  });
});
