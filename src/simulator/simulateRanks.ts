/**
 * Programs of several ranks -> a profile for each, all on one clock: collectives found, each distinct program compiled once, all ranks
 * scheduled together. No values are computed.
 */
import { collectiveParts } from './analyze/collectives';
import { heldUpAt } from './analyze/straggler';
import { compile } from './compile/compile';
import type { Compiled } from './compile/compiled';
import { neuronPolicy } from './compile/neuronPolicy';
import { receivedCompiled, type SentCompiled } from './compile/transfer';
import { collectiveCost } from './hardware/collectiveCost';
import type { Machine } from './hardware/machine';
import { mostRanks, type Topology, topologyFor } from './hardware/network';
import { machineFor } from './hardware/targets';
import { eventOrder } from './profile/eventOrder';
import type { CorePlaces } from './profile/joinCores';
import type { Profile, RankCollective } from './profile/profile';
import { errorAt } from './program/error';
import { type MatchedCollective, matchCollectives } from './program/matchCollectives';
import type { Program } from './program/program';
import { verify } from './program/verify';
import { type OwnCollectives, type RankWait, scheduleRanks } from './schedule/ranks';
import { isExperiment, profileOfCores, type SimulateRequest, waitsFor, withBarriers } from './simulate';
import type { Check } from './vocabulary/check';
import { dtypes } from './vocabulary/dtypes';
import { isCcQueue } from './vocabulary/queues';

/** Said of every rank that takes part in collectives. */
const COLLECTIVES_ACCURACY = 'Times of collectives are coarse: published ones contradict each other.';

/** What a rank recorded. Ranks that recorded the same share it. */
export interface RankProgram {
  /** What the checks and the collectives are looked for in. */
  whole: Program;
  /** What is timed: the whole program, or each core's own. */
  cores: readonly Program[];
  places?: readonly CorePlaces[];
  coreBarriers?: readonly (readonly number[])[];
  /** What `compileRank` has made of it in another thread. */
  compiled?: SentRank;
}

/** Of each core, its code; and what is wrong with the whole program. */
export interface CompiledRank<Code = Compiled> {
  checks: Check[];
  cores: Code[];
}

export type SentRank = CompiledRank<SentCompiled>;

export interface SimulateRanksRequest extends Omit<SimulateRequest, 'verified' | 'coreBarriers' | 'places'> {
  /** Absent: the first of the target. */
  topology?: string;
}

/** @throws KernelError with file and line for what the machine cannot run, or ranks cannot do together. */
export function simulateRanks(
  ranks: readonly RankProgram[],
  { onPhase, topology: name, machine = machineFor(ranks[0].whole.target), policy = neuronPolicy, ...request }: SimulateRanksRequest = {},
): Profile[] {
  onPhase?.('compile');
  const topology = topologyOf(ranks, machine, name);
  const found = matchCollectives(ranks.map(({ whole }) => whole));
  const compiled = new Map(
    [...new Set(ranks)].map(each => {
      const { checks, cores } = each.compiled ? received(each, each.compiled, machine) : compileRank(each, { ...request, machine, policy });
      return [each, { checks, cores: withBarriers(cores, each.coreBarriers) }];
    }),
  );
  onPhase?.('schedule');
  const costs = costsOf(found, ranks, topology);
  const numbers = numbersOf(found, ranks.length);
  const parts = ranks.map((each, rank) => {
    const { cores } = compiled.get(each)!;
    return { cores, collectives: cores.map(({ compiled: code }, core) => ownCollectives(code, numbers[rank], each.places?.[core])) };
  });
  const scheduled = scheduleRanks(
    parts,
    Float64Array.from(costs, ({ durationNs }) => durationNs),
  );
  // one clock for all: from the first moment of any rank
  const bodyStartNs = Math.min(...scheduled.flatMap(({ times }) => times.map(each => each.bodyStartNs)));
  const profiles = ranks.map((each, rank) => {
    const { checks, cores } = compiled.get(each)!;
    const { times, waits } = scheduled[rank];
    const bodyEndNs = Math.max(...times.map(own => own.bodyEndNs));
    const code = cores.map(({ compiled: own }) => own);
    const clocked = times.map(own => ({ ...own, bodyStartNs, bodyEndNs }));
    // a rank is not timed again by itself: what it waits for is in the others
    const { timing: _, ...profile } = profileOfCores(each.cores, code, clocked, {
      places: each.places,
      experiment: isExperiment(machine, policy),
    });
    const collectives = collectivesOf(code, waits, { profile, rank, bodyStartNs }, costs);
    const of = { rank, ranks: ranks.length, topology: topology.name, collectives };
    const accuracy = collectives.length > 0 ? `${profile.accuracy} ${COLLECTIVES_ACCURACY}` : profile.accuracy;
    return { ...profile, checks: [...checks, ...profile.checks], accuracy, rank: of };
  });
  return withLinesOfLate(profiles);
}

/** Which line made a rank late is known when the times of all ranks are. */
function withLinesOfLate(profiles: Profile[]): Profile[] {
  const lines = new Map([...collectiveParts(profiles)].map(([number, parts]) => [number, heldUpAt(parts)]));
  return profiles.map(p => {
    const { rank } = p;
    if (!rank?.collectives.some(({ late }) => late)) return p;
    const collectives = rank.collectives.map(own => {
      const place = lines.get(own.number);
      return own.late && place?.rank === own.late.rank ? { ...own, late: { ...own.late, file: place.file, line: place.line } } : own;
    });
    return { ...p, rank: { ...rank, collectives } };
  });
}

