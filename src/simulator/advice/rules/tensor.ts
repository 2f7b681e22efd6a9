/** Advice on the Tensor engine: narrower operands, transposes elsewhere, sums in PSUM. */

import { transposes } from '../../analyze/totals';
import type { AdviceRule, Proposal } from '../rule';
import type { LineEvents, Subject } from '../subject';

export const narrowMatmuls: AdviceRule = {
  name: 'bf16-matmul',
  title: 'Multiply in bf16 instead of fp32',
  sketch: 'cast both operands to nl.bfloat16 before nisa.nc_matmul; PSUM still adds in fp32',
  tried: 'the matmuls of these lines at the rate of bf16; loads and casts as they are. Whether the values allow it was not tried',
  source: 'NKI performance guide, Tensor engine data types',
  propose: subject =>
    perLine(subject, line => {
      const { passes, fp32Instructions } = subject.experiment.code.machine.tensor;
      const own = line.instructions.filter(i => ['MATMUL', 'LDWEIGHTS'].includes(subject.opcode(i)) && subject.reads(i, 'fp32'));
      if (own.length === 0) return null;
      // An fp32 product is several MATMULs, of which one is left.
      const speed = (passes.fp32.value / passes.bf16.value) * fp32Instructions.value;
      return {
        reason: `${own.length} instructions of its matmuls read fp32, at a quarter of the rate of bf16.`,
        changes: [{ kind: 'events', events: subject.mask(own), speed }],
      };
    }),
};

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
