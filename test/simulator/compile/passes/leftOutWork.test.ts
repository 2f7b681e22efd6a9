/** Work that a kernel writes and the compiler leaves out: fills that are overwritten, additions that MATMULs do, loads that go on. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { ACCUMULATE } from '../../../../src/simulator/compile/compiled';
import { DIRECTIONS } from '../../../../src/simulator/compile/directions';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';

const opcodes = (c: Compiled) => [...c.instructions.opcode].map(opcode => c.opcodes[opcode]);
const countOf = (c: Compiled, name: string) => opcodes(c).filter(opcode => opcode === name).length;

/** A legacy kernel that stores `result` in the end. */
function built(
  kernel: (b: ProgramBuilder, result: Tensor) => void,
  pipeline: 'literal' | 'rewriting',
  dialect: 'neuronxcc' | 'nki' = 'neuronxcc',
): Compiled {
  const b = new ProgramBuilder({ target: 'trn2', dialect });
  const result = b.sbuf('result', [128, 512]);
  kernel(b, result);
  b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, 512], 'float32', 'output'), src: result });
  return compile(b.finish(), { pipeline });
}

describe('dead fills', () => {
  /** `result` is filled, then loaded by parts; `between` comes after the first. */
  const filled = (parts: readonly [number, number][], between: (b: ProgramBuilder, result: Tensor) => void = () => {}) =>
    countOf(
      built((b, result) => {
        const x = b.hbm('x', [128, 512], 'float32', 'input');
        b.record('nki.isa.memset', { dst: result }, { value: 0 });
        for (const [k, [from, to]] of parts.entries()) {
          b.record('nki.isa.dma_copy', { dst: result.slice(':', [from, to]), src: x.slice(':', [from, to]) });
          if (k === 0) between(b, result);
        }
      }, 'literal'),
      'MEMSET',
    );
  const reads = (from: number, to: number) => (b: ProgramBuilder, result: Tensor) =>
    b.record('nki.isa.activation', { dst: b.sbuf('e', [128, to - from]), data: result.slice(':', [from, to]) }, { op: 'exp' });

  it('are left out: all is written before it is read', () => {
    assert.equal(filled([[0, 512]]), 0);
    assert.equal(
      filled([
        [0, 256],
        [256, 512],
      ]),
      0,
    );
    assert.equal(
      filled(
        [
          [0, 256],
          [256, 512],
        ],
        reads(0, 256),
      ),
      0,
    );
  });

  it('stay in kernels of the `nki` namespace', () => {
    const made = built(
      (b, result) => {
        b.record('nki.isa.memset', { dst: result }, { value: 0 });
        b.record('nki.isa.dma_copy', { dst: result, src: b.hbm('x', [128, 512], 'float32', 'input') });
      },
      'literal',
      'nki',
    );
    assert.equal(countOf(made, 'MEMSET'), 1);
  });

  it('stay where their values are read', () => {
    assert.equal(filled([[0, 256]]), 1);
    assert.equal(
      filled([
        [0, 256],
        [0, 256],
      ]),
      1,
    );
    assert.equal(
      filled([
        [0, 256],
        [128, 384],
      ]),
      1,
    );
    assert.equal(
      filled(
        [
          [0, 256],
          [256, 512],
        ],
        reads(128, 384),
      ),
      1,
    );
  });
});

