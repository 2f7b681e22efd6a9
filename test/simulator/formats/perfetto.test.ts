import assert from 'node:assert/strict';
import protobuf from 'protobufjs';
import { semaphoreUpdates } from '../../../src/simulator/analyze/semaphoreUpdates';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
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
    process?: { process_name: string };
    thread?: { thread_name: string };
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
function decode(p: Profile, flows = false): Decoded {
  const bytes = Buffer.concat([...perfettoChunks(p, { flows })]);
  const packet = Trace.toObject(Trace.decode(bytes), { longs: String }).packet as Packet[];
  const result: Decoded = { slices: [], instants: [], counts: [], threads: [], process: '', units: {} };
  const [events, annotations, locations] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  const tracks = new Map<string, string>();
  const open = new Map<string, Slice>();
  assert.equal(packet[0].sequence_flags, 1, 'the first packet clears the state');
  for (const { timestamp, track_event: e, track_descriptor: d, interned_data: n, trusted_packet_sequence_id: sequence } of packet) {
    assert.equal(sequence, 1);
    for (const { iid, name } of n?.event_names ?? []) events.set(iid, name);
    for (const { iid, name } of n?.debug_annotation_names ?? []) annotations.set(iid, name);
    for (const s of n?.source_locations ?? []) locations.set(s.iid, `${s.function_name} ${s.file_name}:${s.line_number}`);
    if (d?.process) result.process = d.process.process_name;
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
      const named = { track, name: events.get(e.name_iid)!, start: Number(timestamp), end: -1, args };
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
