/**
 * Which of the lines that no equal line was found for do the same: the same operation, on tensors of the same names or in the same
 * place. Others stay alone: a copy is no product, however near they stand.
 */
import type { LineWork } from './lineWork';
import type { CodeLine, Pairs } from './matchLines';

export interface WorkingLine extends CodeLine, LineWork {}

/** Above this many pairs, lines stay alone. */
const MAX_PAIRS = 1_000_000;

/** The most alike first; of those that are alike, the first in source order. @param pairs gets the new ones */
export function pairByWork(a: readonly (WorkingLine | undefined)[], b: readonly (WorkingLine | undefined)[], pairs: Pairs): void {
  const free = (lines: readonly (WorkingLine | undefined)[], partner: Int32Array) =>
    lines.flatMap((line, index) => (line && partner[index] < 0 ? [{ line, index, callee: calleeOf(line.text) }] : []));
  const [fromA, fromB] = [free(a, pairs.toB), free(b, pairs.toA)];
  if (fromA.length * fromB.length > MAX_PAIRS) return;
  const candidates = fromA.flatMap(x => fromB.map(y => ({ i: x.index, j: y.index, score: likeness(x, y) })));
  const best = candidates.filter(({ score }) => score > 0).sort((x, y) => y.score - x.score || x.i - y.i || x.j - y.j);
  for (const { i, j } of best) if (pairs.toB[i] < 0 && pairs.toA[j] < 0) pairs.add(i, j);
}

interface Candidate {
  line: WorkingLine;
  callee: string;
}

/** 0: not the same line. */
function likeness({ line: a, callee }: Candidate, { line: b, callee: otherCallee }: Candidate): number {
  const operations = overlap(a.operations, b.operations);
  // operators call nothing
  const sameCall = callee === otherCallee;
  if (operations < 0.5 && !(sameCall && operations > 0)) return 0;
  const tensors = overlap(a.tensors, b.tensors);
  const sameFunction = a.function === b.function;
  const samePlace = sameFunction && a.loops.join() === b.loops.join();
  if (tensors === 0 && !(samePlace && sameCall)) return 0;
  return 4 * tensors + 2 * Number(sameCall) + 2 * Number(samePlace) + Number(sameFunction) + operations + nearness(a.loops, b.loops);
}

/** Shared members over all members; 0 where both are empty. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const member of a) if (b.has(member)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** 1 at the same depth of loops. */
const nearness = (a: readonly string[], b: readonly string[]) => 1 / (1 + Math.abs(a.length - b.length));

/** `nc_matmul` of `out[...] = nisa.nc_matmul(…)`; empty where nothing is called. */
function calleeOf(text: string): string {
  const [, path] = /([A-Za-z_][\w.]*)\s*\(/.exec(text) ?? [];
  return path?.slice(path.lastIndexOf('.') + 1) ?? '';
}
