/**
 * Kernels of kinds that no published time has, held between bounds worked out by hand from documented rates: the busiest
 * engine, the bytes over the bandwidth, or the chain of dependences below; the same with every documented or measured overhead
 * beside it above. They say that a mechanism is there and of the right size, not how near it is.
 */
import assert from 'node:assert/strict';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder, type Tensor } from '../../support/programs';

/** Load and store around a kernel's middle, two of each at most: about 2 us of latency a transfer, twice that with descriptors. */
const AROUND_NS = 10_000;

interface Kernel {
  name: string;
  target: 'trn1' | 'trn2' | 'trn3';
  build(b: ProgramBuilder): void;
  /** Ns that hardware cannot do without, and how. */
  leastNs: number;
  mostNs: number;
}

const repeat = (count: number, body: (k: number) => void) => Array.from({ length: count }, (_, k) => body(k));

/** A tile that was loaded, and the store of what becomes of it. */
function around(b: ProgramBuilder, shape: number[], dtype: string, middle: (tile: Tensor) => Tensor) {
  const tile = b.sbuf('tile', shape, dtype);
  b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm('x', shape, dtype, 'input') });
  const result = middle(tile);
  b.record('nki.isa.dma_copy', { dst: b.hbm('y', [...result.shape], result.dtype, 'output'), src: result });
}

/** `width` columns of 128 rows at a time, in and out. */
function copies(b: ProgramBuilder, columns: number, width: number, dtype = 'bfloat16') {
  const [x, y] = [b.hbm('x', [128, columns], dtype, 'input'), b.hbm('y', [128, columns], dtype, 'output')];
  repeat(columns / width, k => {
    const tile = b.sbuf(`t${k}`, [128, width], dtype);
    const here: [number, number] = [k * width, (k + 1) * width];
    b.record('nki.isa.dma_copy', { dst: tile, src: x.slice(':', here) });
    b.record('nki.isa.dma_copy', { dst: y.slice(':', here), src: tile });
  });
}

function multiplied(b: ProgramBuilder, dtype: string, count: number, attributes = {}, shape: number[] = [128]) {
  around(b, [...shape, 512], dtype, moving => {
    const total = b.psum('total', [128, 512]);
    const stationary = b.sbuf('w', [...shape, 128], dtype);
    b.record('nki.isa.dma_copy', { dst: stationary, src: b.hbm('w', [...shape, 128], dtype, 'input') });
    repeat(count, k => b.record('nki.isa.nc_matmul', { dst: total, stationary, moving }, { accumulate: k > 0, ...attributes }));
    const result = b.sbuf('result', [128, 512]);
    b.record('nki.isa.tensor_copy', { dst: result, src: total });
    return result;
  });
}

/** `count` times the same, each reading what the one before wrote. */
function chain(b: ProgramBuilder, width: number, count: number, step: (dst: Tensor, src: Tensor) => void) {
  around(b, [128, width], 'float32', first => {
    let last = first;
    repeat(count, k => {
      const next = b.sbuf(`t${k}`, [128, width]);
      step(next, last);
      last = next;
    });
    return last;
  });
}

