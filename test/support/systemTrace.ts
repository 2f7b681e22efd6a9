/**
 * A system profile by AWS's documents (neuron-profiler-2-0-beta-user-guide, `system_profile.json`; schema 7.4.0): no public sample of a whole file was found,
 * so this one is made up. Two processes of one instance each load a model, write its input, execute it several times and read the output.
 */
export const INSTANCE = 'i-0f207fb2a99bd2d08';
export const MODEL_ID = '14382885777943380728';
/** Unix time of the first event, ns: more digits than float64 keeps. */
export const FIRST_NS = 1729888371056597613n;

export interface TraceRow extends Record<string, unknown> {
  name: string;
  timestamp: bigint;
  duration: number;
}

/** @param executions of each process */
export function systemEvents(executions = 3): TraceRow[] {
  const rows: TraceRow[] = [];
  for (const [worker, processId] of ['701', '702'].entries()) {
    const common = { instance_id: INSTANCE, process_id: processId, worker_gid: String(worker) };
    const core = { ...common, lnc_idx: '0', thread_id: 1000 + worker, group: 'nrt-nc-000' };
    let atNs = FIRST_NS + BigInt(worker * 40_000);
    const add = (row: Record<string, unknown>, name: string, durationNs: number, afterNs = 2_000): bigint => {
      atNs += BigInt(afterNs);
      rows.push({ ...row, name, timestamp: atNs, duration: durationNs });
      return atNs;
    };
    const pass = (durationNs: number) => {
      atNs += BigInt(durationNs);
    };
    add(core, 'nrt_load', 900_000);
    pass(900_000);
    add({ ...core, size: '262144', tensor_name: 'x', tensor_id: '4900392441224765051' }, 'nrt_tensor_write', 27_094);
    pass(27_094);
    for (let n = 0; n < executions; n++) {
      const flow = String(100 * (worker + 1) + 2 * n);
      const own = String(Number(flow) + 1);
      const framework = { ...common, thread_id: 80375131, group: 'framework-80375131', type: 99999 };
      add({ ...framework, flow_id: [flow] }, n === 0 ? 'model.py(42): forward' : 'PjitFunction(matmul)', 260_000);
      add({ ...core, flow_id: [flow, own], exec_id: n, model_id: MODEL_ID, model_name: 'matmul allgather' }, 'nrt_execute', 240_000, 5_000);
      const device = { ...core, device_core_idx: String(4 + worker), exec_id: n, model_id: MODEL_ID };
      add({ ...device, flow_id: [own] }, 'nc_exec_running', 200_000, 12_000);
      add({ ...device, operation: 'AllGather' }, 'cc_running', 60_000, 90_000);
      pass(120_000);
      add({ ...device, cpu_timestamp_ns: String(atNs), nc_timestamp_ns: '77' }, 'timestamp_sync_point', 0);
      pass(40_000);
    }
    add({ ...core, size: '131072', tensor_name: 'y' }, 'nrt_tensor_read', 19_000);
  }
  return rows;
}

/** As `--output-format json` writes it: times are bare numbers of 19 digits. */
export function systemJson(rows: readonly TraceRow[] = systemEvents()): string {
  const samples = [0, 1, 2].map(n => ({ instance_id: INSTANCE, duration: 1, timestamp: FIRST_NS + BigInt(n) * 500_000n }));
  return jsonOf({
    cpu_util: samples.map((sample, n) => ({ ...sample, cpu_id: '47', util: 2.5 * n })),
    mem_usage: samples.map((sample, n) => ({ ...sample, percent_usage: 9.7, usage: 51805806592 + n })),
    trace_event: rows,
  });
}

const jsonOf = (value: unknown) =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `@${part}@` : part), 1).replace(/"@(\d+)@"/g, '$1');

/** The same events by the fields of the table `SystemProfileEvents` of schema 7.4.0. What has no column there is in `extra_attributes_json`. */
export function systemTableRows(rows: readonly TraceRow[] = systemEvents()): Record<string, string | bigint>[] {
  return rows.map((row, id) => {
    const { name, timestamp, duration, instance_id, process_id, worker_gid, lnc_idx, thread_id, device_core_idx, group, type, ...rest } =
      row;
    const { flow_id: _, ...extras } = rest;
    const number = (value: unknown) => BigInt((value as string | undefined) ?? 0);
    return {
      ...{ id: BigInt(id), name, start_ts: timestamp, end_ts: timestamp + BigInt(duration), duration_ns: BigInt(duration) },
      trace_event_source: type === 99999 ? 'framework' : device_core_idx === undefined ? 'neuron_rt' : 'neuron_hw',
      ...{ instance_id: String(instance_id), process_id: number(process_id), thread_id: number(thread_id), worker_gid: number(worker_gid) },
      ...{ nc_idx: lnc_idx === undefined ? '' : String(lnc_idx), pcore_idx: device_core_idx === undefined ? '' : String(device_core_idx) },
      extra_attributes_json: JSON.stringify({ ...extras, group }),
    };
  });
}
