/** Advice on Vector, Scalar and GpSimd: work on the engine that has room, wider instructions, reductions fused into activations. */

import { counted } from '../../analyze/format';
import { transposes } from '../../analyze/totals';
import { TRACK_ENGINE } from '../../compile/compiled';
import { engineOf, isMovable, movedTo, whyNotOn } from '../../experiments/otherEngine';
import { COST_RULES } from '../../hardware/machine';
import { instructionTable } from '../../isa/table';
import { freeElements } from '../../profile/profile';
import { ENGINES, type Engine } from '../../vocabulary/engines';
import { isOnRegisters } from '../../vocabulary/registerOpcodes';
import type { AdviceRule, Proposal } from '../rule';
import type { Subject } from '../subject';

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
  tried:
    'the instructions of these lines on the other engine, all or every other one, at what they cost there, where they stood in the order of time',
  source: 'NKI performance guide, balancing engines',
  propose: subject => {
    const timed = subject.experiment;
    const busyNs = engineWork(subject);
    const isLessBusy = (a: Engine, b: Engine) => busyNs[ENGINES.indexOf(a)] < busyNs[ENGINES.indexOf(b)];
    return subject.lines.flatMap(line =>
      ENGINES.flatMap(from => {
        const own = line.instructions.filter(i => engineOf(timed, i) === from && isMovable(timed, i));
        if (own.length === 0) return [];
        const others = ENGINES.filter(engine => isLessBusy(engine, from) && own.every(i => whyNotOn(timed, i, engine) === null));
        return others.flatMap((engine): Proposal[] => {
          const proposal = {
            file: line.file,
            line: line.line,
            reason: `${own.length} instructions of ${from}; ${engine} has less to do.`,
          };
          const all: Proposal = {
            ...proposal,
            changes: [movedTo(timed, own, engine)],
            way: 'all of them',
            edit: { calls: WITH_ENGINE, keyword: 'engine', value: engineName(subject.profile.dialect, engine) },
          };
          const half = own.filter((_, k) => k % 2 === 1);
          return half.length === 0 ? [all] : [all, { ...proposal, changes: [movedTo(timed, half, engine)], way: 'every other one' }];
        });
      }),
    );
  },
};

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
      const { issueNs, durationNs, track, transfer } = subject.experiment.code.instructions;
      const saved = new Float64Array(issueNs.length);
      let own = 0;
      let elements = 0;
      for (const i of instructions) {
        if (TRACK_ENGINE[track[i]] === 0 || transfer[i] >= 0 || isOnRegisters(subject.opcode(i))) continue;
        const streamed = subject.elements(i);
        if (streamed === 0 || streamed >= NARROW_ELEMENTS) continue;
        own++;
        elements += streamed;
        saved[i] = fixedNs(subject, i) * (1 - 1 / WIDENED);
      }
      if (own < WIDENED) return [];
      const less = (column: Float64Array) => column.map((ns, i) => Math.max(0, ns - saved[i]));
      const reason = `${own} instructions of ${counted(Math.round(elements / own), 'element')} per partition on average: their fixed cost is much of their time.`;
      return [{ file, line, reason, changes: [{ kind: 'costs' as const, issueNs: less(issueNs), durationNs: less(durationNs) }] }];
    }),
};

/** What an instruction costs besides its elements. */
export function fixedNs(subject: Subject, i: number): number {
  const { machine, instructions } = subject.experiment.code;
  const clockGhz = machine.clockGhz[engineOf(subject.experiment, i)].value;
  // An element takes several cycles in some instructions, and a part of one in others: what is left is no more, and no less, than this.
  const mostNs = COST_RULES.reduce((most, name) => Math.max(most, machine.rules[name].issueNs.value), 0);
  const leastNs = Math.min(instructions.issueNs[i], machine.minIssueCycles.value / clockGhz);
  return Math.min(mostNs, Math.max(leastNs, instructions.issueNs[i] - subject.elements(i) / clockGhz));
}

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
      // The factors are not needed before the product is there.
      return [{ file, line, reason, changes: [subject.withoutAll(own, producer => subject.written(producer) > 1)] }];
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

/** Issue time of all instructions, by engine. */
function engineWork({ experiment: { code } }: Subject): Float64Array {
  const result = new Float64Array(ENGINES.length);
  const { track, issueNs } = code.instructions;
  for (let i = 0; i < track.length; i++) result[TRACK_ENGINE[track[i]]] += issueNs[i];
  return result;
}