describe('accumulated products', () => {
  /** `total += product`, twice. */
  function summed(
    between: (b: ProgramBuilder, product: Tensor, total: Tensor) => void = () => {},
    pipeline: 'literal' | 'rewriting' = 'literal',
  ) {
    return built((b, result) => {
      const [left, right] = [b.sbuf('left', [128, 128], 'bfloat16'), b.sbuf('right', [128, 512], 'bfloat16')];
      for (const dst of [left, right]) b.record('nki.isa.memset', { dst }, { value: 1 });
      const total = b.psum('total', [128, 512]);
      b.record('nki.isa.memset', { dst: total }, { value: 0 });
      for (let k = 0; k < 2; k++) {
        const product = b.psum(`product${k}`, [128, 512]);
        b.record('nki.isa.nc_matmul', { dst: product, stationary: left, moving: right }, { accumulate: false });
        between(b, product, total);
        b.record('nki.language.add', { dst: total, x: total, y: product });
      }
      b.record('nki.isa.tensor_copy', { dst: result, src: total });
    }, pipeline);
  }
  const accumulating = (c: Compiled) =>
    opcodes(c).flatMap((name, i) => (name === 'MATMUL' ? [c.accesses.role[c.instructions.accessStart[i]] === ACCUMULATE] : []));

  it('are added by the MATMULs, the first of which needs no zeros', () => {
    for (const pipeline of ['literal', 'rewriting'] as const) {
      const c = summed(() => {}, pipeline);
      assert.deepEqual([countOf(c, 'TENSOR_TENSOR'), countOf(c, 'MEMSET'), ...accumulating(c)], [0, 2, false, true]);
    }
  });

  it('are added by VectorE where somebody else reads the product, or the total before it is added', () => {
    const read = (tensor: (product: Tensor, total: Tensor) => Tensor) =>
      summed((b, product, total) =>
        b.record('nki.isa.activation', { dst: b.sbuf('e', [128, 512]), data: tensor(product, total) }, { op: 'exp' }),
      );
    assert.equal(
      countOf(
        read(product => product),
        'TENSOR_TENSOR',
      ),
      2,
    );
    assert.equal(
      countOf(
        read((_, total) => total),
        'TENSOR_TENSOR',
      ),
      2,
    );
  });
});

describe('constants', () => {
  it('are loaded before everything else', () => {
    const c = built((b, result) => {
      const x = b.sbuf('x', [128, 128]);
      b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('in', [128, 128], 'float32', 'input') });
      const turned = b.psum('turned', [128, 128]);
      b.record('nki.isa.nc_transpose', { dst: turned, data: x });
      b.record('nki.isa.tensor_copy', { dst: result.slice(':', [0, 128]), src: turned });
    }, 'literal');
    const triggers = [...c.transfers.trigger.keys()].sort((a, b) => c.transfers.trigger[a] - c.transfers.trigger[b]);
    assert.deepEqual(
      triggers.map(t => c.patterns.name(c.transfers.tensor[t])),
      ['identity_constant', 'in', 'out'],
    );
  });
});

describe('loads that go on', () => {
  /** KiB of each load of pieces of a tile. */
  function loads(
    starts: readonly number[],
    { source = starts, written = false }: { source?: readonly number[]; written?: boolean } = {},
  ): number[] {
    const c = built((b, result) => {
      const x = b.hbm('x', [128, 512], 'float32', written ? 'output' : 'input');
      for (const [k, at] of starts.entries())
        b.record('nki.isa.dma_copy', { dst: result.slice(':', [at, at + 128]), src: x.slice(':', [source[k], source[k] + 128]) });
      if (written) b.record('nki.isa.dma_copy', { dst: x, src: result });
    }, 'rewriting');
    return [...c.transfers.bytes].filter((_, t) => DIRECTIONS[c.transfers.direction[t]] === 'hbm->sbuf').map(bytes => bytes / 1024);
  }

  it('are one DMA', () => {
    assert.deepEqual(loads([0, 128, 256, 384]), [256]);
    assert.deepEqual(loads([0, 128]), [128]);
  });

  it('are several where they leave something out on either side, or where the kernel writes the tensor', () => {
    assert.deepEqual(loads([0, 256]), [64, 64]);
    assert.deepEqual(loads([0, 128], { source: [0, 256] }), [64, 64]);
    assert.deepEqual(loads([128, 0]), [64, 64]);
    assert.deepEqual(loads([0, 128], { written: true }), [64, 64]);
  });
});
