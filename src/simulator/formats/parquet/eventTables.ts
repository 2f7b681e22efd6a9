/**
 * Tables of instructions, transfers and what links them. Ids are event numbers; stretches of DMA engines count on after those. Collectives
 * are no transfers here: they have tables of their own (`collectiveTables.ts`).
 */
import { areCollectives } from '../../analyze/collectives';
import { eventCount, eventValue, instructionRows, isTransfer, transferEvent, transferRow, transferRows } from '../../analyze/eventAccess';
import { layerOfFrame } from '../../analyze/layers';
import { bf16Equivalent, type OperandBytes, ofLists, operandBytes } from '../../analyze/operandBytes';
import { operandText } from '../../analyze/operandText';
import { semaphoreUpdates } from '../../analyze/semaphoreUpdates';
import { transposes } from '../../analyze/totals';
import { semaphoreText } from '../../compile/semaphoreText';
import { withoutCore } from '../../profile/ofCore';
import { addressText, countsOf, DIRECTIONS, operandName, operandsOf, type Profile, sizesText, stepsOf } from '../../profile/profile';
import { dependence, labelOf, location, memoryWords, programCounters, queueType } from '../neuronWords';
import type { ParquetTable } from './encode';
import { kernelInstructionNames } from './kernelTables';

export function eventTables(p: Profile): ParquetTable[] {
  return [instructions(p), transfers(p), packets(p), semaphores(p), flows(p)];
}

interface Times {
  startNs: Float64Array;
  endNs: Float64Array;
}

/** Both ends are rounded, not the length. */
function times({ startNs, endNs }: Times) {
  const [start, end] = [(row: number) => Math.round(startNs[row]), (row: number) => Math.round(endNs[row])];
  return { start_ts: start, end_ts: end, duration_ns: (row: number) => end(row) - start(row) };
}

function instructions(p: Profile): ParquetTable {
  const e = p.instructions;
  const pc = programCounters(p);
  const transposing = transposes(p);
  const triggered = transferOfTrigger(p);
  const bytesOfLists = ofLists(p, list => operandBytes(p, list));
  const bytes = (row: number) => (triggered[row] < 0 ? bytesOfLists[e.operands[row]] : transferBytes(p, triggered[row]));
  const weight = ofLists(p, list => bf16Equivalent(p, list, p.target));
  const track = (row: number) => p.tracks[e.track[row]];
  const ofDma = (value: (transfer: number) => number) => (row: number) => (triggered[row] < 0 ? null : value(triggered[row]));
  const where = (row: number) => location(p, e.frame[row]);
  return {
    name: 'Instruction',
    rows: instructionRows(p),
    columns: {
      ...times(e),
      engine: row => track(row).engine.toLowerCase(),
      timeline_track: row => labelOf(track(row)),
      pcore_idx: row => track(row).core ?? 0,
      opcode: row => p.opcodes[e.opcode[row]],
      operands: row => operandText(p, row),
      id: row => row,
      pc: row => pc[row],
      bir_id: () => '',
      kernel_instruction_name: kernelInstructionNames(p),
      evt_wait_time_ns: row => e.startNs[row] - e.readyNs[row],
      nki_source_location: where,
      bir_debug_info_source_location: where,
      layer: row => layerOfFrame(p, e.frame[row]) || null,
      dma_trigger_start_ts: ofDma(t => p.transfers.startNs[t]),
      dma_trigger_end_ts: ofDma(t => p.transfers.endNs[t]),
      dma_wait_time_ns: row => (triggered[row] < 0 ? null : p.transfers.startNs[triggered[row]] - e.endNs[row]),
      sbuf_read_bytes: row => bytes(row).sbufRead,
      sbuf_write_bytes: row => bytes(row).sbufWrite,
      psum_read_bytes: row => bytes(row).psumRead,
      psum_write_bytes: row => bytes(row).psumWrite,
      tensor_instruction_type: row => (track(row).engine === 'Tensor' ? (transposing[row] ? 'TRANSPOSE' : 'REGULAR') : null),
      raw_flops: row => e.flops[row],
      adjusted_flops: row => e.flops[row] * weight[e.operands[row]],
      flops_transpose: row => (transposing[row] ? e.flops[row] : 0),
    },
  };
}

