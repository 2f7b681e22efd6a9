/**
 * System profiles in Parquet, by the fields of the published schema 7.4.0: read as the same events in JSON are. And what is done with a system
 * profile whatever it was read from: filters in the words of AWS's options, and the summary.
 */
import assert from 'node:assert/strict';
import { hostCopies } from '../../../src/simulator/analyze/hostCopies';
import { systemSummary } from '../../../src/simulator/analyze/systemSummary';
import { FormatError } from '../../../src/simulator/columns/container';
import { readSystemJson } from '../../../src/simulator/formats/capture/system/json';
import { readSystemTables } from '../../../src/simulator/formats/capture/system/tables';
import { summaryJson } from '../../../src/simulator/formats/summaryJson';
import { summaryText } from '../../../src/simulator/formats/summaryText';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { filteredSystem, type SystemFilter } from '../../../src/simulator/profile/systemFilter';
import { groupedSystem, type SystemGrouping } from '../../../src/simulator/profile/systemRows';
import { readProfile } from '../../../src/simulator/service/reading/profileAt';
import { counterKinds } from '../../../src/webview/data/counters';
import { modelOf } from '../../../src/webview/data/systemModel';
import { type ExplorerRows, explorerTable } from '../../support/explorerTable';
import { FIRST_NS, INSTANCE, systemEvents, systemJson, systemTableRows } from '../../support/systemTrace';
import { temporaryFolder } from '../../support/temporary';

const nameOf = (p: Profile, event: number) => p.opcodes[p.instructions.opcode[event]];
const json = readSystemJson([new TextEncoder().encode(systemJson())], { name: 'system' });

const readTables = (tables: Record<string, ExplorerRows>) =>
  readSystemTables(new Map(Object.entries(tables).map(([name, rows]) => [`${name}.parquet`, explorerTable(rows)])), { name: 'system' });

/** Times since the first event, names and rows of all events. */
function saidOf(p: Profile): string[] {
  const { startNs, endNs, track } = p.instructions;
  return Array.from(startNs, (ns, e) => [ns - startNs[0], endNs[e] - startNs[0], nameOf(p, e), p.tracks[track[e]].name].join()).sort();
}

/** Each event with the one that it follows. */
const chainOf = (p: Profile) =>
  Array.from(p.instructions.blocker, (before, e) => (before < 0 ? '' : `${nameOf(p, e)} after ${nameOf(p, before)} at ${e}`)).filter(
    Boolean,
  );

const countOf = (p: Profile, name: string) => Array.from(p.instructions.opcode).filter(opcode => p.opcodes[opcode] === name).length;

