/** The rewriting pipeline: the scheduler's order keeps what data asks for, and loads are left out only where that is safe. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Compiled, READ } from '../../../../src/simulator/compile/compiled';
import { Boxes } from '../../../../src/simulator/compile/dependencies/boxes';
import { bounds } from '../../../../src/simulator/schedule/bounds';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { ProgramBuilder } from '../../../support/programs';
import { randomProgram } from '../../../support/randomPrograms';
import { allLoads, compile } from '../../../support/stages';

const rewritten = (seed: number) => compile(randomProgram(seed, 60), { pipeline: 'rewriting' });

function forPrograms(check: (c: Compiled) => void) {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), seed => check(rewritten(seed))),
    { numRuns: 40, seed: 3 },
  );
}

interface Use {
  /** Program instruction, and place in the code. */
  origin: number;
  place: number;
  pattern: number;
  writes: boolean;
}

/** Uses of each tensor. */
function uses(c: Compiled): Use[][] {
  const result: Use[][] = [];
  const { accessStart, origin } = c.instructions;
  for (let place = 0; place < origin.length; place++)
    for (let a = accessStart[place]; a < accessStart[place + 1]; a++) {
      const pattern = c.accesses.pattern[a];
      const use = { origin: origin[place], place, pattern, writes: c.accesses.role[a] !== READ };
      const tensor = c.patterns.tensor(pattern);
      result[tensor] ??= [];
      result[tensor].push(use);
    }
  return result;
}