/** On-chip bytes of the instruction that triggers a DMA are those that the DMA moves, as Neuron Explorer counts them. */
function transferBytes({ transfers: t }: Profile, row: number): OperandBytes {
  const [from, to] = DIRECTIONS[t.direction[row]].split('->');
  const moved = (side: string, memory: string) => (side === memory ? t.bytes[row] : 0);
  return { sbufRead: moved(from, 'sbuf'), sbufWrite: moved(to, 'sbuf'), psumRead: moved(from, 'psum'), psumWrite: moved(to, 'psum') };
}

/** Per instruction the first transfer that it triggered, or -1. */
function transferOfTrigger(p: Profile): Int32Array {
  const transfer = new Int32Array(instructionRows(p)).fill(-1);
  const { trigger } = p.transfers;
  const isCollective = areCollectives(p);
  for (let t = 0; t < trigger.length; t++)
    if (isCollective[t] === 0 && trigger[t] >= 0 && trigger[t] < transfer.length && transfer[trigger[t]] < 0) transfer[trigger[t]] = t;
  return transfer;
}

const bytesPerSecond = (bytes: number, ns: number) => (ns > 0 ? (bytes / ns) * 1e9 : 0);

function transfers(p: Profile): ParquetTable {
  const t = p.transfers;
  const queue = (row: number) => labelOf(p.tracks[t.track[row]]);
  const semaphore = p.tracks.map(track => p.semaphores.find(s => s.name === track.name));
  const pattern = (row: number, side: 'src' | 'dst', part: 'address' | 'steps' | 'shape') => access(p, row, side)?.[part] ?? '';
  const trigger = (column: 'startNs' | 'endNs') => (row: number) =>
    t.trigger[row] < 0 || t.trigger[row] >= instructionRows(p) ? null : p.instructions[column][t.trigger[row]];
  const table: ParquetTable = {
    name: 'DmaPacketAggregated',
    rows: transferRows(p),
    columns: {
      ...times(t),
      id: row => transferEvent(p, row),
      pcore_idx: row => p.tracks[t.track[row]].core ?? 0,
      block_id: row => row,
      queue_idx: row => t.track[row],
      queue_name: queue,
      queue_type: row => queueType(queue(row)),
      op: () => 'copy',
      variable: row => p.strings[t.variable[row]],
      read_bytes: row => t.bytes[row],
      write_bytes: row => t.bytes[row],
      transfer_bytes: row => t.bytes[row],
      throughput: row => bytesPerSecond(t.bytes[row], t.endNs[row] - t.startNs[row]),
      source: row => `[["${memoryWords(p, row).source}"]]`,
      dest: row => `["${memoryWords(p, row).dest}"]`,
      semaphore_id: row => {
        const raised = semaphore[t.track[row]];
        return raised ? semaphoreText(raised) : '-1';
      },
      read_sbuf_partitions: () => '',
      read_num_sbuf_partitions: () => 0,
      read_shape: row => pattern(row, 'src', 'shape'),
      read_offset: row => pattern(row, 'src', 'address'),
      read_steps: row => pattern(row, 'src', 'steps'),
      write_sbuf_partitions: () => '',
      write_num_sbuf_partitions: () => 0,
      write_shape: row => pattern(row, 'dst', 'shape'),
      write_offset: row => pattern(row, 'dst', 'address'),
      write_steps: row => pattern(row, 'dst', 'steps'),
      trigger: trigger('startNs'),
      completion: trigger('endNs'),
    },
  };
  const isCollective = areCollectives(p);
  return isCollective.includes(1) ? withRows(table, row => isCollective[row] === 0) : table;
}

function withRows({ name, rows, columns }: ParquetTable, isKept: (row: number) => boolean): ParquetTable {
  const kept = Uint32Array.from(Array.from({ length: rows }, (_, row) => row).filter(isKept));
  const picked = Object.entries(columns).map(([field, value]): [string, typeof value] => [field, at => value(kept[at])]);
  return { name, rows: kept.length, columns: Object.fromEntries(picked) };
}

