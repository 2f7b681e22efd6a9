/** All tables of a profile: those of events, of source positions, and here the ones made of sums and of steps over time. */
import { activeIntervals, busyByTrack, engineTracks } from '../../analyze/activeTime';
import { dmaThroughput, memoryUsage, pendingDmas } from '../../analyze/counters';
import { type Intervals, lengthNs, union } from '../../analyze/intervals';
import { partitionUsage, SAMPLED_PARTITIONS } from '../../analyze/partitionUsage';
import { summary } from '../../analyze/summary';
import { machineFor } from '../../hardware/targets';
import { byCore } from '../../profile/ofCore';
import { DIRECTIONS, type Profile } from '../../profile/profile';
import { dtypes } from '../../vocabulary/dtypes';
import { ENGINES } from '../../vocabulary/engines';
import { SPACES } from '../../vocabulary/spaces';
import { ANNOTATIONS_KEY } from '../capture/ownAnnotations';
import { SIMULATION_KEY, simulationOf } from '../capture/simulation';
import { said } from '../said';
import { collectiveTables } from './collectiveTables';
import type { Cell, ParquetTable } from './encode';
import { eventTables } from './eventTables';
import { SCHEMA_VERSION, TABLES } from './fields';
import { kernelTables } from './kernelTables';

/** In writing order; each table is made on demand. */
export function* tables(p: Profile): Generator<ParquetTable> {
  const simulation = simulationOf(p);
  const footer = {
    ...(simulation && { [SIMULATION_KEY]: JSON.stringify(simulation) }),
    ...(p.annotations && p.annotations.length > 0 && { [ANNOTATIONS_KEY]: JSON.stringify(p.annotations) }),
  };
  yield { ...ofRows('Metadata', [metadata(p)]), footer };
  yield ofRows('Summary', [summaryRow(p)]);
  yield* eventTables(p);
  yield* collectiveTables(p);
  yield* kernelTables(p);
  yield eachCore(p, activeTime);
  yield opcodeSummary(p);
  for (const table of [dmaUsage, pendingDma, sbufUsage, psumUsage, sbufAllocation]) yield eachCore(p, table);
  yield ofRows('TensorInfo', tensorRows(p));
  yield ofRows(
    'Warning',
    said(p).map(({ category, message, file, line }) => ({ message: `${file}:${line}: ${message}`, category })),
  );
  yield ofRows('SchemaFields', schemaRows());
}

/** The tables of all cores one after the other, with the core in `pcore_idx`. */
function eachCore(p: Profile, make: (part: Profile) => ParquetTable): ParquetTable {
  const made = byCore(p).map(({ core, part }) => ({ core, table: make(part) }));
  if (made.length === 1) return made[0].table;
  const place: { core: number; row: number; table: ParquetTable }[] = made.flatMap(({ core, table }) =>
    Array.from({ length: table.rows }, (_, row) => ({ core, row, table })),
  );
  const [{ table: first }] = made;
  const columns = Object.keys(first.columns).map(name => {
    const cell = (row: number) => (name === 'pcore_idx' ? place[row].core : place[row].table.columns[name](place[row].row));
    return [name, cell];
  });
  return { name: first.name, rows: place.length, columns: Object.fromEntries(columns) };
}

/** Small tables, as rows. An empty one has all fields of its schema. */
function ofRows(name: string, rows: Record<string, Cell>[]): ParquetTable {
  const fields = rows.length > 0 ? Object.keys(rows[0]) : Object.keys(TABLES[name].fields);
  return { name, rows: rows.length, columns: Object.fromEntries(fields.map(field => [field, (row: number) => rows[row][field]])) };
}

const EPOCH = '1970-01-01 00:00:00+00:00';