describe('rewriting', () => {
  it('keeps the order of the program between uses of the same place, when one of them writes', () => {
    forPrograms(c => {
      const boxes = new Boxes(c.patterns);
      const overlap = (a: Use, b: Use) =>
        boxes.overlap(boxes.of(a.pattern), boxes.of(b.pattern), c.patterns.rank(c.patterns.tensor(a.pattern)));
      for (const list of uses(c))
        for (const a of list ?? [])
          for (const b of list)
            if (a.origin < b.origin && (a.writes || b.writes) && overlap(a, b))
              assert.ok(a.place < b.place, `${a.origin} after ${b.origin}`);
    });
  });

  it('ends without deadlock, never below the bounds, the same every time', () => {
    forPrograms(c => {
      const times = schedule(c);
      assert.ok(times.bodyEndNs >= bounds(c).ns - 1e-6);
    });
    assert.deepEqual(rewritten(5).streams, rewritten(5).streams);
  });

  /** `blocks` times: load, exp, store; the loads of `same` are of one place, others of rows too long for one DMA to bring two. */
  function loop(blocks: number, same: boolean) {
    const b = new ProgramBuilder({ target: 'trn2' });
    const x = b.hbm('x', [128 * blocks, 1024], 'float32', 'input');
    const out = b.hbm('out', [128 * blocks, 1024], 'float32', 'output');
    b.loop('i', blocks, i => {
      const rows: [number, number] = [i * 128, i * 128 + 128];
      const [t, u] = [b.sbuf(`t${i}`, [128, 1024]), b.sbuf(`u${i}`, [128, 1024])];
      b.record('nki.isa.dma_copy', { dst: t, src: x.slice(same ? [0, 128] : rows) });
      b.record('nki.isa.activation', { dst: u, data: t }, { op: 'exp' });
      b.record('nki.isa.dma_copy', { dst: out.slice(rows), src: u });
    });
    return b.finish();
  }
  const loads = (c: Compiled) => c.transfers.queue.length;

  it('loads a tile once that the kernel only reads, and every other tile', () => {
    assert.equal(loads(compile(loop(4, true), { pipeline: 'literal', policy: allLoads })), 8);
    assert.equal(loads(compile(loop(4, true), { pipeline: 'rewriting' })), 5);
    assert.equal(loads(compile(loop(4, false), { pipeline: 'rewriting' })), 8);
  });

  it('does not share a tile that is changed in place, nor a tensor that is written', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [x, y] = [b.hbm('x', [128, 512], 'float32', 'input'), b.hbm('y', [128, 512], 'float32', 'output')];
    for (const k of [0, 1]) {
      const t = b.sbuf(`t${k}`, [128, 512]);
      b.record('nki.isa.dma_copy', { dst: t, src: x });
      b.record('nki.isa.activation', { dst: t, data: t }, { op: 'exp' });
      b.record('nki.isa.dma_copy', { dst: y, src: t });
      b.record('nki.isa.dma_copy', { dst: b.sbuf(`u${k}`, [128, 512]), src: y });
    }
    assert.equal(loads(compile(b.finish(), { pipeline: 'rewriting' })), 6);
  });

  it('computes once what is read and computed again, never two products of one moving tile', () => {
    const opcodes = (c: Compiled, name: string) => [...c.instructions.opcode].filter(o => c.opcodes[o] === name).length;
    const b = new ProgramBuilder({ target: 'trn2' });
    const [x, m] = [b.sbuf('x', [128, 512]), b.sbuf('m', [128, 512])];
    b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('hx', [128, 512], 'float32', 'input') });
    b.record('nki.isa.dma_copy', { dst: m, src: b.hbm('hm', [128, 512], 'float32', 'input') });
    for (const k of [0, 1]) {
      const [t, u] = [b.sbuf(`t${k}`, [128, 512]), b.sbuf(`u${k}`, [128, 512])];
      b.record('nki.isa.tensor_tensor', { dst: t, data1: x, data2: m }, { op: 'multiply' });
      b.record('nki.isa.activation', { dst: u, data: t }, { op: k === 0 ? 'exp' : 'tanh' });
      const weights = x.slice(':', [128 * k, 128 * k + 128]);
      b.record('nki.isa.nc_matmul', { dst: b.psum(`p${k}`, [128, 512]), stationary: weights, moving: m }, { accumulate: false });
    }
    const c = compile(b.finish(), { pipeline: 'rewriting' });
    assert.deepEqual(
      ['TENSOR_TENSOR', 'ACTIVATE', 'MATMUL'].map(name => opcodes(c, name)),
      [1, 2, 4],
    );
  });

  it('computes again what reads a tile that was written since', () => {
    const b = new ProgramBuilder({ target: 'trn1' });
    const x = b.sbuf('x', [128, 64]);
    b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('hx', [128, 64], 'float32', 'input') });
    for (let k = 0; k < 4; k++) {
      const e = b.sbuf('e', [128, 64]);
      b.record('nki.isa.activation', { dst: e, data: x }, { op: 'exp' });
      b.record('nki.isa.dma_copy', { dst: b.hbm(`out${k}`, [128, 64], 'float32', 'output'), src: e });
      if (k === 1) b.record('nki.isa.tensor_tensor', { dst: x, data1: x, data2: x }, { op: 'add' });
    }
    assert.equal(opcodeCount(compile(b.finish(), { pipeline: 'rewriting' }), 'ACTIVATE'), 2);
  });

  const opcodeCount = (c: Compiled, name: string) => [...c.instructions.opcode].filter(o => c.opcodes[o] === name).length;

  /** A sum of two tiles, copied to a part of `out`; `between` records what happens before the copy. */
  function copied(between: (b: ProgramBuilder, tiles: Record<'x' | 'sum' | 'out', ReturnType<ProgramBuilder['sbuf']>>) => void) {
    const b = new ProgramBuilder({ target: 'trn1' });
    const tiles = { x: b.sbuf('x', [128, 256]), sum: b.sbuf('sum', [128, 256]), out: b.sbuf('out', [128, 512]) };
    b.record('nki.isa.memset', { dst: tiles.x }, { value: 1 });
    b.record('nki.isa.memset', { dst: tiles.out }, { value: 0 });
    b.record('nki.isa.tensor_tensor', { dst: tiles.sum, data1: tiles.x, data2: tiles.x }, { op: 'add' });
    between(b, tiles);
    b.record('nki.isa.tensor_copy', { dst: tiles.out.slice(':', [256, 512]), src: tiles.sum });
    b.record('nki.isa.dma_copy', { dst: b.hbm('y', [128, 512], 'float32', 'output'), src: tiles.out });
    return compile(b.finish(), { pipeline: 'rewriting' });
  }

  it('writes a tile that is only copied to where the copy would be', () => {
    const c = copied(() => {});
    assert.equal(opcodeCount(c, 'COPY'), 0);
    const at = [...c.instructions.opcode].findIndex(o => c.opcodes[o] === 'TENSOR_TENSOR');
    const written = c.accesses.pattern[c.instructions.accessStart[at]];
    assert.equal(c.patterns.name(c.patterns.tensor(written)), 'out');
    assert.equal(c.patterns.offsetInPartition(written), 1024);
  });

  it('keeps the copy of a tile that others read, and where the place is in use until then', () => {
    const read = copied((b, { sum }) => {
      b.record('nki.isa.activation', { dst: b.sbuf('e', [128, 256]), data: sum }, { op: 'exp' });
    });
    const used = copied((b, { out }) => {
      b.record('nki.isa.activation', { dst: b.sbuf('e', [128, 512]), data: out }, { op: 'exp' });
    });
    assert.deepEqual([opcodeCount(read, 'COPY'), opcodeCount(used, 'COPY')], [1, 1]);
  });

  it('lets independent blocks overtake each other', () => {
    const chain = (pipeline: 'literal' | 'rewriting') => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const x = b.sbuf('x', [128, 512]);
      for (let k = 0; k < 4; k++) {
        const [t, u] = [b.sbuf(`t${k}`, [128, 512]), b.sbuf(`u${k}`, [128, 512])];
        b.record('nki.isa.tensor_tensor', { dst: t, data1: x, data2: x }, { op: 'add' });
        b.record('nki.isa.activation', { dst: u, data: t }, { op: 'exp' });
        b.record('nki.isa.tensor_tensor', { dst: b.sbuf(`v${k}`, [128, 512]), data1: u, data2: u }, { op: 'add' });
      }
      return schedule(compile(b.finish(), { pipeline })).bodyEndNs;
    };
    assert.ok(chain('rewriting') < 0.8 * chain('literal'), `${chain('rewriting')} against ${chain('literal')} ns`);
  });
});
