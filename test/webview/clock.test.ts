/** Device profiles on the clock of a system profile: by the ids of names and events, or by choice; and what is not known. */
import assert from 'node:assert/strict';
import { deviceIds, executionsOf } from '../../src/simulator/analyze/executions';
import { readSystemJson } from '../../src/simulator/formats/capture/system/json';
import { onClock } from '../../src/webview/data/clock';
import { MODEL_ID, systemEvents, systemJson } from '../support/systemTrace';
import { tinyProfile } from '../support/tinyProfile';

const read = (rows = systemEvents()) => readSystemJson([new TextEncoder().encode(systemJson(rows))], { name: 'system_profile' });
const system = { title: 'system_profile.json', profile: read() };
const device = tinyProfile({ events: [{ line: 1, track: 'Vector', ready: 40, start: 50, end: 90 }] });
const startOf = (event: number) => system.profile.instructions.startNs[event];

describe('profiles on one clock', () => {
  it('a device profile stands at the first execution that its name fits, by model, process and core', () => {
    const executions = executionsOf(system.profile);
    const at = (title: string, chosen?: number) => onClock(system, { title, profile: device }, chosen);
    const processOf = (event: number) => system.profile.tracks[system.profile.instructions.track[event]].system?.processId;
    for (const [title, event] of [
      [`device_profile_model_${MODEL_ID}.json`, executions[0]],
      [`i-0f207fb2a99bd2d08_pid_702/${MODEL_ID}_instid_0_vnc_0.ntff`, executions.find(one => processOf(one) === '702')],
    ] as const) {
      const placed = at(title);
      assert.equal(placed.execution, event);
      assert.equal(placed.shiftNs, 50 - startOf(event!), 'its first instruction begins with the execution');
      assert.match(placed.clock ?? '', /^at execution 1 of \d, which of them was recorded is not known$/);
    }
    const chosen = at('mine.nkiprof', executions[3]);
    assert.deepEqual([chosen.shiftNs, chosen.clock], [50 - startOf(executions[3]), 'at execution 4 of 6, as chosen']);
  });

  it('says when no execution has the ids of the name', () => {
    for (const title of ['device_profile_model_1.json', `${MODEL_ID}_instid_0_vnc_7.ntff`, 'mine.nkiprof']) {
      const { clock, execution } = onClock(system, { title, profile: device });
      assert.match(clock ?? '', /^clock not known/);
      assert.equal(execution, undefined);
    }
  });

  it('is the same the other way round: the system profile above a device profile', () => {
    const own = { title: `device_profile_model_${MODEL_ID}.json`, profile: device };
    assert.equal(onClock(own, system).shiftNs, -onClock(system, own).shiftNs);
  });

  it('two system profiles stand by their Unix times, two kernels by their bodies', () => {
    const later = read(systemEvents().map(row => ({ ...row, timestamp: row.timestamp + 5_000_000n })));
    // its CPU samples are as early as before
    const [a, b] = [system.profile, later].map(p => BigInt(p.system!.startUnixNs));
    assert.deepEqual(onClock(system, { title: 'later', profile: later }), { shiftNs: Number(a - b), clock: 'by Unix time' });
    assert.deepEqual(onClock({ title: 'a', profile: device }, { title: 'b', profile: { ...device, bodyStartNs: 30 } }), { shiftNs: 30 });
  });

  it('reads the ids of names as AWS documents them', () => {
    assert.deepEqual(deviceIds('device_profile_model_12.json'), { modelId: '12' });
    assert.deepEqual(deviceIds('i-012590440bb9fd263_pid_98399/14382885777943380728_instid_0_vnc_10.ntff'), {
      modelId: '14382885777943380728',
      ncIdx: '10',
      instanceId: 'i-012590440bb9fd263',
      processId: '98399',
    });
    assert.deepEqual(deviceIds('profile_nc_3_session_1.ntff'), { ncIdx: '3' });
    assert.deepEqual(deviceIds('softmax.nkiprof'), {});
  });
});
