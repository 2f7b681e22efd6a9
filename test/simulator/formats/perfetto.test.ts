import assert from 'node:assert/strict';
import protobuf from 'protobufjs';
import { anchorOf } from '../../../src/simulator/analyze/anchors';
import { semaphoreUpdates } from '../../../src/simulator/analyze/semaphoreUpdates';
import { readSystemJson } from '../../../src/simulator/formats/capture/system/json';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import type { SystemGroups } from '../../../src/simulator/formats/perfetto/systemTrace';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
import { INSTANCE, systemEvents, systemJson } from '../../support/systemTrace';
import { tinyProfile } from '../../support/tinyProfile';

/** Written from the published protos, not from our writer: what we emit must mean this to Perfetto. */
const PROTO = `
syntax = "proto2";
message Trace { repeated TracePacket packet = 1; }
message TracePacket {
  optional uint64 timestamp = 8;
  optional uint32 trusted_packet_sequence_id = 10;
  optional TrackEvent track_event = 11;
  optional InternedData interned_data = 12;
  optional uint32 sequence_flags = 13;
  optional TrackDescriptor track_descriptor = 60;
}
message TrackDescriptor {
  optional uint64 uuid = 1;
  optional string name = 2;
  optional ProcessDescriptor process = 3;
  optional ThreadDescriptor thread = 4;
  optional uint64 parent_uuid = 5;
  optional CounterDescriptor counter = 8;
  optional int32 child_ordering = 11;
  optional int32 sibling_order_rank = 12;
}
message ProcessDescriptor { optional int32 pid = 1; optional string process_name = 6; }
message ThreadDescriptor { optional int32 pid = 1; optional int32 tid = 2; optional string thread_name = 5; }
message CounterDescriptor { optional int32 unit = 3; optional string unit_name = 6; }
message TrackEvent {
  repeated DebugAnnotation debug_annotations = 4;
  optional int32 type = 9;
  optional uint64 name_iid = 10;
  optional uint64 track_uuid = 11;
  optional uint64 source_location_iid = 34;
  optional double double_counter_value = 44;
  repeated fixed64 flow_ids = 47;
  repeated fixed64 terminating_flow_ids = 48;
}
message DebugAnnotation { optional uint64 name_iid = 1; optional int64 int_value = 4; optional string string_value = 6; }
message InternedData {
  repeated InternedName event_names = 2;
  repeated InternedName debug_annotation_names = 3;
  repeated SourceLocation source_locations = 4;
}
message InternedName { optional uint64 iid = 1; optional string name = 2; }
message SourceLocation { optional uint64 iid = 1; optional string file_name = 2; optional string function_name = 3; optional uint32 line_number = 4; }
`;
const Trace = protobuf.parse(PROTO, { keepCase: true }).root.lookupType('Trace');

interface Slice {
  /** Name of the track's process. */
  process: string;
  track: string;
  name: string;
  start: number;
  end: number;
  args: Record<string, string | number>;
  source: string;
  out: string[];
  into: string[];
}

interface Decoded {
  slices: Slice[];
  instants: { track: string; name: string; time: number; value: number }[];
  counts: { track: string; time: number; value: number }[];
  threads: string[];
  process: string;
  units: Record<string, string>;
}

interface Interned {
  iid: string;
  name: string;
}

interface Packet {
  timestamp: string;
  trusted_packet_sequence_id: number;
  sequence_flags: number;
  track_descriptor?: {
    uuid: string;
    name?: string;
    process?: { pid: number; process_name: string };
    thread?: { pid: number; thread_name: string };
    counter?: { unit_name: string };
  };
  interned_data?: {
    event_names?: Interned[];
    debug_annotation_names?: Interned[];
    source_locations?: { iid: string; function_name: string; file_name: string; line_number: number }[];
  };
  track_event?: {
    type: number;
    track_uuid: string;
    name_iid: string;
    source_location_iid: string;
    double_counter_value: number;
    debug_annotations?: { name_iid: string; string_value?: string; int_value?: string }[];
    flow_ids?: string[];
    terminating_flow_ids?: string[];
  };
}