describe('system profiles in Parquet', () => {
  const folder = temporaryFolder();

  it('have the events, rows and sources of the same profile in JSON, to the nanosecond', async () => {
    const p = await readTables({ SystemProfileEvents: systemTableRows() });
    assert.deepEqual(saidOf(p), saidOf(json));
    assert.equal(p.system?.startUnixNs, String(FIRST_NS + 2000n));
    assert.equal(p.system?.syncPoints, 6);
    assert.deepEqual(decodeProfile(encodeProfile(p)), p);
  });

  it('link the framework to the runtime, and the runtime to the device, by lists of flows', async () => {
    const flowsOf = systemEvents().map(({ flow_id }) => (flow_id as string[] | undefined) ?? []);
    // without the numbers of executions, which link the runtime to the device, too
    const rows = systemTableRows().map((row, k) => ({ ...row, extra_attributes_json: '{}', flow_id: flowsOf[k] }));
    const p = await readTables({ SystemProfileEvents: rows });
    assert.deepEqual(
      chainOf(p),
      chainOf(json).filter(link => !link.startsWith('cc_running') && !link.startsWith('timestamp_sync_point')),
    );
    assert.equal(chainOf(p).length, 12);
  });

  it('link an execution on the device to the call of the runtime by the number of the execution among the further attributes', async () => {
    const p = await readTables({ SystemProfileEvents: systemTableRows() });
    let linked = 0;
    for (let event = 0; event < p.instructions.startNs.length; event++) {
      if (nameOf(p, event) !== 'nc_exec_running') continue;
      assert.equal(nameOf(p, p.instructions.blocker[event]), 'nrt_execute');
      linked++;
    }
    assert.equal(linked, 6);
  });

  it('have samples of host CPUs, host memory and HBM', async () => {
    const at = (n: number) => ({ timestamp: FIRST_NS + BigInt(n) * 500_000n, instance_id: INSTANCE });
    const p = await readTables({
      SystemProfileEvents: systemTableRows(),
      CpuUsage: [0, 1].map(n => ({ ...at(n), util_percent: 25 * n, cpu_id: 'average' })),
      HostMemUsage: [0, 1].map(n => ({ ...at(n), used_bytes: 1000 + n })),
      SystemProfileHbmUsage: [0, 1].map(n => ({ ...at(n), total_bytes: 2 ** 33 + n, device_idx: 2, hbm_idx: 1 })),
    });
    assert.deepEqual(
      p.system?.samples.map(({ name, unit, timesNs, values }) => [name, unit, timesNs, values]),
      [
        [`${INSTANCE}/CPU:average/host_cpu_util`, 'share', [0, 500_000], [0, 0.25]],
        [`${INSTANCE}/host_mem`, 'bytes', [0, 500_000], [1000, 1001]],
        [`${INSTANCE}/device:2/HBM:1`, 'bytes', [0, 500_000], [2 ** 33, 2 ** 33 + 1]],
      ],
    );
  });

  it('have what uses HBM, without the categories that are empty all the time', async () => {
    const row = (n: number, bytes: Record<string, number>) => ({
      ...{ timestamp: FIRST_NS + BigInt(n) * 1000n, instance_id: INSTANCE, device_idx: 0, hbm_idx: 0 },
      ...{ weights_bytes: 0, tensors_bytes: 0, unknown_bytes: 0, ...bytes },
    });
    const p = await readTables({
      SystemProfileEvents: systemTableRows(),
      SystemProfileHbmUsage: [
        row(0, { total_bytes: 500, weights_bytes: 500 }),
        row(1, { total_bytes: 700, weights_bytes: 500, tensors_bytes: 200 }),
        row(2, { total_bytes: 500, weights_bytes: 500 }),
      ],
    });
    const hbm = `${INSTANCE}/device:0/HBM:0`;
    assert.deepEqual(
      p.system?.samples.map(({ name, timesNs, values }) => [name, timesNs, values]),
      [
        [hbm, [0, 1000, 2000], [500, 700, 500]],
        [`${hbm}/weights`, [0, 1000, 2000], [500, 500, 500]],
        [`${hbm}/tensors`, [1000, 2000], [200, 0]],
      ],
    );
  });

  it('say what the profiler warns of', async () => {
    const message = '12 events were dropped.';
    const p = await readTables({ SystemProfileEvents: systemTableRows(), Warning: [{ message, category: 'Missing Data' }] });
    assert.match(summaryText(p), /The profiler warns: 12 events were dropped\./);
    assert.doesNotMatch(json.accuracy, /warns/);
  });

  it('are recognized as folders, also when the table is split, and filtered while they are read', async () => {
    const rows = systemTableRows();
    folder.write('run@latest/SystemProfileEvents_0.parquet', explorerTable(rows.slice(0, 9)));
    folder.write('run@latest/SystemProfileEvents_1.parquet', explorerTable(rows.slice(9)));
    const path = folder.path('run@latest');
    assert.deepEqual(saidOf(await readProfile({ path })), saidOf(json));
    const calls = await readProfile({ path, system: { eventTypes: ['nrt_execute'] } });
    assert.deepEqual([...new Set(Array.from(calls.instructions.opcode, opcode => calls.opcodes[opcode]))], ['nrt_execute']);
    assert.equal(calls.instructions.startNs.length, 6);
  });

  it('refuse damaged files and times that are none, naming the file', async () => {
    const [row] = systemTableRows();
    for (const [changed, message] of [
      [{ end_ts: FIRST_NS - 5n, duration_ns: -5n }, /SystemProfileEvents.parquet is damaged: duration_ns is -5/],
      [{ start_ts: 'soon' }, /SystemProfileEvents.parquet is damaged: start_ts is "soon", not a time/],
    ] as const)
      await assert.rejects(readTables({ SystemProfileEvents: [{ ...row, ...changed }] }), (error: Error) => {
        assert.ok(error instanceof FormatError, error.stack);
        assert.match(error.message, message);
        return true;
      });
    const cut = explorerTable(systemTableRows()).subarray(0, 300);
    await assert.rejects(
      readSystemTables(new Map([['SystemProfileEvents.parquet', cut]]), { name: 'x' }),
      /SystemProfileEvents.parquet is damaged/,
    );
  });
});

