/** Advice on Vector, Scalar and GpSimd: work on the engine that has room, wider instructions, reductions fused into activations. */

import { transposes } from '../../analyze/totals';
import { TRACK_ENGINE } from '../../compile/compiled';
import { CostModel, type Operands } from '../../hardware/costModel';
import type { CostRuleName } from '../../hardware/machine';
import { instructionTable } from '../../isa/table';
import { elementBytesOf, freeElements, stepsOf } from '../../profile/profile';
import { ENGINES, type Engine } from '../../vocabulary/engines';
import type { AdviceRule, Proposal } from '../rule';
import type { Subject } from '../subject';

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

/** Functions of `nki.isa` that take the engine as an argument. */
const WITH_ENGINE = instructionTable
  .filter(({ name, attributes }) => name.startsWith('nki.isa.') && attributes.engine === 'engine')
  .map(({ name }) => name.split('.').at(-1)!);

/** Attribute of `nki.isa`. The legacy language uses other names. */
const engineName = (dialect: string, engine: Engine) =>
  dialect === 'nki' ? `engine.${engine.toLowerCase()}` : `${engine.toLowerCase()}_engine`;

export const idleEngine: AdviceRule = {
  name: 'idle-engine',
  title: 'Move work to an engine that has less to do',
  sketch: 'pass engine=nisa.engine.scalar (or vector, gpsimd), or use nisa.activation(op=nl.copy) for a copy',
  tried: 'the instructions of these lines on the other engine, at what they cost there, where they stood in the order of time',
  source: 'NKI performance guide, balancing engines',
  propose: subject => {
    const busyNs = engineWork(subject);
    const isLessBusy = (a: Engine, b: Engine) => busyNs[ENGINES.indexOf(a)] < busyNs[ENGINES.indexOf(b)];
    return subject.lines.flatMap(line =>
      ENGINES.flatMap(from => {
        const own = line.instructions.filter(i => engineOf(subject, i) === from && Object.hasOwn(ALTERNATIVES, subject.opcode(i)));
        const others =
          own.length === 0 ? [] : ENGINES.filter(engine => isLessBusy(engine, from) && own.every(i => wayOn(subject, i, engine)));
        return others.map((engine): Proposal => {
          const change = { kind: 'other engine' as const, engine, events: subject.mask(own), ...costsOn(subject, own, engine) };
          return {
            file: line.file,
            line: line.line,
            reason: `${own.length} instructions of ${from}; ${engine} has less to do.`,
            changes: [change],
            edit: { calls: WITH_ENGINE, keyword: 'engine', value: engineName(subject.profile.dialect, engine) },
          };
        });
      }),
    );
  },
};

/** How that engine would do it; undefined: it cannot. */
function wayOn(subject: Subject, i: number, engine: Engine): Alternative | undefined {
  if (engine === 'Scalar' && subject.opcode(i) === 'TENSOR_SCALAR' && !isForScalar(subject, i)) return undefined;
  const way = ALTERNATIVES[subject.opcode(i)].find(known => known.engine === engine);
  return way && (way.reachesPsum || !costOperands(subject, i).psum) ? way : undefined;
}

/** NKI ISA, tensor_scalar: before NeuronCore-v4, ScalarE multiplies, adds, or multiplies and adds. */
function isForScalar(subject: Subject, i: number): boolean {
  if (subject.experiment.code.machine.features.scalarAllOperations.value) return true;
  const has = (pattern: RegExp) => subject.hasWord(i, word => pattern.test(word));
  return has(/^op1=ADD$/) ? has(/^op0=MULTIPLY$/) : has(/^op0=(MULTIPLY|ADD)$/) && hasOneOperation(subject, i);
}

function costsOn(subject: Subject, own: readonly number[], engine: Engine): { issueNs: Float64Array; durationNs: Float64Array } {
  const costs = new CostModel(subject.experiment.code.machine);
  const issueNs = new Float64Array(subject.instructions);
  const durationNs = new Float64Array(subject.instructions);
  const cost = { issueNs: 0, durationNs: 0 };
  for (const i of own) {
    costs.elementwise(wayOn(subject, i, engine)!.rule, engine, costOperands(subject, i), cost);
    issueNs[i] = cost.issueNs;
    durationNs[i] = cost.durationNs;
  }
  return { issueNs, durationNs };
}

/** The properties that its cost depends on. */
function costOperands(subject: Subject, i: number): Operands {
  const { profile } = subject;
  const { longStrideBytes } = subject.experiment.code.machine;
  const bytes = elementBytesOf(profile, subject.operandList(i));
  const operands = [...subject.operands(i)];
  const steps = operands.map(operand => stepsOf(profile, operand)[0] ?? 1);
  return {
    elements: Math.max(1, subject.elements(i)),
    bytes: Math.max(...bytes),
    leastBytes: Math.min(...bytes),
    psum: operands.some(operand => subject.isInPsum(operand)),
    unitStride: steps.every(step => step === 1),
    longStride: steps.some((step, k) => Math.abs(step) * bytes[k] > longStrideBytes.value),
  };
}

/** Free elements of an instruction below which its fixed cost counts. Ours: the fixed cost of VectorE is some 60 cycles. */
const NARROW_ELEMENTS = 512;
const WIDENED = 4;