/** What a reader of the format makes of the packets: interned names resolved, begins matched with ends per track. */
function decode(p: Profile, flows = false, groups?: SystemGroups): Decoded {
  const bytes = Buffer.concat([...perfettoChunks(p, { flows, groups })]);
  const packet = Trace.toObject(Trace.decode(bytes), { longs: String }).packet as Packet[];
  const result: Decoded = { slices: [], instants: [], counts: [], threads: [], process: '', units: {} };
  const [events, annotations, locations] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  const [tracks, processes, processOf] = [new Map<string, string>(), new Map<number, string>(), new Map<string, string>()];
  const open = new Map<string, Slice>();
  assert.equal(packet[0].sequence_flags, 1, 'the first packet clears the state');
  for (const { timestamp, track_event: e, track_descriptor: d, interned_data: n, trusted_packet_sequence_id: sequence } of packet) {
    assert.equal(sequence, 1);
    for (const { iid, name } of n?.event_names ?? []) events.set(iid, name);
    for (const { iid, name } of n?.debug_annotation_names ?? []) annotations.set(iid, name);
    for (const s of n?.source_locations ?? []) locations.set(s.iid, `${s.function_name} ${s.file_name}:${s.line_number}`);
    if (d?.process) {
      result.process = d.process.process_name;
      processes.set(d.process.pid, d.process.process_name);
    }
    if (d?.thread) processOf.set(d.uuid, processes.get(d.thread.pid)!);
    if (d) tracks.set(d.uuid, d.thread?.thread_name ?? d.name ?? d.process!.process_name);
    if (d?.thread) result.threads.push(d.thread.thread_name);
    if (d?.counter) result.units[d.name!] = d.counter.unit_name;
    if (!e) continue;
    const track = tracks.get(e.track_uuid)!;
    assert.ok(track, 'a track is described before it is used');
    const args: Record<string, string | number> = {};
    for (const a of e.debug_annotations ?? []) args[annotations.get(a.name_iid)!] = a.string_value ?? Number(a.int_value);
    if (e.type === 1) {
      assert.ok(!open.has(e.track_uuid), 'slices of a thread do not overlap');
      const process = processOf.get(e.track_uuid) ?? '';
      const named = { process, track, name: events.get(e.name_iid)!, start: Number(timestamp), end: -1, args };
      open.set(e.track_uuid, {
        ...named,
        source: locations.get(e.source_location_iid) ?? '',
        out: e.flow_ids ?? [],
        into: e.terminating_flow_ids ?? [],
      });
    } else if (e.type === 2) {
      result.slices.push({ ...open.get(e.track_uuid)!, end: Number(timestamp) });
      open.delete(e.track_uuid);
    } else if (e.type === 3)
      result.instants.push({ track, name: events.get(e.name_iid)!, time: Number(timestamp), value: Number(args.value) });
    else result.counts.push({ track, time: Number(timestamp), value: e.double_counter_value });
  }
  assert.equal(open.size, 0, 'every slice ends');
  return result;
}

