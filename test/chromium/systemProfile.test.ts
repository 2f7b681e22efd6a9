/** A system profile in the page: its rows and their groups, its summary, what an event says, the chain from host to device, CPU samples. */
import assert from 'node:assert/strict';
import { readSystemJson } from '../../src/simulator/formats/capture/system/json';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { faultsOf } from '../support/axe';
import { syntheticProfile } from '../support/syntheticProfile';
import { MODEL_ID, systemEvents, systemJson } from '../support/systemTrace';
import { usingTimeline } from './harness';

const profile = readSystemJson([new TextEncoder().encode(systemJson(systemEvents(6)))], { name: 'system_profile' });

describe('a system profile in Chromium', () => {
  const t = usingTimeline(profile);
  const rowNames = () => t.find('.labels .label .name').allTextContents();
  const eventNamed = (name: string) => Array.from(profile.instructions.opcode).findIndex(opcode => profile.opcodes[opcode] === name);

  it('has a row for each thread and core, says what it is, and names no target', async () => {
    await t.open();
    assert.deepEqual((await rowNames()).slice(0, 3), [
      'PID:701/framework/TID:80375131',
      'PID:701/neuron_rt/NC:0',
      'PID:701/neuron_hw/NC0:4',
    ]);
    assert.match(await t.text('.facts'), /^system profiletotal/);
    assert.doesNotMatch(await t.text('.app'), /trn2|NCL/);
    assert.match(await t.text('.detailsBody'), /2 processes on 1 instance: i-0f207.*by 12 points at which it read both clocks/);
    assert.match(await t.text('table[aria-label="NeuronCores"]'), /701NC0:46/);
    assert.match(await t.text('table[aria-label="Events"]'), /neuron_hwnc_exec_running12/);
    await t.screenshot('system');
  });

  it('has no tabs for what only the profile of a kernel has', async () => {
    await t.open();
    const tabs = await t.tabs();
    for (const id of ['memory', 'tensors', 'values', 'advice', 'whatIf', 'launches'] as const) assert.ok(!tabs.includes(id), id);
    for (const id of ['summary', 'details', 'path', 'events', 'compare'] as const) assert.ok(tabs.includes(id), id);
  });

  it('an execution tells its place and attributes, and leads back to the call that asked for it', async () => {
    await t.open();
    const execution = eventNamed('nc_exec_running');
    await t.press('/');
    await t.page.keyboard.type('opcode:nc_exec_running');
    await t.page.keyboard.press('Enter');
    await t.settle();
    assert.equal(await t.selected(), execution);
    await t.tab('details');
    const said = await t.text('.detailsBody');
    for (const text of ['neuron_hw', 'i-0f207fb2a99bd2d08', '701', 'model_id=14382885777943380728']) assert.ok(said.includes(text), text);
    await t.press('[');
    assert.equal(profile.opcodes[profile.instructions.opcode[(await t.selected())!]], 'nrt_execute');
    await t.press('[');
    assert.match(profile.opcodes[profile.instructions.opcode[(await t.selected())!]], /forward/);
    await t.screenshot('system-details');
  });

  it('a device profile below stands at an execution with its ids, and moves to the one that is chosen', async () => {
    await t.open({ viewport: { width: 1600, height: 1000 } });
    await t.tab('compare');
    const device = { ...syntheticProfile(40, 3), simulated: false };
    const file = {
      name: `device_profile_model_${MODEL_ID}.nkiprof`,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(encodeNkiprof(device)),
    };
    await t.find('input[type="file"][accept=".nkiprof"]').setInputFiles(file);
    const head = t.find('.stackHead').nth(1);
    await head.filter({ hasText: 'at execution 1 of 12, which of them was recorded is not known' }).waitFor();
    await t.press('/');
    await t.page.keyboard.type('opcode:nc_exec_running');
    await t.page.keyboard.press('Enter');
    await t.press('n', 'n');
    await t.tab('details');
    const chosen = (await t.selected())!;
    await t.find('.link').filter({ hasText: 'Show B here' }).click();
    await head.filter({ hasText: /at execution [2-9] of 12/ }).waitFor();
    await t.page.waitForFunction(
      ({ from, to }) => {
        const [startNs, endNs] = document.querySelector<HTMLElement>('.app')!.dataset.span!.split(' ').map(Number);
        return startNs <= from && endNs >= to && endNs - startNs < 3 * (to - from);
      },
      { from: profile.instructions.startNs[chosen], to: profile.instructions.endNs[chosen] },
    );
    await t.settle();
    assert.match(await t.text('.detailsBody'), /B is at this execution device_profile_model_\d+\.nkiprof, same ids/);
    await t.screenshot('system-device');
  });

  it('its rows are grouped in another way, and the selection stays', async () => {
    await t.open();
    await t.press('.');
    const selected = await t.selected();
    const group = async (name: string) => {
      await t.page.getByRole('button', { name: 'View', exact: true }).click();
      await t.find('select[aria-label="System rows by"]').selectOption({ label: name });
      await t.page.keyboard.press('Escape');
      await t.settle();
    };
    await group('process');
    assert.deepEqual(await rowNames(), ['PID:701', 'PID:702']);
    assert.equal(await t.selected(), selected);
    await group('NeuronCore');
    assert.deepEqual(await rowNames(), ['no NC', 'NC:0']);
  });

  for (const colorScheme of ['dark', 'light'] as const)
    it(`axe finds nothing in any tab, ${colorScheme}`, async () => {
      await t.open({ colorScheme, viewport: { width: 1280, height: 720 } });
      assert.deepEqual(await faultsOf(t.page), []);
      await t.screenshot(`system-${colorScheme}`);
      await t.press('.');
      for (const id of await t.tabs()) {
        await t.tab(id);
        assert.deepEqual(await faultsOf(t.page), [], id);
      }
    });
});