const KERNELS: Kernel[] = [
  {
    name: 'a chain of products, each drained from PSUM before the next',
    target: 'trn2',
    build: b =>
      around(b, [128, 512], 'bfloat16', first => {
        const w = b.sbuf('w', [128, 128], 'bfloat16');
        b.record('nki.isa.dma_copy', { dst: w, src: b.hbm('w', [128, 128], 'bfloat16', 'input') });
        let last = first;
        repeat(20, k => {
          const [product, next] = [b.psum(`p${k}`, [128, 512]), b.sbuf(`n${k}`, [128, 512], 'bfloat16')];
          b.record('nki.isa.nc_matmul', { dst: product, stationary: w, moving: last });
          b.record('nki.isa.tensor_copy', { dst: next, src: product });
          last = next;
        });
        return last;
      }),
    leastNs: 20 * (512 / 2.4 + 512 / 1.92),
    // half the clock; the slower of the engines that drain, at one element a cycle; 600 ns of fixed parts and hops
    mostNs: 20 * ((2 * 512) / 2.4 + 512 / 0.96 + 600) + AROUND_NS,
  },
  {
    name: 'a copy of 16 MiB in long rows',
    target: 'trn2',
    build: b => copies(b, 65_536, 8192),
    leastNs: (2 * 128 * 65_536 * 2) / (16 * 27.2),
    mostNs: (2 * 128 * 65_536 * 2) / 368 + AROUND_NS,
  },
  {
    name: 'the same on Trn3, whose engines are faster',
    target: 'trn3',
    build: b => copies(b, 65_536, 8192),
    leastNs: (2 * 128 * 65_536 * 2) / (16 * 38.4),
    mostNs: (2 * 128 * 65_536 * 2) / 490 + AROUND_NS,
  },
  {
    name: 'a copy in rows of 100 bytes: bound by the number of DMAs, not their bytes',
    target: 'trn2',
    build: b => copies(b, 4000, 50),
    leastNs: 160 * 486,
    mostNs: 160 * 1000 + AROUND_NS,
  },
  {
    name: 'one long row: one DMA engine of 16 moves it',
    target: 'trn2',
    build: b => around(b, [1, 40_000], 'float32', tile => tile),
    leastNs: (2 * 160_000) / 27.2,
    mostNs: (2 * 160_000) / 23 + AROUND_NS,
  },
  {
    name: 'DMA transposes within SBUF: half the rate of copies, each waits for the last',
    target: 'trn2',
    build: b => {
      const shape = [128, 2048];
      around(b, shape, 'bfloat16', first => {
        let last = first;
        repeat(4, k => {
          const turned = b.sbuf(`t${k}`, shape, 'bfloat16');
          repeat(16, block => {
            const columns: [number, number] = [block * 128, (block + 1) * 128];
            b.record('nki.isa.dma_transpose', { dst: turned.slice(':', columns), src: last.slice(':', columns) });
          });
          last = turned;
        });
        return last;
      });
    },
    leastNs: (4 * 128 * 2048 * 2) / (0.5 * 16 * 27.2),
    // the triggers of 64 transposes, documented at about 600 ns, on one queue
    mostNs: 64 * 600 + 4 * 4000 + AROUND_NS,
  },
  {
    name: 'a DMA transpose on Trn1, whose engines cannot transpose: a descriptor for each element',
    target: 'trn1',
    build: b => {
      const turned = b.sbuf('turned', [128, 512], 'bfloat16');
      b.record('nki.isa.dma_transpose', { dst: turned, src: b.hbm('x', [512, 128], 'bfloat16', 'input') });
      b.record('nki.isa.dma_copy', { dst: b.hbm('y', [128, 512], 'bfloat16', 'output'), src: turned });
    },
    leastNs: (128 * 512 * 4) / 16,
    mostNs: (128 * 512 * 10) / 16 + AROUND_NS,
  },
  {
    name: 'GpSimd masks: one element a cycle and 150 cycles each',
    target: 'trn2',
    build: b =>
      chain(b, 512, 20, (dst, src) =>
        b.record(
          'nki.isa.affine_select',
          { dst, on_true_tile: src },
          { pattern: [[-1, 512]], channel_multiplier: 1, offset: 0, on_false_value: 0 },
        ),
      ),
    leastNs: 20 * ((512 + 150) / 1.2),
    mostNs: 20 * ((512 + 150) / 1.2 + 200) + AROUND_NS,
  },
  {
    name: 'a chain of VectorE over eight elements: overhead only',
    target: 'trn1',
    build: b =>
      chain(b, 8, 200, (dst, data) => b.record('nki.isa.tensor_scalar', { dst, data }, { op0: 'add', operand0: 1, engine: 'vector' })),
    leastNs: 200 * (100 / 1.12),
    mostNs: 200 * (300 / 1.12) + AROUND_NS,
  },
  {
    name: 'ScalarE between two function tables: a table for each activation',
    target: 'trn2',
    build: b => chain(b, 512, 10, (dst, data) => b.record('nki.isa.activation', { dst, data }, { op: dst.index % 2 ? 'exp' : 'gelu' })),
    leastNs: 10 * (1283 + 512 / 1.2),
    mostNs: 10 * (1283 + 512 / 1.2 + 500) + AROUND_NS,
  },
  {
    name: 'fp8 in double rows: the time of half the products in bf16',
    target: 'trn2',
    build: b => multiplied(b, 'float8_e4m3', 200, { perf_mode: 'double_row' }, [128, 2]),
    leastNs: 200 * (512 / 2.4),
    // two windows of 3.4 us at half the clock, the rest at full
    mostNs: 200 * (512 / 2.4) + 2 * 3413 + AROUND_NS,
  },
  {
    name: 'MX products: four packed elements in the time of one of bf16',
    target: 'trn3',
    build: b => {
      const packed = 'float8_e4m3fn_x4';
      around(b, [128, 512], packed, moving => {
        const tile = (name: string, columns: number, dtype: string) => b.sbuf(name, [128, columns], dtype);
        const [stationary, total, result] = [tile('w', 128, packed), b.psum('total', [128, 512]), tile('result', 512, 'float32')];
        const [stationary_scale, moving_scale] = [tile('ws', 128, 'uint8'), tile('ms', 512, 'uint8')];
        for (const dst of [stationary, stationary_scale, moving_scale])
          b.record('nki.isa.dma_copy', { dst, src: b.hbm(dst.name, [...dst.shape], dst.dtype, 'input') });
        repeat(200, k =>
          b.record('nki.isa.nc_matmul_mx', { dst: total, stationary, moving, stationary_scale, moving_scale }, { accumulate: k > 0 }),
        );
        b.record('nki.isa.tensor_copy', { dst: result, src: total });
        return result;
      });
    },
    leastNs: 200 * (512 / 2.4),
    mostNs: 200 * (512 / 2.4) + 2 * 3413 + AROUND_NS,
  },
  {
    name: 'transposes by TensorE, each drained to SBUF',
    target: 'trn1',
    build: b => {
      const [x, y] = [b.hbm('x', [8192, 128], 'bfloat16', 'input'), b.hbm('y', [128, 8192], 'bfloat16', 'output')];
      repeat(64, k => {
        const rows: [number, number] = [k * 128, (k + 1) * 128];
        const [data, turned, result] = [
          b.sbuf(`d${k}`, [128, 128], 'bfloat16'),
          b.psum('t', [128, 128]),
          b.sbuf(`r${k}`, [128, 128], 'bfloat16'),
        ];
        b.record('nki.isa.dma_copy', { dst: data, src: x.slice(rows) });
        b.record('nki.isa.nc_transpose', { dst: turned, data });
        b.record('nki.isa.tensor_copy', { dst: result, src: turned });
        b.record('nki.isa.dma_copy', { dst: y.slice(':', rows), src: result });
      });
    },
    leastNs: (2 * 8192 * 128 * 2) / (16 * 27.2),
    // the triggers of 64 loads and 64 stores, measured at about 600 ns on Trn2; packets and compute run beside them
    mostNs: 128 * 600 + AROUND_NS,
  },
  {
    name: 'bf16 products one after another',
    target: 'trn1',
    build: b => multiplied(b, 'bfloat16', 200),
    leastNs: 200 * (512 / 2.8),
    // each product loads its weights, and on v2 the array waits for their 128 rows
    mostNs: 200 * ((512 + 128) / 2.8) * 1.1 + AROUND_NS,
  },
  {
    name: 'products into eight PSUM banks, drained by VectorE as they come',
    target: 'trn2',
    build: b =>
      around(b, [128, 512], 'bfloat16', moving => {
        const w = b.sbuf('w', [128, 128], 'bfloat16');
        b.record('nki.isa.dma_copy', { dst: w, src: b.hbm('w', [128, 128], 'bfloat16', 'input') });
        const results = repeat(64, k => k).map((_, k) => b.sbuf(`r${k % 4}`, [128, 512]));
        for (const dst of results) {
          const product = b.psum('p', [128, 512]);
          b.record('nki.isa.nc_matmul', { dst: product, stationary: w, moving });
          b.record('nki.isa.tensor_copy', { dst, src: product }, { engine: 'vector' });
        }
        return results[63];
      }),
    leastNs: 64 * (512 / 0.96),
    // VectorE never waits but for the first product
    mostNs: 64 * (512 / 0.96 + 140) + AROUND_NS,
  },
];

