/** Advice on the Tensor engine: narrower operands, transposes elsewhere, sums in PSUM. */

import { transposes } from '../../analyze/totals';
import type { AdviceRule, Proposal } from '../rule';
import type { LineEvents, Subject } from '../subject';

export const narrowMatmuls: AdviceRule = {
  name: 'bf16-matmul',
  title: 'Multiply in bf16 instead of fp32',
  sketch: 'cast both operands to nl.bfloat16 before nisa.nc_matmul, or pass them in bf16; PSUM still adds in fp32',
  tried:
    'the matmuls of these lines at the rate of bf16; loads as they are, or with half of the bytes. Whether the values allow it was not tried',
  source: 'NKI performance guide, Tensor engine data types',
  propose: subject =>
    subject.lines.flatMap(({ file, line, instructions }) => {
      const { passes, fp32Instructions } = subject.experiment.code.machine.tensor;
      const own = instructions.filter(i => ['MATMUL', 'LDWEIGHTS'].includes(subject.opcode(i)) && subject.reads(i, 'fp32'));
      if (own.length === 0) return [];
      const reason = `${own.length} instructions of its matmuls read fp32, at a quarter of the rate of bf16.`;
      // An fp32 product is several MATMULs, of which one is left.
      const speed = (passes.fp32.value / passes.bf16.value) * fp32Instructions.value;
      const narrow = { kind: 'events' as const, events: subject.mask(own), speed };
      const cast = { file, line, reason, changes: [narrow], way: 'cast on the chip' };
      const loads = loadsOf(subject, own);
      if (loads.length === 0) return [cast];
      const half = { kind: 'fewer bytes' as const, events: subject.mask([], loads), by: 2 };
      return [cast, { ...cast, changes: [narrow, half], way: 'operands in bf16 in HBM, too' }];
    }),
};

/** Transfers that bring what these instructions read. */
function loadsOf(subject: Subject, instructions: readonly number[]): number[] {
  const { transfer } = subject.experiment.code.instructions;
  const loads = new Set<number>();
  for (const i of instructions) for (const producer of subject.producers(i)) if (transfer[producer] >= 0) loads.add(transfer[producer]);
  return [...loads];
}

export const transposesElsewhere: AdviceRule = {
  name: 'no-transposes',
  title: 'Load the data in the layout that the matmul needs',
  sketch: 'swap stationary and moving operands, or load with nisa.dma_transpose',
  tried: 'the transposes of these lines are left out: what takes their place has a cost, so the gain is at most this',
  source: 'NKI performance guide, transposes',
  propose: subject => {
    const isTranspose = transposes(subject.profile);
    const { row } = subject.profile.timing!.instructions;
    return perLine(subject, line => {
      const own = line.instructions.filter(i => isTranspose[row[i]] === 1);
      if (own.length === 0) return null;
      return {
        reason: `${own.length} instructions of the PE array only transpose data.`,
        changes: [subject.without(own)],
      };
    });
  },
};

export const sumsInPsum: AdviceRule = {
  name: 'psum-accumulation',
  title: 'Add partial products in PSUM',
  sketch: 'call nisa.nc_matmul with the same dst tile for all parts of the contraction, without nl.zeros in between',
  tried: 'the additions of products that were copied out of PSUM are left out',
  source: 'NKI matrix multiplication tutorial, accumulation in PSUM',
  propose: subject =>
    perLine(subject, line => {
      const own = line.instructions.filter(i => subject.opcode(i) === 'TENSOR_TENSOR' && subject.readsPsum(i));
      if (own.length < 2 || !/\+=|\badd\b|nl\.add/.test(line.text)) return null;
      return {
        reason: `${own.length} additions of VectorE read a product from PSUM.`,
        changes: [subject.without(own)],
      };
    }),
};

function perLine(subject: Subject, find: (line: LineEvents) => Pick<Proposal, 'reason' | 'changes'> | null): Proposal[] {
  return subject.lines.flatMap(line => {
    const found = find(line);
    return found ? [{ file: line.file, line: line.line, ...found }] : [];
  });
}