/** The part of the simulation that is each rank's own. @throws KernelError */
export function compileRank(
  { whole, cores, coreBarriers }: RankProgram,
  { machine = machineFor(whole.target), policy = neuronPolicy, ...request }: Omit<SimulateRanksRequest, 'topology' | 'onPhase'> = {},
): CompiledRank {
  return {
    checks: verify(whole, machine),
    cores: cores.map((program, core) => compile(program, { ...request, machine, policy, waitsForCores: waitsFor(coreBarriers, core) })),
  };
}

function received({ cores }: RankProgram, { checks, cores: code }: SentRank, machine: Machine): CompiledRank {
  return { checks, cores: code.map((sent, core) => receivedCompiled(sent, cores[core], machine)) };
}

function topologyOf(ranks: readonly RankProgram[], machine: Machine, name: string | undefined): Topology {
  const refuse = (message: string) => errorAt(ranks[0].whole, 0, message);
  let topology: Topology;
  try {
    topology = topologyFor(machine.instanceType, name);
  } catch (error) {
    throw refuse((error as Error).message);
  }
  const most = mostRanks(topology, ranks[0].cores.length);
  const cores = ranks[0].cores.length;
  if (ranks.length > most)
    throw refuse(`${ranks.length} ranks: ${topology.name} has room for ${most} of ${cores === 1 ? 'one core' : `${cores} cores`} each`);
  return topology;
}

function costsOf(found: readonly MatchedCollective[], ranks: readonly RankProgram[], topology: Topology) {
  return found.map(({ operation, members }) => {
    const [{ rank, instruction }] = members;
    const { whole, cores } = ranks[rank];
    const kind = {
      name: operation.slice(operation.lastIndexOf('.') + 1),
      bytes: largestOperand(whole, instruction),
      list: members.map(member => member.rank),
      coresPerRank: cores.length,
      isContinued: instruction > 0 && attributesOf(whole, instruction - 1).more === true,
    };
    const pairs = pairsOf(kind.name, attributesOf(whole, instruction), kind.list);
    return { ...collectiveCost(topology, kind), name: kind.name, bytes: kind.bytes, pairs };
  });
}

/** Sender and receiver of each message of a permutation; null for collectives in which all ranks exchange data with all. */
function pairsOf(name: string, attributes: Program['attributes'][number], list: readonly number[]): [number, number][] | null {
  if (name === 'collective_permute') return attributes.source_target_pairs as unknown as [number, number][];
  if (!name.startsWith('collective_permute_implicit')) return null;
  return list.map((rank, place) => [rank, list[(place + 1) % list.length]]);
}

const attributesOf = ({ attributes, instructions }: Program, instruction: number) => attributes[instructions.attributes[instruction]];

function largestOperand({ instructions, operands }: Program, instruction: number): number {
  let largest = 0;
  for (let o = instructions.operandStart[instruction]; o < instructions.operandStart[instruction + 1]; o++) {
    const elements = operands.dimCount.subarray(operands.dimStart[o], operands.dimStart[o + 1]).reduce((a, b) => a * b, 1);
    largest = Math.max(largest, elements * dtypes[operands.dtype[o]].sizeBytes);
  }
  return largest;
}

/** By rank: instruction of its whole program -> number of the collective. */
function numbersOf(found: readonly MatchedCollective[], ranks: number): Map<number, number>[] {
  const numbers = Array.from({ length: ranks }, () => new Map<number, number>());
  for (const [number, { members }] of found.entries()) for (const { rank, instruction } of members) numbers[rank].set(instruction, number);
  return numbers;
}

/** Of one core. `places`: where its instructions stand in the whole program; absent: where they stand in its own. */
function ownCollectives(
  { transfers, queues, instructions }: Compiled,
  numbers: ReadonlyMap<number, number>,
  places?: CorePlaces,
): OwnCollectives {
  const own = new Map<number, { collective: number; queue: number }>();
  for (let t = 0; t < transfers.queue.length; t++) {
    const queue = transfers.queue[t];
    const collective = isCcQueue(queues[queue].name) ? numbers.get(placed(instructions.origin[transfers.trigger[t]], places)) : undefined;
    if (collective !== undefined) own.set(t, { collective, queue });
  }
  return own;
}

function placed(instruction: number, places: CorePlaces | undefined): number {
  let left = instruction;
  for (const [position, count] of places ?? []) {
    if (left < count) return position + left;
    left -= count;
  }
  return instruction;
}

interface Finished {
  profile: Profile;
  rank: number;
  bodyStartNs: number;
}

/** In the order in which the rank took part. Rows of `transfers` are those of the cores one behind the other. */
function collectivesOf(
  cores: readonly Compiled[],
  waits: readonly RankWait[],
  { profile, rank, bodyStartNs }: Finished,
  costs: ReturnType<typeof costsOf>,
): RankCollective[] {
  const orders = cores.map(eventOrder);
  const before = cores.map((_, core) => cores.slice(0, core).reduce((sum, own) => sum + own.transfers.queue.length, 0));
  return waits.map(({ core, transfer, collective, last }) => {
    const count = cores[core].instructions.track.length;
    const row = orders[core].rename(count + transfer) - count + before[core];
    const { name, algorithm, bytes, pairs } = costs[collective];
    const sendsTo = pairs?.filter(([from]) => from === rank).map(([, to]) => to);
    const entry = { transfer: row, number: collective, name, algorithm, bytes, ...(sendsTo && { sendsTo }) };
    const waitedNs = profile.transfers.startNs[row] - profile.transfers.readyNs[row];
    if (last.rank === rank || waitedNs <= 0) return entry;
    return { ...entry, late: { rank: last.rank, atNs: last.atNs - bodyStartNs + profile.bodyStartNs, file: '', line: 0 } };
  });
}
