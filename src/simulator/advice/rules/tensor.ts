/** Advice on the Tensor engine: narrower operands, transposes elsewhere, sums in PSUM. */

import { transposes } from '../../analyze/totals';
import type { AdviceRule, Proposal } from '../rule';
import type { LineEvents, Subject } from '../subject';

export const narrowMatmuls: AdviceRule = {
  name: 'bf16-matmul',
  title: 'Multiply in bf16 instead of fp32',
  sketch: 'cast both operands to nl.bfloat16 before nisa.nc_matmul, or pass them in bf16; PSUM still adds in fp32',
  tried: 'the matmuls of these lines at the rate of bf16; loads as they are, or with half of the bytes',
  source: 'NKI performance guide, Tensor engine data types',
  narrowsTo: 'bfloat16',
  propose: subject => {
    const { passes, fp32Instructions } = subject.experiment.code.machine.tensor;
    // An fp32 product is several MATMULs, of which one is left.
    const speed = (passes.fp32.value / passes.bf16.value) * fp32Instructions.value;
    return subject.lines.flatMap(line => {
      const own = line.instructions.filter(i => isProduct(subject, i) && subject.reads(i, 'fp32'));
      const reason = `${own.length} instructions of its matmuls read fp32, at a quarter of the rate of bf16.`;
      return narrowed(subject, line, own, { speed, reason, dtype: 'bf16' });
    });
  },
};

export const fp8Matmuls: AdviceRule = {
  name: 'fp8-matmul',
  title: 'Multiply in fp8, two rows of the contraction at a time',
  sketch: 'cast both operands to nl.float8_e4m3, scaled to its range, and pass perf_mode=nisa.matmul_perf_mode.double_row',
  tried: 'matmuls that add to the same sums, in pairs, at the rate of fp8; loads as they are, or with half of the bytes',
  source: 'NKI ISA, nc_matmul, performance mode',
  narrowsTo: 'float8_e4m3',
  propose: subject => {
    const { passes } = subject.experiment.code.machine.tensor;
    const speed = passes.bf16.value / passes.fp8.value;
    if (speed <= 1) return [];
    const isTranspose = transposes(subject.profile);
    const { row } = subject.profile.timing!.instructions;
    return subject.lines.flatMap(line => {
      const products = line.instructions.filter(i => isProduct(subject, i) && subject.reads(i, 'bfloat16') && isTranspose[row[i]] === 0);
      const own = accumulating(subject, products);
      const reason = `${own.length} instructions of its matmuls read bf16 and add to sums of others: fp8 takes two of them at a time.`;
      return narrowed(subject, line, own, { speed, reason, dtype: 'fp8' });
    });
  },
};

const isProduct = (subject: Subject, i: number) => ['MATMUL', 'LDWEIGHTS'].includes(subject.opcode(i));

/** Those whose MATMUL writes what the one before or after it writes. */
function accumulating(subject: Subject, products: readonly number[]): number[] {
  const destination = (i: number) => subject.operands(i).find(operand => subject.isInPsum(operand)) ?? -1;
  const matmuls = products.filter(i => subject.opcode(i) === 'MATMUL').map(i => ({ i, sums: destination(i) }));
  const chosen = new Set(
    matmuls.filter(({ sums }, k) => [matmuls[k - 1], matmuls[k + 1]].some(near => near?.sums === sums)).map(({ i }) => i),
  );
  // The weights of a product are loaded just before it.
  return products.filter((i, k) => chosen.has(i) || (subject.opcode(i) === 'LDWEIGHTS' && chosen.has(products[k + 1])));
}

/** The ways to follow the advice for one line: the products alone, or what brings their operands from HBM, too. */
function narrowed(
  subject: Subject,
  { file, line }: LineEvents,
  own: readonly number[],
  { speed, reason, dtype }: { speed: number; reason: string; dtype: string },
): Proposal[] {
  if (own.length === 0) return [];
  const narrow = { kind: 'events' as const, events: subject.mask(own), speed };
  const cast = { file, line, reason, changes: [narrow], way: 'cast on the chip' };
  const loads = loadsOf(subject, own);
  if (loads.length === 0) return [cast];
  const half = { kind: 'fewer bytes' as const, events: subject.mask([], loads), by: 2 };
  return [cast, { ...cast, changes: [narrow, half], way: `operands in ${dtype} in HBM, too` }];
}

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
