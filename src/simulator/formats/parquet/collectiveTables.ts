/**
 * Tables of a rank's collectives, with the names of Neuron's tools: `AllReduce`, `KangaRing`. What a profile does not say of a collective is
 * empty: of a capture that was read, its ranks.
 */
import { areCollectives, collectiveOf } from '../../analyze/collectives';
import { instructionRows, transferEvent } from '../../analyze/eventAccess';
import { movedBytes } from '../../hardware/collectiveCost';
import { NO_DTYPE, operandListText, operandsOf, type Profile, type RankCollective } from '../../profile/profile';
import { dtypeOfProfile } from '../../vocabulary/dtypes';
import { rankListsOf } from '../capture/rows';
import { labelOf } from '../neuronWords';
import type { ParquetTable } from './encode';

export function collectiveTables(p: Profile): ParquetTable[] {
  const isOne = areCollectives(p);
  const rows = [...isOne.keys()].filter(row => isOne[row] === 1);
  return [collectives(p, rows), streams(p, rows)];
}

const ALGORITHM_NAMES: Readonly<Record<string, string>> = { ring: 'Ring', mesh: 'Mesh', rdh: 'RDH', kangaring: 'KangaRing' };

/** `all_gather_v` is AllGatherV. A name that is written so already stays as it is. */
const operationName = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function collectives(p: Profile, rows: readonly number[]): ParquetTable {
  const { transfers: t, instructions: e } = p;
  const parts = rows.map(row => partOf(p, row));
  const [start, end] = [(at: number) => Math.round(t.startNs[rows[at]]), (at: number) => Math.round(t.endNs[rows[at]])];
  const triggerStart = (at: number) => (parts[at].trigger < 0 ? null : Math.round(e.startNs[parts[at].trigger]));
  const perSecond = (at: number, bytes: number) => (end(at) > start(at) ? (bytes / (end(at) - start(at))) * 1e9 : null);
  return {
    name: 'CcOp',
    rows: rows.length,
    columns: {
      start_ts: start,
      end_ts: end,
      duration_ns: at => end(at) - start(at),
      operation: at => operationName(parts[at].own?.name ?? p.strings[t.variable[rows[at]]]),
      algorithm: at => ALGORITHM_NAMES[parts[at].own?.algorithm ?? ''] ?? parts[at].own?.algorithm ?? '',
      num_elements: at => (parts[at].elementBytes > 0 ? (parts[at].own?.bytes ?? 0) / parts[at].elementBytes : 0),
      dtype: at => parts[at].dtype,
      op_id: at => parts[at].own?.number ?? at,
      stream_id: at => t.track[rows[at]],
      stream_index: at => ccCoreOf(p, t.track[rows[at]]),
      trigger_engine: at => (parts[at].trigger < 0 ? '' : p.tracks[e.track[parts[at].trigger]].engine),
      input_size: at => parts[at].inputBytes,
      output_size: at => parts[at].outputBytes,
      algorithm_bandwidth: at => perSecond(at, parts[at].own?.bytes ?? 0),
      bus_bandwidth: at => (parts[at].ranks > 0 ? perSecond(at, parts[at].busBytes) : null),
      trigger_start_ts: triggerStart,
      cc_trigger_start_delay: at => {
        const from = triggerStart(at);
        return from === null ? null : start(at) - from;
      },
      replica_group: at => (parts[at].lists.length > 0 ? JSON.stringify(parts[at].lists) : null),
    },
  };
}

/** One row per CC core. */
function streams(p: Profile, rows: readonly number[]): ParquetTable {
  const tracks = [...new Set(rows.map(row => p.transfers.track[row]))].sort((a, b) => a - b);
  const core = (at: number) => ccCoreOf(p, tracks[at]);
  return {
    name: 'CcStream',
    rows: tracks.length,
    columns: { stream_id: at => tracks[at], stream_index: core, cc_core_ids: at => `[${core(at)}]` },
  };
}

/** Number of a row `CC-core_0`. */
const ccCoreOf = (p: Profile, track: number) => Number(/\d+/.exec(labelOf(p.tracks[track]))?.[0] ?? 0);

/** What this rank has to do with a collective. */
interface Part {
  /** Undefined: the profile is of no rank. */
  own: RankCollective | undefined;
  /** Its instruction, or -1. */
  trigger: number;
  dtype: string;
  elementBytes: number;
  /** Ranks that meet; empty: not known. */
  lists: number[][];
  /** In the list of this rank; 0: not known. */
  ranks: number;
  inputBytes: number | null;
  outputBytes: number | null;
  busBytes: number;
}

function partOf(p: Profile, row: number): Part {
  const own = collectiveOf(p, transferEvent(p, row));
  const given = p.transfers.trigger[row];
  const trigger = given < instructionRows(p) ? given : -1;
  const list = trigger < 0 ? -1 : p.instructions.operands[trigger];
  const dtype = list < 0 ? '' : dtypeOf(p, list);
  const lists = list < 0 ? [] : listsOf(operandListText(p, list), own?.sendsTo !== undefined);
  const ranks = (p.rank && lists.find(ranksOf => ranksOf.includes(p.rank!.rank))?.length) ?? 0;
  const kind = own && { name: own.name, bytes: own.bytes, ranks };
  return {
    ...{ own, trigger, dtype, lists, ranks, elementBytes: dtypeOfProfile(dtype)?.sizeBytes ?? 0 },
    inputBytes: kind ? sideBytes(kind, 'all_gather') : null,
    outputBytes: kind ? sideBytes(kind, 'reduce_scatter') : null,
    busBytes: kind && ranks > 0 ? movedBytes(kind) : 0,
  };
}

/** Of the side that is one part of the larger one in collectives of this name, each rank having such a part. */
const sideBytes = ({ name, bytes, ranks }: { name: string; bytes: number; ranks: number }, divided: string) =>
  name.startsWith(divided) ? (ranks > 0 ? bytes / ranks : null) : bytes;

function dtypeOf(p: Profile, list: number): string {
  const first = operandsOf(p, list).find(operand => p.operands.dtype[operand] !== NO_DTYPE);
  return first === undefined ? '' : p.operandWords[p.operands.dtype[first]];
}

/** @param isPairs of sender and receiver: these are one list of ranks */
function listsOf(operands: string, isPairs: boolean): number[][] {
  const lists = rankListsOf(/replica_group=(\S+)/.exec(operands)?.[1] ?? '');
  return isPairs && lists.length > 0 ? [[...new Set(lists.flat())].sort((a, b) => a - b)] : lists;
}