describe('perfetto', () => {
  const p = syntheticProfile(400);
  const decoded = decode(p);

  it('has one slice per instruction, transfer and DMA-engine stretch, with the profile’s times', () => {
    const { instructions: e, transfers: t, dmaSlices: s } = p;
    const events = decoded.slices.filter(({ track }) => !track.startsWith('Warning: '));
    assert.equal(events.length, e.startNs.length + t.startNs.length + s.startNs.length);
    const byId = new Map(decoded.slices.filter(slice => 'id' in slice.args).map(slice => [slice.args.id, slice]));
    for (let i = 0; i < e.startNs.length; i++) {
      const slice = byId.get(i)!;
      assert.deepEqual([slice.start, slice.end], [Math.round(e.startNs[i]), Math.round(e.endNs[i])]);
      assert.equal(slice.name, p.opcodes[e.opcode[i]]);
      assert.equal(slice.track.replace(/ - Row \d+$/, ''), `${p.tracks[e.track[i]].name} Engine`);
    }
    for (let i = 0; i < t.startNs.length; i++) {
      const slice = byId.get(e.startNs.length + i)!;
      assert.deepEqual([slice.start, slice.end, slice.args.transfer_size], [Math.round(t.startNs[i]), Math.round(t.endNs[i]), t.bytes[i]]);
      assert.equal(slice.name, p.strings[t.variable[i]]);
    }
  });

  it('names process, threads, semaphores and counters as Neuron does', () => {
    assert.equal(decoded.process, 'Instructions');
    for (const name of ['TensorMatrix Engine - Row 0', 'Vector Engine - Row 0', 'qSyncIO0 - Row 0', 'DMA Engine 0 - Row 0'])
      assert.ok(decoded.threads.includes(name), name);
    assert.ok(decoded.instants.every(i => /^S\[\d+\] \(\w+\)$/.test(i.name) && i.track === i.name));
    assert.deepEqual(decoded.units, {
      'DMA Throughput': 'bytes/s',
      'Pending DMA Count': 'DMAs',
      'TensorMatrix Utilization': 'fraction',
      'Sb Usage': 'bytes',
      'Psum Usage': 'bytes',
    });
  });

  it('has every semaphore update and every counter step', () => {
    const updates = semaphoreUpdates(p);
    assert.deepEqual(
      decoded.instants.map(i => [i.time, i.value]),
      Array.from(updates.timeNs, (time, i) => [Math.round(time), updates.value[i]]),
    );
    assert.ok(decoded.counts.filter(c => c.track === 'DMA Throughput').length > 10);
    assert.equal(decoded.counts.filter(c => c.track === 'Pending DMA Count').at(-1)!.value, 0);
  });

  it('gives a slice its arguments and its source line', () => {
    const tiny = tinyProfile({
      events: [
        { line: [4, 7], track: 'Scalar', ready: 0, start: 10.4, end: 99.6, stall: 'dma', blocker: 1, opcode: 'ACTIVATE', operands: 'EXP' },
      ],
      dmas: [{ line: 2, ready: 0, start: 0, end: 9, bytes: 4096, trigger: -1 }],
    });
    const [activate, transfer] = decode(tiny, true).slices;
    assert.equal(activate.source, 'tiled /kernels/tiled.py:4');
    assert.deepEqual(activate.args, {
      opcode: 'ACTIVATE',
      operands: 'EXP',
      label: 'Scalar',
      subgroup: 'Scalar',
      nki_source_location: '/kernels/tiled.py:4',
      waited_for: 'DMA',
      timestamp: 10,
      duration: 90,
      evt_wait_time: 10,
      pc: 0,
      id: 0,
    });
    assert.equal(transfer.args.direction, 'hbm->sbuf');
    assert.deepEqual(transfer.out, activate.into, 'the arrow goes from the DMA to who waited for it');
  });

  it('has annotations on a row of their own, each at its event, with its note and its line', () => {
    const tiny = tinyProfile({ events: [{ line: 4, track: 'Scalar', ready: 0, start: 10.4, end: 99.6, opcode: 'ACTIVATE' }] });
    const anchor = anchorOf(tiny, 0, 99.6);
    const annotations = [
      { name: 'done', timeNs: 5, series: 0, note: 'late', anchor },
      { name: 'a time', timeNs: 42, series: 1 },
      { name: 'gone', timeNs: 7, series: 2, anchor: { ...anchor, iteration: 'i=7' } },
    ];
    const own = decode({ ...tiny, annotations }).slices.filter(({ track }) => track === 'Annotations');
    assert.deepEqual(
      own.map(({ name, start, end, source, args }) => [name, start, end, source, args.note]),
      [
        ['done', 100, 100, 'tiled /kernels/tiled.py:4', 'late'],
        ['a time', 42, 42, '', undefined],
      ],
    );
  });

  it('has flows only when asked, each with one start and one end', () => {
    assert.ok(decoded.slices.every(s => s.out.length + s.into.length === 0));
    const { slices } = decode(p, true);
    const [out, into] = [slices.flatMap(s => s.out).sort(), slices.flatMap(s => s.into).sort()];
    assert.ok(out.length > 100);
    assert.equal(new Set(out).size, out.length);
    assert.deepEqual(out, into);
  });

  it('comes in chunks, the same bytes twice', () => {
    const chunks = [...perfettoChunks(syntheticProfile(3000))];
    assert.ok(chunks.length > 2 && Math.max(...chunks.map(c => c.length)) < 1 << 20);
    assert.ok(Buffer.concat([...perfettoChunks(syntheticProfile(3000))]).equals(Buffer.concat(chunks)));
  });
});