describe('filters of system profiles', () => {
  const second = 'i-0second';
  const others = systemEvents(1).map(row => ({
    ...row,
    instance_id: second,
    ...(row.lnc_idx !== undefined && { lnc_idx: '3' }),
    ...(Array.isArray(row.flow_id) && { flow_id: row.flow_id.map(id => `${id}b`) }),
  }));
  const events = [...systemEvents(), ...others];
  const p = readSystemJson([new TextEncoder().encode(systemJson(events))], { name: 'system' });
  const filtered = (filter: SystemFilter) => filteredSystem(p, filter);
  const executions = (filter: SystemFilter) => countOf(filtered(filter), 'nrt_execute');

  it('keep the events of a core, and those of no core', () => {
    assert.equal(executions({}), 8);
    assert.equal(executions({ cores: ['3'] }), 2);
    const kept = filtered({ cores: ['3'] });
    assert.equal(countOf(kept, 'PjitFunction(matmul)') + countOf(kept, 'model.py(42): forward'), 8, 'calls of the framework');
    assert.ok(
      kept.tracks.every(({ system }) => ['', '3'].includes(system!.ncIdx)),
      'rows without events are gone',
    );
  });

  it('keep the events of an instance', () => {
    assert.equal(executions({ instances: [second] }), 2);
    assert.equal(executions({ instances: [second, INSTANCE] }), 8);
    assert.throws(() => filtered({ instances: [second, 'i-none'] }), {
      name: 'FormatError',
      message: `it has no instance i-none: its instances are ${[INSTANCE, second].sort().join(', ')}`,
    });
  });

  it('keep events by name, of hardware or of software, and without those behind ^', () => {
    const names = (eventTypes: string[]) => {
      const kept = filtered({ eventTypes });
      return [...new Set(Array.from(kept.instructions.opcode, opcode => kept.opcodes[opcode]))].sort();
    };
    assert.deepEqual(names(['nrt_load', 'nc_exec_running']), ['nc_exec_running', 'nrt_load']);
    assert.deepEqual(names(['hardware']), ['cc_running', 'nc_exec_running', 'timestamp_sync_point']);
    assert.deepEqual(names(['hardware', '^timestamp_sync_point']), ['cc_running', 'nc_exec_running']);
    assert.deepEqual(names(['^hardware', '^nrt_load']), [
      'PjitFunction(matmul)',
      'model.py(42): forward',
      'nrt_execute',
      'nrt_tensor_read',
      'nrt_tensor_write',
    ]);
  });

  it('keep the chain between the events that stay', () => {
    const kept = filtered({ eventTypes: ['nrt_execute', 'nc_exec_running'] });
    for (let event = 0; event < kept.instructions.startNs.length; event++) {
      const before = kept.instructions.blocker[event];
      if (nameOf(kept, event) === 'nc_exec_running') assert.equal(nameOf(kept, before), 'nrt_execute');
      else assert.equal(before, -1, 'its call of the framework was left out');
    }
    assert.deepEqual(decodeProfile(encodeProfile(kept)), kept);
  });
});

