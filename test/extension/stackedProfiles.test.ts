/** What the extension knows of profiles that are stacked in a page, while they come one by one and the page comes and goes. */
import assert from 'node:assert/strict';
import { StackedProfiles } from '../../src/extension/timeline/stackedProfiles';
import type { HostEvents, StackEvent } from '../../src/webview/protocol/messages';

const given = (key: string) => ({ key, title: `Rank ${key}`, bytes: Uint8Array.of(key.charCodeAt(0)) });

/** A page that answers when it is told to. */
function opened() {
  const sent: StackEvent[] = [];
  const stacked = new StackedProfiles({ whenDrawn: act => act(), stack: event => sent.push(event) });
  const tell = (keys: string, answers?: string) =>
    stacked.told({
      profiles: [...keys].map((key, i): HostEvents['stacked']['profiles'][number] => ({
        ...{ key, title: `Rank ${key}`, letter: 'BCDE'[i], bytes: null },
      })),
      answers: answers === undefined ? undefined : [...answers],
    });
  const messages = () => sent.map(({ adds, profiles }) => `${adds ? '+' : '='}${profiles.map(({ key }) => key).join('')}`);
  const known = (keys: string) => [...keys].filter(key => stacked.bytesOf(key)).join('');
  return { stacked, tell, messages, known };
}

/** Loads that come when a test lets them. */
function waiting(keys: string) {
  const come = new Map<string, () => void>();
  const loads = [...keys].map(key => () => new Promise<ReturnType<typeof given>>(resolve => come.set(key, () => resolve(given(key)))));
  const arrive = async (key: string) => {
    come.get(key)!();
    await new Promise(resolve => setImmediate(resolve));
  };
  return { loads, arrive };
}

describe('extension/stackedProfiles', () => {
  it('sends the first one at once, and keeps those that the page has not told of yet', async () => {
    const { stacked, tell, messages, known } = opened();
    const { loads, arrive } = waiting('bcd');
    const all = stacked.oneByOne(loads);
    await arrive('b');
    assert.deepEqual(messages(), ['=b']);
    await arrive('c');
    await arrive('d');
    await all;
    assert.deepEqual(messages(), ['=b', '+cd'], 'what comes soon after is drawn with the next');
    tell('b', 'b');
    assert.equal(known('bcd'), 'bcd', 'the page asks for slices of what it has just got');
    tell('bcd', 'cd');
    tell('bd');
    assert.equal(known('bcd'), 'bd');
  });

  it('gives a page that comes again what it had, in its order, and what was on the way', async () => {
    const { stacked, tell, messages } = opened();
    await stacked.oneByOne([...'bcd'].map(key => async () => given(key)));
    tell('b', 'b');
    stacked.sendAgain();
    assert.deepEqual(messages(), ['=b', '+cd', '=bcd']);
    tell('dbc');
    stacked.sendAgain();
    assert.equal(messages().at(-1), '=dbc');
  });

  it('sends no more once the user has taken all away', async () => {
    const { stacked, tell, messages, known } = opened();
    const { loads, arrive } = waiting('bcd');
    const all = stacked.oneByOne(loads);
    await arrive('b');
    tell('b', 'b');
    tell('');
    await arrive('c');
    await all;
    assert.deepEqual([messages(), known('bcd')], [['=b'], '']);
  });

  it('takes back what was on the way when the user took all away', async () => {
    const { stacked, tell, messages, known } = opened();
    await stacked.oneByOne([async () => given('b'), async () => given('c')]);
    tell('b', 'b');
    tell('');
    assert.deepEqual([messages(), known('bc')], [['=b', '+c', '='], '']);
  });

  it('goes on after one that the page refused, or that could not be read', async () => {
    const { stacked, tell, messages, known } = opened();
    const { loads, arrive } = waiting('bcd');
    const all = stacked.oneByOne([async () => undefined, ...loads]);
    await new Promise(resolve => setImmediate(resolve));
    await arrive('b');
    tell('', 'b');
    await arrive('c');
    await arrive('d');
    await all;
    assert.deepEqual([messages(), known('bcd')], [['=b', '+cd'], 'cd']);
  });

  it('stacks what was asked for last', async () => {
    const { stacked, messages } = opened();
    const { loads, arrive } = waiting('bc');
    const all = stacked.oneByOne(loads);
    await arrive('b');
    stacked.replace([given('x')], true);
    await arrive('c');
    await all;
    assert.deepEqual(messages(), ['=b', '=x']);
  });
});