/** The access pattern of a transfer's side, from the operands of the instruction that triggered it. */
function access(p: Profile, transfer: number, side: 'src' | 'dst') {
  const trigger = p.transfers.trigger[transfer];
  if (trigger < 0 || trigger >= instructionRows(p)) return undefined;
  const operand = operandsOf(p, p.instructions.operands[trigger]).find(one => operandName(p, one) === side);
  if (operand === undefined) return undefined;
  const sizes = { steps: sizesText(stepsOf(p, operand)), shape: sizesText(countsOf(p, operand)) };
  return { address: addressText(p.operands.addressBytes[operand]), ...sizes };
}

function packets(p: Profile): ParquetTable {
  const s = p.dmaSlices;
  const index = indexInTransfer(p);
  const queue = (row: number) => labelOf(p.tracks[p.transfers.track[s.transfer[row]]]);
  const bytes = (row: number) => s.bytes[row];
  return {
    name: 'DmaPacket',
    rows: s.startNs.length,
    columns: {
      ...times(s),
      pcore_idx: row => p.tracks[p.transfers.track[s.transfer[row]]].core ?? 0,
      id: row => eventCount(p) + row,
      packet_idx: row => index[row],
      packet_aggregation_id: row => transferEvent(p, s.transfer[row]),
      engine_idx: row => s.engine[row],
      read_bytes: bytes,
      write_bytes: bytes,
      transfer_bytes: bytes,
      throughput: row => bytesPerSecond(s.bytes[row], s.endNs[row] - s.startNs[row]),
      queue_type: row => queueType(queue(row)),
      variable: row => p.strings[p.transfers.variable[s.transfer[row]]],
      queue_name: queue,
      queue_idx: row => p.transfers.track[s.transfer[row]],
      crc: () => 0,
    },
  };
}

function indexInTransfer({ dmaSlices, transfers: t }: Profile): Uint32Array {
  const next = new Uint32Array(t.startNs.length);
  return Uint32Array.from(dmaSlices.transfer, transfer => next[transfer]++);
}

function semaphores(p: Profile): ParquetTable {
  const { timeNs, semaphore, value } = semaphoreUpdates(p);
  const queues = new Set(p.tracks.filter(t => t.kind === 'queue').map(t => t.name));
  const core = p.semaphores.map(({ name }) => Number(/ \(nc(\d+)\)$/.exec(name)?.[1] ?? 0));
  return {
    name: 'SemaphoreUpdate',
    rows: timeNs.length,
    columns: {
      timestamp: row => timeNs[row],
      id: row => semaphoreText(p.semaphores[semaphore[row]]),
      value: row => value[row],
      update_source: row =>
        queues.has(p.semaphores[semaphore[row]].name) ? 'AXI' : withoutCore(p.semaphores[semaphore[row]].name, core[semaphore[row]]),
      update_operation_type: () => 'sem_inc',
      update_trigger_timing: () => 'complete',
      pcore_idx: row => core[semaphore[row]],
    },
  };
}

function flows(p: Profile): ParquetTable {
  const isCollective = areCollectives(p);
  // the schema has no name for the table of a collective
  const isOther = (event: number) => !isTransfer(p, event) || isCollective[transferRow(p, event)] === 0;
  const waiters: number[] = [];
  for (let event = 0; event < eventCount(p); event++) {
    const before = eventValue(p, event, 'blocker');
    if (before >= 0 && dependence(eventValue(p, event, 'stall')) && isOther(event) && isOther(before)) waiters.push(event);
  }
  const blocker = (row: number) => eventValue(p, waiters[row], 'blocker');
  const table = (event: number) => (isTransfer(p, event) ? 'dma_block' : 'instruction');
  return {
    name: 'Flow',
    rows: waiters.length,
    columns: {
      in_id: blocker,
      out_id: row => waiters[row],
      in_table: row => table(blocker(row)),
      out_table: row => table(waiters[row]),
      dependency_type: row => dependence(eventValue(p, waiters[row], 'stall')) ?? null,
      gap_time: row => eventValue(p, waiters[row], 'startNs') - eventValue(p, blocker(row), 'endNs'),
    },
  };
}
