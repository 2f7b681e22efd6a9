/**
 * One kernel call on several ranks: a run for each. Their times come of one simulation, their values of one execution, which is
 * carried out when somebody needs a value of any rank.
 */
import { unrounded } from '../execute/unrounded';
import type { Profile } from '../profile/profile';
import type { Program } from '../program/program';
import type { RankProgram } from '../simulateRanks';
import { type BackendValues, RunError } from './backend';
import { KernelRun, type KernelRunOptions, type Place, type RecordedCall } from './kernelRun';
import type { SessionContext } from './sessionContext';

/** A rank's recording and arrays; ranks that recorded the same share the programs. */
export type RecordedRank = RecordedCall & Pick<KernelRunOptions, 'places' | 'coreBarriers'> & Pick<RankProgram, 'compiled'>;

/** @throws RunError */
export function runsOnRanks(
  session: SessionContext,
  { call, callOfKernel }: Place,
  ranks: readonly RecordedRank[],
  { pipeline, precise = true }: KernelRunOptions,
): KernelRun[] {
  const profiles = simulated(session, ranks, pipeline);
  const values = new RankValues(session, ranks, precise);
  const inputs = ranks.flatMap(rank => rank.inputs);
  return ranks.map((recorded, rank) => {
    const execute = (all: BackendValues[]) => values.of(rank, all);
    const part = { rank, ranks: ranks.length, profile: profiles[rank], inputs, execute };
    return new KernelRun(session, { call: call + rank, callOfKernel }, recorded, { precise }, part);
  });
}

function simulated(session: SessionContext, ranks: readonly RecordedRank[], pipeline: KernelRunOptions['pipeline']): Profile[] {
  const { backend, request, onProgress } = session.options;
  const { machine, policy, dge = 'auto', topology } = request;
  const programs = new Map<Program, RankProgram>();
  const ofRank = ({ whole, cores, places, coreBarriers, compiled }: RecordedRank): RankProgram => {
    const known = programs.get(whole) ?? {
      whole,
      cores: cores.length > 0 ? cores : [whole],
      places,
      coreBarriers,
      ...(!pipeline && { compiled }),
    };
    programs.set(whole, known);
    return known;
  };
  const onPhase = (phase: 'compile' | 'schedule') => onProgress({ phase });
  const options = { pipeline: pipeline ?? request.pipeline ?? 'auto', dge, machine, policy, topology, onPhase };
  return session.timed('schedule', () => backend.simulateRanks(ranks.map(ofRank), options));
}

class RankValues {
  private values: BackendValues[][] | null = null;
  private readonly programs: readonly Program[];

  constructor(
    private readonly session: SessionContext,
    private readonly ranks: readonly RecordedRank[],
    precise: boolean,
  ) {
    const made = new Map(ranks.map(({ whole }) => [whole, precise ? whole : unrounded(whole)]));
    this.programs = ranks.map(({ whole }) => made.get(whole)!);
    for (const [rank, { inputs }] of ranks.entries())
      if (inputs.length !== this.programs[rank].inputs.length)
        throw new RunError('ProtocolError', `${inputs.length} arrays for ${this.programs[rank].inputs.length} inputs of rank ${rank}`);
  }

  /** Outputs of a rank. `all`: values of the inputs of all ranks, one rank's behind the other's. */
  of(rank: number, all: readonly BackendValues[]): BackendValues[] {
    this.values ??= this.execute(all);
    return this.values[rank];
  }

  private execute(all: readonly BackendValues[]): BackendValues[][] {
    const { backend, interrupt, request, executors } = this.session.options;
    let next = 0;
    const ranks = this.ranks.map(({ inputs }, rank) => {
      const program = this.programs[rank];
      const own = all.slice(next, next + inputs.length);
      next += inputs.length;
      return {
        program,
        inputs: new Map(program.inputs.map(({ tensor }, k) => [tensor, own[k]])),
        wanted: program.outputs.map(({ tensor }) => tensor),
      };
    });
    return backend.executeRanks(ranks, { machine: request.machine, shouldStop: () => interrupt.reason !== 'none', executors });
  }
}
