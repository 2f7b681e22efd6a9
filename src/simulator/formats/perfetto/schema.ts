/**
 * The part of Perfetto's trace format that we write: field numbers by message and name, as in the published protos
 * (perfetto protos/perfetto/trace/: trace, trace_packet, track_event, track_descriptor, counter_descriptor,
 * debug_annotation, source_location, interned_data). The test decodes with a schema of its own.
 */
export const FIELDS = {
  trace: { packet: 1 },
  packet: { timestamp: 8, sequenceId: 10, trackEvent: 11, internedData: 12, sequenceFlags: 13, trackDescriptor: 60 },
  trackDescriptor: { uuid: 1, name: 2, process: 3, thread: 4, parentUuid: 5, counter: 8, childOrdering: 11, siblingOrderRank: 12 },
  process: { pid: 1, name: 6 },
  thread: { pid: 1, tid: 2, name: 5 },
  counter: { unitName: 6 },
  trackEvent: {
    debugAnnotations: 4,
    type: 9,
    nameIid: 10,
    trackUuid: 11,
    sourceLocationIid: 34,
    doubleCounterValue: 44,
    flowIds: 47,
    terminatingFlowIds: 48,
  },
  annotation: { nameIid: 1, intValue: 4, stringValue: 6 },
  interned: { eventNames: 2, annotationNames: 3, sourceLocations: 4 },
  internedName: { iid: 1, name: 2 },
  sourceLocation: { iid: 1, file: 2, function: 3, line: 4 },
} as const;

export const EVENT_TYPE = { sliceBegin: 1, sliceEnd: 2, instant: 3, counter: 4 } as const;
export const SEQUENCE_FLAGS = { cleared: 1, needsState: 2 } as const;
/** Children of a track in the order of their ranks. */
export const EXPLICIT_ORDER = 3;
