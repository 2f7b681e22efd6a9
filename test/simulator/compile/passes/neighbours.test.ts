/** No cliff: tiled matmuls that differ in one choice (a block's size, where a side is loaded) take times of one order, timing only. */
import assert from 'node:assert/strict';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import type { Program } from '../../../../src/simulator/program/program';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';

const TILE = 128;
const WIDE = 512;
/** Tiles of M, of K (128) and of N (512). */
const COUNT = { m: 8, k: 8, n: 2 };
/** Each side takes 16 KiB of a partition, the result another 16: two of them never fit. */
const SBUF_BYTES = 28 * 1024;
const MOST = 3;

/** Blocks of M, and where each side is loaded: whole before the loops (0), or what a block of M needs, in it (1). */
interface Choice {
  blocks: number;
  lhs: number;
  rhs: number;
  /** Tiles are filled with zeros before they are loaded. */
  zeros: boolean;
}

/** Every tile lies in one large tensor, as nki-autotune makes them. */
function matmul({ blocks, lhs, rhs, zeros }: Choice): Program {
  const b = new ProgramBuilder({ target: 'trn2' });
  const { m, k, n } = COUNT;
  const x = b.hbm('x', [k * TILE, m * TILE], 'bfloat16', 'input');
  const w = b.hbm('w', [k * TILE, n * WIDE], 'bfloat16', 'input');
  const out = b.hbm('out', [m * TILE, n * WIDE], 'bfloat16', 'output');
  const inBlock = m / blocks;
  const load = (name: string, from: Tensor, width: number, first: number, count: number) => {
    const to = b.sbuf(name, [TILE, k, count, width], 'bfloat16');
    if (zeros) b.record('nki.isa.memset', { dst: to }, { value: 0 });
    for (let row = 0; row < k; row++)
      for (let c = 0; c < count; c++) {
        const src = from.slice([row * TILE, (row + 1) * TILE], [(first + c) * width, (first + c + 1) * width]);
        b.record('nki.isa.dma_copy', { dst: to.slice(':', row, c), src });
      }
    return to;
  };
  const all = { x: lhs === 0 ? load('xs', x, TILE, 0, m) : null, w: rhs === 0 ? load('ws', w, WIDE, 0, n) : null };
  for (let block = 0; block < blocks; block++) {
    const xs = all.x ?? load('xs', x, TILE, block * inBlock, inBlock);
    const ws = all.w ?? load('ws', w, WIDE, 0, n);
    for (let row = 0; row < inBlock; row++)
      for (let column = 0; column < n; column++) {
        const sum = b.psum('sum', [TILE, WIDE]);
        const at = all.x ? block * inBlock + row : row;
        for (let inner = 0; inner < k; inner++) {
          const operands = { dst: sum, stationary: xs.slice(':', inner, at), moving: ws.slice(':', inner, column) };
          b.record('nki.isa.nc_matmul', operands, { accumulate: inner > 0 });
        }
        const result = b.sbuf('result', [TILE, WIDE], 'bfloat16');
        b.record('nki.isa.tensor_copy', { dst: result, src: sum });
        const first = (block * inBlock + row) * TILE;
        const dst = out.slice([first, first + TILE], [column * WIDE, (column + 1) * WIDE]);
        b.record('nki.isa.dma_copy', { dst, src: result });
      }
  }
  return b.finish();
}

describe('neighbours of a tiled matmul', () => {
  const machine = withValues(machineFor('trn2'), { sbufBytesPerPartition: SBUF_BYTES });
  for (const pipeline of ['literal', 'rewriting'] as const)
    for (const zeros of [false, true])
      it(`take times of one order, ${pipeline}, ${zeros ? 'with' : 'without'} zeros`, () => {
        const times = new Map<string, number>();
        let spilled = 0;
        const key = ({ blocks, lhs, rhs }: Choice) => `${blocks} ${lhs} ${rhs}`;
        const choices = [1, 2, 4].flatMap(blocks => [0, 1].flatMap(lhs => [0, 1].map(rhs => ({ blocks, lhs, rhs, zeros }))));
        for (const choice of choices) {
          const compiled = compile(matmul(choice), { machine, pipeline });
          if (compiled.checks.length > 0) spilled++;
          times.set(key(choice), schedule(compiled).bodyEndNs);
        }
        assert.ok(spilled > 2, `${spilled} had to spill`);
        for (const choice of choices)
          for (const change of [{ blocks: choice.blocks * 2 }, { lhs: 1 - choice.lhs }, { rhs: 1 - choice.rhs }]) {
            const [one, other] = [times.get(key(choice))!, times.get(key({ ...choice, ...change }))];
            if (other) assert.ok(other / one <= MOST, `${key(choice)}: ${one} ns; ${JSON.stringify(change)}: ${other} ns`);
          }
      });
});
