/** System profiles as Perfetto traces: what is written is read again, by groups of one's choice; and traces written otherwise. */
import assert from 'node:assert/strict';
import protobuf from 'protobufjs';
import { FormatError } from '../../../src/simulator/columns/container';
import { profileContainer } from '../../../src/simulator/formats/anyFile';
import { readSystemJson } from '../../../src/simulator/formats/capture/system/json';
import { readSystemPerfetto } from '../../../src/simulator/formats/capture/system/perfetto';
import { perfettoChunks } from '../../../src/simulator/formats/perfetto/perfetto';
import { decodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
import { systemEvents, systemJson } from '../../support/systemTrace';

const p = readSystemJson([new TextEncoder().encode(systemJson())], { name: 'system_profile' });
const read = (bytes: Uint8Array) => readSystemPerfetto(bytes, { name: 'system_profile' });
const written = (...options: Parameters<typeof perfettoChunks> extends [Profile, ...infer Rest] ? Rest : never) =>
  Buffer.concat([...perfettoChunks(p, ...options)]);

/** Each event as a text: time since the first event, name, place. */
const eventsOf = ({ instructions: e, opcodes, tracks }: Profile) =>
  Array.from(e.startNs, (ns, i) => {
    const [from, to] = [ns, e.endNs[i]].map(timeNs => timeNs - e.startNs[0]);
    return `${from}-${to} ${opcodes[e.opcode[i]]} ${JSON.stringify(tracks[e.track[i]].system)}`;
  }).sort();

/** Written from the published protos, not from our reader: names inline, a default track, numbers of other kinds. */
const PROTO = `
syntax = "proto2";
message Trace { repeated TracePacket packet = 1; }
message TracePacket {
  optional uint64 timestamp = 8; optional uint32 trusted_packet_sequence_id = 10; optional TrackEvent track_event = 11;
  optional uint32 sequence_flags = 13; optional Defaults trace_packet_defaults = 59; optional TrackDescriptor track_descriptor = 60;
}
message Defaults { optional TrackDefaults track_event_defaults = 11; }
message TrackDefaults { optional uint64 track_uuid = 11; }
message TrackDescriptor { optional uint64 uuid = 1; optional string name = 2; optional Process process = 3; optional Thread thread = 4; optional uint64 parent_uuid = 5; }
message Process { optional int32 pid = 1; optional string process_name = 6; }
message Thread { optional int32 pid = 1; optional int32 tid = 2; optional string thread_name = 5; }
message TrackEvent {
  repeated Annotation debug_annotations = 4; optional int32 type = 9; optional uint64 track_uuid = 11; optional string name = 23; repeated fixed64 flow_ids = 47;
}
message Annotation { optional bool bool_value = 2; optional uint64 uint_value = 3; optional int64 int_value = 4; optional double double_value = 5; optional string string_value = 6; optional string name = 10; }
`;
const Trace = protobuf.parse(PROTO, { keepCase: true }).root.lookupType('Trace');
const encode = (packet: object[]) => Trace.encode(Trace.fromObject({ packet })).finish();

describe('system profiles as Perfetto traces', () => {
  it('are read as they were written, however they are grouped', () => {
    for (const groups of [
      undefined,
      { primary: ['process_id'], secondary: ['lnc_idx', 'thread_id'] },
      { primary: [], secondary: [] },
    ] as const) {
      const again = read(written({ groups }));
      assert.deepEqual(eventsOf(again), eventsOf(p));
    }
    assert.deepEqual(decodeProfile(profileContainer(written(), 'system_profile')), read(written()), 'recognized by its first bytes');
  });

  it('keep the chain from the framework to the device as flows, when they are asked for', () => {
    const linked = (profile: Profile) => Array.from(profile.instructions.blocker).filter(before => before >= 0).length;
    assert.equal(linked(read(written({ flows: true }))), linked(p));
    assert.ok(linked(p) >= 12);
  });

  it('are read when names are inline, tracks are defaults, and ids are missing: then tracks give the ids', () => {
    const baseNs = 1729888371056597613n;
    const slice = (type: number, atNs: bigint, more: object = {}) => ({
      timestamp: String(baseNs + atNs),
      trusted_packet_sequence_id: 3,
      track_event: { type, ...more },
    });
    const read1 = read(
      encode([
        { track_descriptor: { uuid: 7, process: { pid: 70, process_name: 'worker' } } },
        { track_descriptor: { uuid: 8, thread: { pid: 70, tid: 81, thread_name: 'main' } } },
        { trusted_packet_sequence_id: 3, sequence_flags: 1, trace_packet_defaults: { track_event_defaults: { track_uuid: 8 } } },
        slice(1, 0n, { name: 'nrt_execute' }),
        slice(1, 3n, {
          name: 'inner',
          debug_annotations: [
            { name: 'size', uint_value: 4 },
            { name: 'late', bool_value: true },
            { name: 'delta', int_value: -5 },
          ],
        }),
        slice(2, 5n),
        slice(2, 1_000_000_001n),
      ]),
    );
    assert.deepEqual(
      eventsOf(read1).map(text => text.split(' {')[0]),
      ['0-1000000001 nrt_execute', '3-5 inner'],
    );
    assert.deepEqual([read1.tracks[0].system?.processId, read1.tracks[0].system?.threadId], ['worker', 'main']);
    assert.equal(read1.system?.startUnixNs, String(baseNs));
    assert.ok(
      ['size=4', 'late=1', 'delta=-5'].every(word => read1.operandWords.join(' ').includes(word)),
      read1.operandWords.join(' '),
    );
  });

  it('refuse traces of device profiles, and what is cut off', () => {
    assert.throws(() => read(Buffer.concat([...perfettoChunks(syntheticProfile(5))])), /is of a device profile: open the profile/);
    assert.throws(() => read(written().subarray(0, 100)), FormatError);
    assert.throws(() => read(encode([])), /no events/);
    assert.equal(systemEvents().length, eventsOf(p).length);
  });
});