export const widerInstructions: AdviceRule = {
  name: 'wider-instructions',
  title: 'Work on more elements with each instruction',
  sketch: 'use a larger free dimension: one instruction over several tiles that lie side by side',
  tried: `${WIDENED} instructions of a line as one: what each costs besides its elements is paid once`,
  source: 'NKI performance guide, free dimension',
  propose: subject =>
    subject.lines.flatMap(({ file, line, instructions }) => {
      const { clockGhz } = subject.experiment.code.machine;
      const { issueNs, durationNs, track, transfer } = subject.experiment.code.instructions;
      const saved = new Float64Array(issueNs.length);
      let own = 0;
      let elements = 0;
      for (const i of instructions) {
        const engine = engineOf(subject, i);
        if (TRACK_ENGINE[track[i]] === 0 || transfer[i] >= 0) continue;
        const streamed = subject.elements(i);
        if (streamed === 0 || streamed >= NARROW_ELEMENTS) continue;
        own++;
        elements += streamed;
        saved[i] = Math.max(0, issueNs[i] - streamed / clockGhz[engine].value) * (1 - 1 / WIDENED);
      }
      if (own < WIDENED) return [];
      const less = (column: Float64Array) => column.map((ns, i) => Math.max(0, ns - saved[i]));
      const reason = `${own} instructions of ${Math.round(elements / own)} elements per partition on average: their fixed cost is much of their time.`;
      return [{ file, line, reason, changes: [{ kind: 'costs' as const, issueNs: less(issueNs), durationNs: less(durationNs) }] }];
    }),
};

export const fusedActivations: AdviceRule = {
  name: 'fuse-activation',
  title: 'Let the activation scale, shift and reduce',
  sketch:
    'nisa.activation(op=..., data=..., bias=..., scale=...), and nisa.activation_reduce(..., reduce_op=nl.add, reduce_res=...) for sums',
  tried: 'what an activation could do on the way is left out: operations on what only activations read, sums of what they wrote',
  source: 'NKI attention tutorial, combining instructions on ScalarE; NKI ISA, activation_reduce',
  propose: subject =>
    subject.lines.flatMap(({ file, line, instructions }) => {
      const before = instructions.filter(i => isScaleOrShift(subject, i) && isOnly(subject, subject.consumers(i), 'ACTIVATE'));
      const after = instructions.filter(i => isSum(subject, i) && isOnly(subject, subject.producers(i), 'ACTIVATE'));
      const own = [...before, ...after];
      if (own.length === 0) return [];
      const reason =
        before.length > 0
          ? `${before.length} instructions scale or shift what only an ACTIVATE reads.`
          : `${after.length} reductions add up what an ACTIVATE wrote just before.`;
      return [{ file, line, reason, changes: [subject.without(own)] }];
    }),
};

export const delayedScaling: AdviceRule = {
  name: 'delay-scaling',
  title: 'Scale the product instead of its operand',
  sketch: 'multiply what nc_matmul gives by the factor of each row, when it is copied out of PSUM',
  tried: 'multiplications by a factor for each row are left out where the result is only transposed for a matmul',
  source: 'NKI attention tutorial, delayed division of softmax',
  propose: subject => {
    const isTranspose = transposes(subject.profile);
    const { row } = subject.profile.timing!.instructions;
    return subject.lines.flatMap(({ file, line, instructions }) => {
      const own = instructions.filter(i => {
        const readers = subject.consumers(i);
        return isRowScaling(subject, i) && readers.length > 0 && readers.every(reader => isTranspose[row[reader]] === 1);
      });
      if (own.length === 0) return [];
      const reason = `${own.length} instructions scale rows of an operand; its product has fewer elements.`;
      return [{ file, line, reason, changes: [subject.without(own)] }];
    });
  },
};

const isOnly = (subject: Subject, instructions: Uint32Array, opcode: string) =>
  instructions.length > 0 && instructions.every(i => subject.opcode(i) === opcode);

const isSum = (subject: Subject, i: number) => subject.opcode(i) === 'TENSOR_REDUCE' && subject.hasWord(i, word => word === 'op=ADD');

const hasOneOperation = (subject: Subject, i: number) => !subject.hasWord(i, word => word.startsWith('op1=') && word !== 'op1=BYPASS');

/** x * a, x + a or x - a: what ScalarE does to its input on the way. */
const isScaleOrShift = (subject: Subject, i: number) =>
  subject.opcode(i) === 'TENSOR_SCALAR' &&
  subject.hasWord(i, word => /^op0=(ADD|SUBTRACT|MULTIPLY)$/.test(word)) &&
  hasOneOperation(subject, i);

/** The factor is in memory, one value for each partition. */
const isRowScaling = (subject: Subject, i: number) =>
  subject.opcode(i) === 'TENSOR_SCALAR' &&
  subject.hasWord(i, word => /^op0=(MULTIPLY|DIVIDE)$/.test(word)) &&
  hasOneOperation(subject, i) &&
  subject.sources(i).some(operand => freeElements(subject.profile, operand) === 1);

const engineOf = ({ experiment }: Subject, i: number): Engine => ENGINES[TRACK_ENGINE[experiment.code.instructions.track[i]]];

/** Issue time of all instructions, by engine. */
function engineWork({ experiment: { code } }: Subject): Float64Array {
  const result = new Float64Array(ENGINES.length);
  const { track, issueNs } = code.instructions;
  for (let i = 0; i < track.length; i++) result[TRACK_ENGINE[track[i]]] += issueNs[i];
  return result;
}