function metadata(p: Profile): Record<string, Cell> {
  const { clockGhz, baseClockGhz, maxStationaryColumns, partitions: counted } = machineFor(p.target);
  const partitions = counted.value;
  return {
    profile_schema_version: SCHEMA_VERSION,
    ntff_version: 0,
    num_physical_cores: p.machine.cores ?? 1,
    vnc_enabled: (p.machine.cores ?? 1) > 1,
    first_hw_timestamp: 0,
    last_hw_timestamp: p.totalTimeNs,
    first_ts: EPOCH,
    last_ts: EPOCH,
    dma_ddr_bandwidth: p.machine.dmaBytesPerSecond,
    num_dma_engines_per_neuroncore: p.machine.dmaEngines,
    hbm_ddr_bandwidth: p.machine.hbmBytesPerSecond,
    tensor_engine_num_rows: partitions,
    tensor_engine_num_cols: maxStationaryColumns.value,
    tensor_engine_clock_freq: clockGhz.Tensor.value,
    vector_engine_clock_freq: clockGhz.Vector.value,
    vector_engine_num_channels: partitions,
    scalar_engine_clock_freq: clockGhz.Scalar.value,
    scalar_engine_num_channels: partitions,
    gpsimd_engine_clock_freq: clockGhz.GpSimd.value,
    gpsimd_engine_num_channels: partitions,
    neuroncore_clock_freq: baseClockGhz.value,
    ticks_per_nanosec: 1,
    instance_type: p.machine.instanceType,
    profile_name: p.kernel,
    is_simulation: p.simulated,
  };
}

function summaryRow(p: Profile): Record<string, Cell> {
  const values = summary(p);
  return Object.fromEntries(Object.keys(TABLES.Summary.fields).map(name => [name, values[name] ?? null]));
}

function activeTime(p: Profile): ParquetTable {
  const rows: Record<string, Cell>[] = [];
  const busy = busyByTrack(p);
  for (const engine of ENGINES) {
    const { startNs, endNs } = activeIntervals(p, engineTracks(p, engine), busy);
    for (let i = 0; i < startNs.length; i++) {
      const [start, end] = [Math.round(startNs[i]), Math.round(endNs[i])];
      rows.push({ start_ts: start, end_ts: end, engine: engine.toLowerCase(), pcore_idx: 0, duration_ns: end - start });
    }
  }
  return ofRows('ActiveTime', rows);
}

function opcodeSummary(p: Profile): ParquetTable {
  const { startNs, endNs, opcode, track } = p.instructions;
  const groups = new Map<string, number[]>();
  for (let i = 0; i < opcode.length; i++) {
    const key = `${opcode[i]} ${p.tracks[track[i]].engine.toLowerCase()}`;
    const rows = groups.get(key);
    if (rows) rows.push(i);
    else groups.set(key, [i]);
  }
  const pick = (rows: number[]): Intervals => ({
    startNs: Float64Array.from(rows, i => startNs[i]),
    endNs: Float64Array.from(rows, i => endNs[i]),
  });
  return ofRows(
    'OpcodeSummary',
    [...groups].map(([key, rows]) => {
      const code = key.split(' ', 1)[0];
      const active = lengthNs(union(pick(rows)));
      return {
        engine: key.slice(code.length + 1),
        opcode: p.opcodes[Number(code)],
        instruction_count: rows.length,
        instruction_time_ns: lengthNs(pick(rows)),
        active_time_ns: active,
        active_time_percent: p.totalTimeNs > 0 ? active / p.totalTimeNs : 0,
      };
    }),
  );
}

function dmaUsage(p: Profile): ParquetTable {
  const { timesNs, values } = dmaThroughput(p);
  const moved = new Float64Array(timesNs.length);
  for (let i = 1; i < moved.length; i++) moved[i] = moved[i - 1] + (values[i - 1] * (timesNs[i] - timesNs[i - 1])) / 1e9;
  return {
    name: 'DmaUsage',
    rows: timesNs.length,
    columns: {
      timestamp: row => timesNs[row],
      current_throughput: row => values[row],
      total_transfer_bytes: row => moved[row],
      pcore_idx: () => 0,
    },
  };
}

function pendingDma(p: Profile): ParquetTable {
  const { timesNs, values } = pendingDmas(p);
  return {
    name: 'PendingDma',
    rows: timesNs.length,
    columns: { timestamp: row => timesNs[row], value: row => values[row], pcore_idx: () => 0 },
  };
}