describe('copies between host and device of a system profile', () => {
  const copy = (name: string, atNs: number, duration: number, more: Record<string, unknown> = {}) => ({
    ...{ instance_id: INSTANCE, process_id: '701', lnc_idx: '0', thread_id: 1000, group: 'nrt-nc-000', size: '4000' },
    ...{ name, timestamp: FIRST_NS + BigInt(atNs), duration, ...more },
  });
  const rates = (rows: ReturnType<typeof copy>[], grouping: SystemGrouping = 'default') =>
    hostCopies(groupedSystem(readSystemJson([new TextEncoder().encode(systemJson(rows))], { name: 'system' }), grouping)).map(
      ({ name, series }) => {
        const { timesNs, values } = series();
        return [name, [...timesNs], [...values]];
      },
    );

  it('are rates of each row and direction: the sum of those that run, their bytes over their time', () => {
    const [inward, outward] = ['dmem_buf_copyin', 'dmem_buf_copyout'];
    const rows = [
      copy(inward, 0, 4000),
      copy(inward, 1000, 1000),
      copy(outward, 5000, 2000),
      copy(inward, 6000, 1000, { lnc_idx: '1' }),
      // says no bytes; takes no time; is the call around a copy
      copy(inward, 7000, 1000, { size: undefined }),
      copy(inward, 9000, 0),
      copy('nrt_tensor_write', 0, 4000),
    ];
    assert.deepEqual(rates(rows), [
      ['host_to_device NC:0', [0, 1000, 2000, 4000], [1e9, 5e9, 1e9, 0]],
      ['device_to_host NC:0', [0, 5000, 7000], [0, 2e9, 0]],
      ['host_to_device NC:1', [0, 6000, 7000], [0, 4e9, 0]],
    ]);
    assert.deepEqual(rates(rows, 'instance'), [
      [`host_to_device ${INSTANCE}`, [0, 1000, 2000, 4000, 6000, 7000], [1e9, 5e9, 1e9, 0, 4e9, 0]],
      [`device_to_host ${INSTANCE}`, [0, 5000, 7000], [0, 2e9, 0]],
    ]);
    assert.deepEqual(rates([copy('nrt_tensor_write', 0, 4000)]), []);
  });

  it('are counters of the page, and so are samples, without the name of the only instance', async () => {
    const sample = { timestamp: FIRST_NS, total_bytes: 500, weights_bytes: 500, device_idx: 0, hbm_idx: 1 };
    const named = async (...instances: string[]) => {
      const copies = instances.map(instance_id => copy('dmem_buf_copyin', 0, 4000, { instance_id }));
      const p = await readTables({
        SystemProfileEvents: systemTableRows(copies),
        SystemProfileHbmUsage: instances.map(instance_id => ({ ...sample, instance_id })),
      });
      return counterKinds(modelOf(p, 'default').profile).map(({ name }) => name);
    };
    assert.deepEqual(await named('i-0a'), ['host_to_device NC:0', 'device:0/HBM:1', 'device:0/HBM:1/weights']);
    assert.deepEqual(await named('i-0a', 'i-0b'), [
      ...['host_to_device i-0a/PID:701/neuron_rt/NC:0', 'host_to_device i-0b/PID:701/neuron_rt/NC:0'],
      ...['i-0a/device:0/HBM:1', 'i-0a/device:0/HBM:1/weights', 'i-0b/device:0/HBM:1', 'i-0b/device:0/HBM:1/weights'],
    ]);
  });
});

describe('the summary of a system profile', () => {
  const events = systemEvents();
  const timeOf = (name: string) => events.filter(row => row.name === name).reduce((sum, { duration }) => sum + duration, 0);

  it('counts and sums the events by kind, and the executions by core', () => {
    const { instances, processes, kinds, cores } = systemSummary(json);
    assert.deepEqual([instances, processes], [[INSTANCE], 2]);
    for (const { name, count, timeNs, longestNs } of kinds) {
      const own = events.filter(row => row.name === name);
      assert.deepEqual([count, timeNs, longestNs], [own.length, timeOf(name), Math.max(...own.map(({ duration }) => duration))], name);
    }
    assert.equal(kinds.length, new Set(events.map(({ name }) => name)).size);
    assert.deepEqual(
      cores.map(({ row, executions, activeNs }) => [row.processId, row.ncIdx, row.coreIdx, executions, activeNs]),
      [
        ['701', '0', '4', 3, 600_000],
        ['702', '0', '5', 3, 600_000],
      ],
    );
  });

  it('is written as text and as JSON, in seconds', () => {
    const text = summaryText(json);
    assert.match(text, /nrt_execute +6 +1\.44 ms +240 µs +240 µs/);
    assert.match(text, /701 +NC0:4 +3 +600 µs +\d+/);
    const [metrics] = Object.values(JSON.parse(summaryJson(json)) as Record<string, Record<string, never>>);
    const load = (metrics.events as { name: string; count: number; total_time: number }[]).find(({ name }) => name === 'nrt_load')!;
    assert.equal(load.count, 2);
    assert.ok(Math.abs(load.total_time - 0.0018) < 1e-12);
    assert.deepEqual(
      (metrics.neuron_cores as { device_core_idx: string; execution_count: number }[]).map(core => [
        core.device_core_idx,
        core.execution_count,
      ]),
      [
        ['4', 3],
        ['5', 3],
      ],
    );
  });
});
