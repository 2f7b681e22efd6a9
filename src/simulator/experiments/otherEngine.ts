/** Instructions on another engine: which engines can execute what, what it costs there, and why something cannot be moved. */
import { type Schedulable, TRACK_ENGINE } from '../compile/compiled';
import { CostModel } from '../hardware/costModel';
import type { CostRuleName } from '../hardware/machine';
import { costOperands, type Operands } from '../hardware/operands';
import { elementBytesOf, freeElements, isDestination, operandsOf, type Profile, stepsOf, templateOf } from '../profile/profile';
import { ENGINES, type Engine } from '../vocabulary/engines';
import { SPACES } from '../vocabulary/spaces';
import type { Change } from './changes';
import { NoExperiment } from './noExperiment';
import type { DataSources } from './removed';

interface Alternative {
  engine: Engine;
  /** Its cost on that engine. */
  rule: CostRuleName;
  /** GpSimd cannot reach PSUM. */
  reachesPsum: boolean;
}

const COPIES: readonly Alternative[] = [
  { engine: 'Scalar', rule: 'scalarCopy', reachesPsum: true },
  { engine: 'Vector', rule: 'vectorCopy', reachesPsum: true },
  { engine: 'GpSimd', rule: 'gpsimd', reachesPsum: false },
];

/** Engines that can execute what these opcodes do. NKI ISA: the `engine` argument of each function. */
const ALTERNATIVES: Readonly<Record<string, readonly Alternative[]>> = {
  COPY: COPIES,
  CAST: COPIES,
  TENSOR_SCALAR: [
    { engine: 'Scalar', rule: 'activation', reachesPsum: true },
    { engine: 'Vector', rule: 'vectorTensorScalar', reachesPsum: true },
  ],
  TENSOR_TENSOR: [
    { engine: 'Vector', rule: 'vectorTensorTensor', reachesPsum: true },
    { engine: 'GpSimd', rule: 'gpsimd', reachesPsum: false },
  ],
  MEMSET: [
    { engine: 'Vector', rule: 'vectorCopy', reachesPsum: true },
    { engine: 'GpSimd', rule: 'gpsimd', reachesPsum: false },
  ],
};

const PSUM = SPACES.indexOf('psum');

/** What is asked of a profile's instructions, in the numbering of experiments. */
export interface Timed {
  profile: Profile;
  code: Schedulable;
  /** Whose results each instruction reads. */
  flow: DataSources;
}

/** Whether its work can be done by another engine at all. */
export const isMovable = (timed: Timed, i: number): boolean => Object.hasOwn(ALTERNATIVES, opcodeOf(timed, i));

/** Why the engine cannot execute the instruction; null: it can. */
export function whyNotOn(timed: Timed, i: number, engine: Engine): string | null {
  const opcode = opcodeOf(timed, i);
  if (!isMovable(timed, i)) return `${opcode} runs on ${engineOf(timed, i)} only`;
  const way = ALTERNATIVES[opcode].find(known => known.engine === engine);
  if (!way) return `${engine} does not execute ${opcode}: ${ALTERNATIVES[opcode].map(known => known.engine).join(' and ')} do`;
  if (!way.reachesPsum && measured(timed, i).psum) return `${engine} cannot reach PSUM, where ${opcode} has an operand`;
  if (engine === 'Scalar' && opcode === 'TENSOR_SCALAR' && !isForScalar(timed, i))
    return 'Scalar multiplies, adds, or multiplies and adds; this TENSOR_SCALAR does something else';
  return null;
}

/** @throws NoExperiment where the engine cannot execute one of them */
export function movedTo(timed: Timed, own: readonly number[], engine: Engine): Change {
  const count = timed.code.instructions.track.length;
  const costs = new CostModel(timed.code.machine);
  const events = new Uint8Array(count + timed.code.transfers.queue.length);
  const issueNs = new Float64Array(count);
  const durationNs = new Float64Array(count);
  const ports = new Uint8Array(count);
  const cost = { issueNs: 0, durationNs: 0 };
  for (const i of own) {
    const why = whyNotOn(timed, i, engine);
    if (why) throw new NoExperiment(why);
    const { rule } = ALTERNATIVES[opcodeOf(timed, i)].find(known => known.engine === engine)!;
    costs.elementwise(rule, engine, measured(timed, i), cost);
    events[i] = 1;
    issueNs[i] = cost.issueNs;
    durationNs[i] = cost.durationNs;
    ports[i] = portsOf(timed, i, engine);
  }
  return { kind: 'other engine', engine, events, issueNs, durationNs, ports, producers: timed.flow };
}

/** Bit k: on this engine the instruction uses `machine.sharedPorts[k]`. */
function portsOf(timed: Timed, i: number, engine: Engine): number {
  const { profile, code } = timed;
  const spaces = Array.from(operandsOf(profile, listOf(timed, i)), operand => SPACES[profile.operands.space[operand]]);
  return code.machine.sharedPorts.value.reduce(
    (mask, { memory, engines }, k) => (engines.includes(engine) && spaces.includes(memory) ? mask | (1 << k) : mask),
    0,
  );
}

/** All instructions of these events on another engine. @throws NoExperiment saying why they cannot be there */
export function eventsMovedTo(timed: Timed, events: Uint8Array, engine: Engine): Change {
  const { track, transfer } = timed.code.instructions;
  const all = Array.from(track.keys()).filter(i => events[i] === 1);
  const own = all.filter(i => engineOf(timed, i) !== engine);
  if (own.length === 0) throw new NoExperiment(all.length > 0 ? `it runs on ${engine} already` : 'it has no instructions, only transfers');
  if (own.some(i => transfer[i] >= 0)) throw new NoExperiment('it starts DMAs: what another queue brings is asked of the queue');
  return movedTo(timed, own, engine);
}

export const engineOf = ({ code }: Timed, i: number): Engine => ENGINES[TRACK_ENGINE[code.instructions.track[i]]];

const opcodeOf = ({ profile, code }: Timed, i: number) => profile.opcodes[code.instructions.opcode[i]];

const listOf = ({ profile }: Timed, i: number) => profile.instructions.operands[profile.timing!.instructions.row[i]];

/** NKI ISA, tensor_scalar: before NeuronCore-v4, ScalarE multiplies, adds, or multiplies and adds. */
function isForScalar(timed: Timed, i: number): boolean {
  if (timed.code.machine.features.scalarAllOperations.value) return true;
  const { operandLists, operandWords } = timed.profile;
  const words = Array.from(templateOf(timed.profile, operandLists.template[listOf(timed, i)]))
    .filter(word => word >= 0)
    .map(word => operandWords[word]);
  const has = (pattern: RegExp) => words.some(word => pattern.test(word));
  if (has(/^op1=ADD$/)) return has(/^op0=MULTIPLY$/);
  return has(/^op0=(MULTIPLY|ADD)$/) && !words.some(word => word.startsWith('op1=') && word !== 'op1=BYPASS');
}

/** What its cost depends on. */
function measured(timed: Timed, i: number): Operands {
  const { profile, code } = timed;
  const list = listOf(timed, i);
  const bytes = elementBytesOf(profile, list);
  const walked = Array.from(operandsOf(profile, list), (operand, k) => ({
    elements: freeElements(profile, operand),
    bytes: bytes[k],
    stride: stepsOf(profile, operand)[0] ?? 1,
    isPsum: profile.operands.space[operand] === PSUM,
    isWritten: isDestination(profile, operand),
  }));
  return costOperands(code.machine, walked);
}
