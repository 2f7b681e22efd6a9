/**
 * What a session has of the ranks of the call that is being recorded: which it takes from other interpreters (`rankRecorders.ts`), and
 * the programs of all, alike ones once.
 */
import type { RecordedProgram } from '../frontend/protocol';
import { MOST_RANKS } from '../hardware/network';
import { RunError } from './backend';
import type { RecordedRank } from './rankedCall';
import { containersOf, decodedProgram, type RankRecording } from './rankRecorders';
import type { SessionContext } from './sessionContext';

/**
 * Instructions that are left to be recorded, from which on other interpreters take part, unless the request says how many do. Each takes
 * most of a second of a core to start, and to record and compile so many takes more than two.
 */
const FEWEST_INSTRUCTIONS = 40_000;

type Programs = Omit<RecordedRank, 'inputs'>;

export class RanksElsewhere {
  private readonly recordings = new Map<number, RankRecording>();
  private isOpen = false;
  private recorded = 0;

  constructor(private readonly session: SessionContext) {}

  /** @returns how many record the ranks from `first` on */
  begin(first: number, ranks: number, instructions: number): number {
    this.end();
    const { recorders, request } = this.session.options;
    if (!recorders || first < 1 || ranks <= first || ranks > MOST_RANKS) return 0;
    if (request.recorders === undefined && (ranks - first) * instructions < FEWEST_INSTRUCTIONS) return 0;
    const count = recorders.begin(first, ranks);
    this.isOpen = count > 0;
    this.recorded = instructions;
    return count;
  }

  /** Its constants as arrays of this session, and what the kernel returns. */
  take(rank: number) {
    const recording = this.isOpen ? this.session.options.recorders?.take(rank) : null;
    if (!recording) return { constants: null };
    this.recordings.set(rank, recording);
    this.recorded += recording.instructions;
    this.session.options.onProgress({ phase: 'trace', instructions: this.recorded });
    const constants = recording.constants.map(({ dtype, shape, bytes }) => ({
      dtype,
      shape,
      array: this.session.arrays.put(dtype, shape, bytes),
    }));
    return { constants, returned: recording.returned };
  }

  /** Of each, in this order. @param payload the containers of those that were recorded here @throws RunError */
  together(programs: readonly RecordedProgram[], payload: Uint8Array): Programs[] {
    const sizes = programs.flatMap(({ bytes = [] }) => bytes);
    const sent = sizes.length > 0 ? containersOf(payload, sizes) : [];
    const known: { containers: Uint8Array[]; cores: string; programs: Programs }[] = [];
    return programs.map(({ bytes = [], rank, places, coreBarriers }) => {
      const elsewhere = typeof rank === 'number' ? this.recordingOf(rank) : null;
      const containers = elsewhere?.programs ?? sent.splice(0, bytes.length);
      if (containers.length === 0) throw new RunError('ProtocolError', 'a rank without programs');
      const of = elsewhere ? { places: elsewhere.places, coreBarriers: elsewhere.coreBarriers } : { places, coreBarriers };
      const cores = JSON.stringify(of);
      const same = known.find(each => each.cores === cores && areSame(each.containers, containers));
      if (same) return same.programs;
      const made = { ...this.decoded(containers), ...of, ...(elsewhere?.compiled && { compiled: elsewhere.compiled }) };
      known.push({ containers, cores, programs: made });
      return made;
    });
  }

  /** No further rank is wanted. */
  end() {
    if (this.isOpen) this.session.options.recorders?.end();
    this.isOpen = false;
    this.recordings.clear();
  }

  /** The script has ended. */
  close() {
    this.end();
    this.session.options.recorders?.close();
  }

  private recordingOf(rank: number): RankRecording {
    const recording = this.recordings.get(rank);
    if (!recording) throw new RunError('ProtocolError', `rank ${rank} was recorded nowhere`);
    return recording;
  }

  private decoded(containers: readonly Uint8Array[]) {
    const [whole, ...cores] = containers.map(each => decodedProgram(each, this.session.options.paths.toHost));
    return { whole, cores };
  }
}

const areSame = (some: readonly Uint8Array[], others: readonly Uint8Array[]) =>
  some.length === others.length &&
  some.every((bytes, k) => bytes.length === others[k].length && bytes.every((byte, at) => byte === others[k][at]));
