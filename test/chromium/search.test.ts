/** The search language in the page: fields, AND, NOT, numbers, regular expressions; the summary and the way through the matches. */
import assert from 'node:assert/strict';
import { syntheticProfile } from '../support/syntheticProfile';
import { usingTimeline } from './harness';

const profile = syntheticProfile(600);
const { instructions, transfers } = profile;

describe('search in Chromium', () => {
  const t = usingTimeline(profile);

  async function search(text: string) {
    await t.press('Escape', '/');
    await t.page.keyboard.type(text);
    await t.page.waitForTimeout(200);
    await t.settle();
    return Number((await t.text('.searching .count')).replace(/.*\/ /, '').replace('none', '0').replace(/\s/g, ''));
  }
  const count = (accepts: (i: number) => boolean) => [...instructions.opcode.keys()].filter(accepts).length;
  const opcode = (i: number) => profile.opcodes[instructions.opcode[i]];

  it('looks in fields, joined by AND, turned around by NOT, compared with numbers', async () => {
    await t.open();
    const long = (i: number) => instructions.endNs[i] - instructions.startNs[i] > 500;
    assert.equal(
      await search('opcode:ACTIVATE'),
      count(i => opcode(i) === 'ACTIVATE'),
    );
    assert.equal(
      await search('opcode:ACTIVATE AND duration>0.5us'),
      count(i => opcode(i) === 'ACTIVATE' && long(i)),
    );
    assert.equal(
      await search('opcode:ACTIVATE duration>500'),
      count(i => opcode(i) === 'ACTIVATE' && long(i)),
    );
    assert.equal(
      await search('kind:instruction AND NOT opcode:/^ACTIVATE$/'),
      count(i => opcode(i) !== 'ACTIVATE'),
    );
    assert.equal(await search('queue:qSyncIO0'), transfers.track.filter(track => profile.tracks[track].name === 'qSyncIO0').length);
    assert.equal(await search('bytes>1MiB'), 0);
    assert.equal(
      await search('loop:i=3'),
      [...instructions.iteration, ...transfers.iteration].filter(i => profile.iterations.value[i] === 3).length,
    );
    assert.equal(await search('nki_source_location:/./'), 750, 'every event has a source line');
    assert.equal(
      await search('stall:data'),
      count(i => instructions.stall[i] === 1),
    );
  });

  it('says what is wrong with a query', async () => {
    await t.open();
    await search('duration>soon');
    assert.match(await t.text('.searching .count'), /not a query/);
    await t.tab('search');
    assert.match(await t.text('.problem'), /“duration>soon” compares with no number/);
    await search('/(/');
    await t.page.waitForTimeout(250);
    assert.match(await t.text('.problem'), /regular expression/i);
  });

  it('summarises what it found in view, lists it, marks it, and walks through it', async () => {
    await t.open();
    const matmuls = await search('opcode:MATMUL');
    await t.page.keyboard.press('Enter');
    await t.page.waitForTimeout(250);
    assert.match(await t.text('.detailsBody header'), new RegExp(`${matmuls} results`));
    assert.match(await t.text('.figures'), new RegExp(`Event Count${matmuls}.*Event Duration Active`));
    const first = await t.selected();
    await t.press('n');
    const second = await t.selected();
    assert.ok(second !== first && opcode(second!) === 'MATMUL');
    await t.press('Shift+n');
    assert.equal(await t.selected(), first);
    await t.find('table[aria-label="Matches"] tbody tr').nth(5).click();
    assert.equal(opcode((await t.selected())!), 'MATMUL');
    assert.match(await t.text('.notes .marked'), /events match opcode:MATMUL/);
    await t.screenshot('search');
  });

  it('explains its fields in place; an example can be tried', async () => {
    await t.open();
    await t.tab('search');
    assert.match(await t.text('.queryHelp'), /nki_source_location.*evt_wait_time/s);
    await t.find('.queryHelp .link').filter({ hasText: 'opcode:MATMUL' }).click();
    await t.settle();
    assert.equal(await t.text('.searching .count'), String(count(i => opcode(i) === 'MATMUL')));
  });
});