function sbufUsage(p: Profile): ParquetTable {
  const sbuf = partitionUsage(p);
  return {
    name: 'SbufUsage',
    rows: sbuf.length,
    columns: {
      timestamp: row => sbuf[row].timeNs,
      avg_util_percent: row => sbuf[row].used.reduce((x, y) => x + y, 0) / sbuf[row].used.length,
      ...Object.fromEntries(SAMPLED_PARTITIONS.map((n, k) => [`partition_${n}_util_percent`, (row: number) => sbuf[row].used[k]])),
      pcore_idx: () => 0,
    },
  };
}

function psumUsage(p: Profile): ParquetTable {
  const psum = memoryUsage(p, 'psum');
  const psumBytes = p.machine.psumBytesPerPartition * machineFor(p.target).partitions.value;
  return {
    name: 'PsumUsage',
    rows: psum.timesNs.length,
    columns: { timestamp: row => psum.timesNs[row], avg_util_percent: row => psum.values[row] / psumBytes, pcore_idx: () => 0 },
  };
}

function sbufAllocation(p: Profile): ParquetTable {
  const a = p.allocations;
  const sampled = [...a.space.keys()].filter(row => a.space[row] === SPACES.indexOf('sbuf')).flatMap(row => inSampled(p, row));
  return {
    name: 'SbufAllocation',
    rows: sampled.length,
    columns: {
      start_ts: k => a.startNs[sampled[k].row],
      end_ts: k => a.endNs[sampled[k].row],
      start_address: k => a.addressBytes[sampled[k].row],
      end_address: k => a.addressBytes[sampled[k].row] + Math.max(0, a.sizeBytes[sampled[k].row] - 1),
      partition: k => sampled[k].partition,
      tensor_name: k => p.strings[a.name[sampled[k].row]],
      pcore_idx: () => 0,
    },
  };
}

/** An allocation in each of the partitions that Neuron's captures report; one that lies beside them all, in its first. */
function inSampled({ allocations: a }: Profile, row: number): { row: number; partition: number }[] {
  const first = a.partitionStart[row];
  const within = SAMPLED_PARTITIONS.filter(partition => partition >= first && partition < first + a.partitions[row]);
  return (within.length > 0 ? within : [first]).map(partition => ({ row, partition }));
}

function tensorRows(p: Profile): Record<string, Cell>[] {
  const loaded = loads(p);
  const row = (type: 'IN' | 'OUT') => (tensor: Profile['inputs'][number]) => {
    const { name, shape, dtype } = tensor;
    const size = dtypes.find(d => d.name === dtype)?.sizeBytes;
    const bytes = size === undefined ? null : shape.reduce((n, d) => n * d, size);
    const { count, total } = loaded.get(name) ?? NO_LOADS;
    return {
      variable_name: name,
      type,
      shape: `[${shape.join(' ')}]`,
      size: bytes,
      pcore_idx: 0,
      load_to_sbuf_avg_size_bytes: count > 0 ? total / count : 0,
      load_to_sbuf_total_size_bytes: total,
      load_to_sbuf_dma_count: count,
      load_to_sbuf_repeat_factor: bytes ? total / bytes : null,
    };
  };
  return [...p.inputs.map(row('IN')), ...p.outputs.map(row('OUT'))];
}

interface Loads {
  count: number;
  total: number;
}

/** Transfers into SBUF and their bytes, by the tensor's name. */
function loads({ transfers, strings }: Profile): ReadonlyMap<string, Loads> {
  const { bytes, direction, variable } = transfers;
  const load = DIRECTIONS.indexOf('hbm->sbuf');
  const found = new Map<string, Loads>();
  for (let t = 0; t < bytes.length; t++) {
    if (direction[t] !== load) continue;
    const name = strings[variable[t]];
    const { count, total } = found.get(name) ?? NO_LOADS;
    found.set(name, { count: count + 1, total: total + bytes[t] });
  }
  return found;
}

const NO_LOADS: Loads = { count: 0, total: 0 };

function schemaRows(): Record<string, Cell>[] {
  return Object.entries(TABLES).flatMap(([table, { text, fields }]) =>
    Object.entries(fields).map(([field, f]) => ({
      table_name: table,
      table_description: text,
      field_name: field,
      field_description: f.text,
      field_type: f.type,
      field_required: f.required,
      field_unit: f.unit,
    })),
  );
}