const bodyNs = (build: Kernel['build'], target: string) => {
  const b = new ProgramBuilder({ target });
  build(b);
  const { bodyStartNs, bodyEndNs } = simulate(b.finish());
  return bodyEndNs - bodyStartNs;
};

describe('kernels unlike any that was measured', () => {
  for (const { name, target, build, leastNs, mostNs } of KERNELS)
    it(`${target}: ${name}`, () => {
      const modelled = bodyNs(build, target);
      assert.ok(modelled >= leastNs, `${modelled} ns is less than the ${leastNs} that the hardware needs`);
      assert.ok(modelled <= mostNs, `${modelled} ns is more than the ${mostNs} of every overhead together`);
    });

  it('a walk with a long stride takes VectorE twice as long as one with a short stride', () => {
    const scaled = (step: number) => (b: ProgramBuilder) =>
      around(b, [128, 4096], 'float32', tile => {
        const result = b.sbuf('result', [128, 256]);
        repeat(100, () =>
          b.record(
            'nki.isa.tensor_scalar',
            { dst: result, data: tile.slice(':', [0, 256 * step, step]) },
            { op0: 'add', operand0: 1, engine: 'vector' },
          ),
        );
        return result;
      });
    const [short, long] = [4, 8].map(step => bodyNs(scaled(step), 'trn1'));
    assert.ok(long - short > 100 * (256 / 1.12) * 0.99 && long - short < 100 * (256 / 1.12) * 1.01, `${short} ${long}`);
  });
});
