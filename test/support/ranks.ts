/** Programs of ranks that work and meet: what each does is a list of words. */
import type { AttributeValue, Program } from '../../src/simulator/program/program';
import { ProgramBuilder } from './programs';

/** `work`: a copy on chip. A permute is a ring. Otherwise a collective over the ranks that are named. Line k + 1 is the k-th. */
export type RankStep = 'work' | [collective: 'all_reduce' | 'all_to_all' | 'collective_permute', ...ranks: number[]];

export function rankProgram(steps: readonly RankStep[], file = 'kernel.py'): Program {
  const b = new ProgramBuilder({ target: 'trn2' });
  const x = b.hbm('x', [128, 512], 'float32', 'input');
  const y = b.hbm('y', [128, 512], 'float32', 'output');
  const tile = b.sbuf('tile', [128, 512], 'float32');
  for (const [k, step] of steps.entries()) {
    const at = { line: k + 1, file };
    if (step === 'work') {
      b.record('nki.isa.dma_copy', { dst: tile, src: x }, {}, at);
      b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' }, at);
      b.record('nki.isa.dma_copy', { dst: x, src: tile }, {}, at);
      continue;
    }
    const [name, ...list] = step;
    const pairs = list.map((rank, place) => [rank, list[(place + 1) % list.length]]);
    const attributes: Record<string, AttributeValue> =
      name === 'collective_permute' ? { source_target_pairs: pairs } : { replica_group: [list], more: false };
    if (name === 'all_reduce') attributes.op = 'add';
    b.record(`nki.collectives.${name}`, { dst: y, src: x }, attributes, at);
  }
  return b.finish();
}
