/** System profiles as JSON: rows, times, chains, clocks, samples; and what is no such file. */
import assert from 'node:assert/strict';
import { FormatError } from '../../../src/simulator/columns/container';
import { profileContainer } from '../../../src/simulator/formats/anyFile';
import { readSystemJson } from '../../../src/simulator/formats/capture/system/json';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { groupedSystem, SYSTEM_GROUPINGS, type SystemGrouping } from '../../../src/simulator/profile/systemRows';
import { FIRST_NS, systemEvents, systemJson } from '../../support/systemTrace';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readSystemJson([bytesOf(text)], { name: 'system_profile' });
const nameOf = (p: Profile, event: number) => p.opcodes[p.instructions.opcode[event]];
const rowsOf = (p: Profile) => p.tracks.map(({ name }) => name);

describe('system profiles as JSON', () => {
  const p = read(systemJson());

  it('have every event, to the nanosecond, however many digits its time has', () => {
    const rows = systemEvents();
    const firstNs = rows.reduce((least, { timestamp }) => (timestamp < least ? timestamp : least), FIRST_NS);
    const expected = rows.map(({ name, timestamp, duration }) => `${Number(timestamp - firstNs)} ${duration} ${name}`).sort();
    const { startNs, endNs } = p.instructions;
    assert.deepEqual(Array.from(startNs, (ns, event) => `${ns} ${endNs[event] - ns} ${nameOf(p, event)}`).sort(), expected);
    assert.equal(p.system?.startUnixNs, String(firstNs));
    assert.deepEqual(decodeProfile(encodeProfile(p)), p);
    assert.deepEqual(decodeProfile(profileContainer(bytesOf(systemJson()), 'system_profile')), p, 'recognized by its first bytes');
  });

  it('have a row for each thread of a host and each core of a device, of each process', () => {
    const default_ = groupedSystem(p, 'default');
    assert.deepEqual(
      rowsOf(default_),
      ['701', '702'].flatMap((process, worker) =>
        ['framework/TID:80375131', 'neuron_rt/NC:0', `neuron_hw/NC0:${4 + worker}`].map(row => `PID:${process}/${row}`),
      ),
    );
    const grouped = (grouping: SystemGrouping) => rowsOf(groupedSystem(p, grouping));
    assert.deepEqual(grouped('process'), ['PID:701', 'PID:702']);
    assert.deepEqual(grouped('instance').length, 1);
    assert.deepEqual(grouped('core'), ['no NC', 'NC:0']);
    assert.deepEqual(grouped('thread'), ['PID:701/TID:80375131', 'PID:701/TID:1000', 'PID:702/TID:80375131', 'PID:702/TID:1001']);
    for (const grouping of Object.keys(SYSTEM_GROUPINGS) as SystemGrouping[]) {
      const regrouped = groupedSystem(p, grouping);
      assert.deepEqual(decodeProfile(encodeProfile(regrouped)), regrouped);
    }
  });

  it('link the framework to the runtime, and the runtime to the device', () => {
    for (let event = 0; event < p.instructions.startNs.length; event++) {
      const before = p.instructions.blocker[event];
      const name = nameOf(p, event);
      if (name === 'nc_exec_running') assert.equal(nameOf(p, before), 'nrt_execute');
      else if (name === 'nrt_execute') assert.match(nameOf(p, before), /forward|PjitFunction/);
      else if (name !== 'cc_running' && name !== 'timestamp_sync_point') assert.equal(before, -1, name);
      const rowOf = (e: number) => p.tracks[p.instructions.track[e]].system;
      if (before >= 0) assert.equal(rowOf(before)?.processId, rowOf(event)?.processId);
    }
  });

  it('say how the clocks of host and device are aligned, or that this is not known', () => {
    assert.equal(p.system?.syncPoints, 6);
    assert.match(p.accuracy, /on the clock of the host: the runtime moved events of the device there, by 6 points/);
    const without = systemEvents().filter(({ name }) => name !== 'timestamp_sync_point');
    assert.match(read(systemJson(without)).accuracy, /how far they are from the clock of the host is not known/);
    const host = without.filter(({ name }) => !/_running/.test(name));
    assert.match(read(systemJson(host)).accuracy, /All rows are on the clock of the host\.$/);
  });

  it('have samples of CPUs and memory, and the source of framework events', () => {
    assert.deepEqual(
      p.system?.samples.map(({ name, values }) => [name.split('/').slice(1).join('/'), values]),
      [
        ['CPU:47/host_cpu_util', [0, 0.025, 0.05]],
        ['host_mem', [51805806592, 51805806593, 51805806594]],
      ],
    );
    const forward = Array.from(p.instructions.opcode).findIndex(opcode => p.opcodes[opcode].includes('forward'));
    const frame = p.instructions.frame[forward];
    assert.deepEqual([p.files[p.frames.file[frame]].path, p.frames.line[frame]], ['model.py', 42]);
  });

  it('refuse what is none of it, naming the section and the field', () => {
    const refused: [string, RegExp][] = [
      ['{"trace_event": []}', /no events/],
      ['{"trace_event": [{"name": "nrt_load"}]}', /in trace_event, timestamp is missing, not a time/],
      ['{"trace_event": [{"name": "x", "timestamp": 5, "duration": -1}]}', /duration is -1: it cannot be negative/],
      ['{"trace_event": [{"name": "x", "timestamp": 5, "timestamp_unit": "us"}]}', /timestamp_unit is "us", not "ns"/],
      [`{"trace_event": [{"timestamp": 1}, {"timestamp": ${10n ** 19n}}]}`, /more than 104 days apart/],
    ];
    for (const [text, message] of refused)
      assert.throws(
        () => read(text),
        (error: Error) => error instanceof FormatError && message.test(error.message),
      );
    const many = Array.from({ length: 5000 }, (_, n) => ({ name: 'x', timestamp: FIRST_NS + BigInt(n), duration: 1, thread_id: n }));
    assert.throws(() => read(systemJson(many)), /more than 4096 threads and cores/);
  });
});