describe('perfetto of a system profile', () => {
  const p = readSystemJson([new TextEncoder().encode(systemJson())], { name: 'system_profile' });
  const placesOf = (groups?: SystemGroups) => [
    ...new Set(decode(p, false, groups).slices.map(({ process, track }) => `${process} | ${track.replace(/ - Row \d+$/, '')}`)),
  ];
  const [one, two] = ['701', '702'].map(id => `instance_id:${INSTANCE} process_id:${id}`);

  it('has a process for each primary group and a thread for each secondary one, by default as AWS’s profilers have', () => {
    assert.deepEqual(placesOf().sort(), [
      `${one} | worker_gid:0 lnc_idx:0 thread_id:1000`,
      `${one} | worker_gid:0 thread_id:80375131`,
      `${two} | worker_gid:1 lnc_idx:0 thread_id:1001`,
      `${two} | worker_gid:1 thread_id:80375131`,
    ]);
    assert.deepEqual(placesOf({ primary: ['lnc_idx'], secondary: ['process_id'] }).sort(), [
      'lnc_idx:0 | process_id:701',
      'lnc_idx:0 | process_id:702',
      'system | process_id:701',
      'system | process_id:702',
    ]);
    assert.deepEqual(placesOf({ primary: ['instance_id'], secondary: [] }), [`instance_id:${INSTANCE} | events`]);
  });

  it('has arrows from the framework to the runtime, and from the host to the device, when they are asked for', () => {
    assert.ok(decode(p).slices.every(({ out, into }) => out.length + into.length === 0));
    const { slices } = decode(p, true);
    const from = new Map(slices.flatMap(slice => slice.out.map((id): [string, Slice] => [id, slice])));
    const arrows = slices.flatMap(slice =>
      slice.into.map(id => `${from.get(id)!.args.trace_event_source} ${from.get(id)!.name} -> ${slice.name}`),
    );
    assert.equal(arrows.filter(arrow => arrow === 'neuron_rt nrt_execute -> nc_exec_running').length, 6);
    assert.equal(arrows.filter(arrow => /^framework .+ -> nrt_execute$/.test(arrow)).length, 6);
    for (const slice of slices)
      for (const id of slice.into) {
        const before = from.get(id)!;
        assert.equal(before.args.process_id, slice.args.process_id);
        assert.ok(before.start <= slice.start);
      }
  });

  it('has the counters of the timeline, each with its unit, in a process of their own', () => {
    const copy = { ...systemEvents()[0], name: 'dmem_buf_copyin', size: '1000', duration: 500 };
    const rows = [...systemEvents(), copy].sort((a, b) => Number(a.timestamp - b.timestamp));
    const { counts, units } = decode(readSystemJson([new TextEncoder().encode(systemJson(rows))], { name: 'system_profile' }));
    const [rate] = Object.keys(units).filter(name => name.startsWith('host_to_device '));
    assert.deepEqual(units, { [rate]: 'bytes/s', [`${INSTANCE}/CPU:47/host_cpu_util`]: 'fraction', [`${INSTANCE}/host_mem`]: 'bytes' });
    const valuesOf = (name: string) => counts.filter(({ track }) => track === name).map(({ value }) => value);
    assert.deepEqual(valuesOf(rate), [0, 2e9, 0]);
    assert.deepEqual(valuesOf(`${INSTANCE}/CPU:47/host_cpu_util`), [0, 0.025, 0.05]);
    assert.deepEqual(
      valuesOf(`${INSTANCE}/host_mem`),
      [0, 1, 2].map(n => 51805806592 + n),
    );
  });
});
