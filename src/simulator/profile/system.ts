/** What a profile of a system has beside its events: a profile whose rows are processes, threads and cores of hosts and not engines of a core. */

/** What recorded an event. `framework`: the application; `neuron_rt`: the runtime, on the host; `neuron_hw`: the device. */
export const EVENT_SOURCES = ['framework', 'neuron_rt', 'neuron_hw'] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/** Where the events of a row happened. Ids are texts as the file has them, empty where it has none. */
export interface SystemRow {
  source: EventSource;
  instanceId: string;
  processId: string;
  threadId: string;
  /** Logical NeuronCore, within its process. */
  ncIdx: string;
  /** Physical NeuronCore, within its device. */
  coreIdx: string;
  /** NeuronCore, among all of the workload. */
  workerGid: string;
  /** Stream of the framework. */
  streamId: string;
}

export interface SystemTrace {
  /** The Unix time of the profile's time 0 in ns, digit for digit; empty: the file has times from its own start. */
  startUnixNs: string;
  /** Points at which the runtime read the clocks of host and device together, to put device events on the host's clock. */
  syncPoints: number;
  samples: SystemSamples[];
}

/** A quantity of a host or a device that was measured again and again. */
export interface SystemSamples {
  /** `i-0f2/CPU:3/host_cpu_util`. */
  name: string;
  unit: 'bytes' | 'share';
  /** Ascending. */
  timesNs: number[];
  values: number[];
}
