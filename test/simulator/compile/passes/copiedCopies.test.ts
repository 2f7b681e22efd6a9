/** Legacy kernels that run as written: copies of copies, repeated loads, and who triggers their DMAs. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { TRACK_ENGINE } from '../../../../src/simulator/compile/compiled';
import { DIRECTIONS } from '../../../../src/simulator/compile/directions';
import type { Dialect } from '../../../../src/simulator/isa/types';
import { ENGINES } from '../../../../src/simulator/vocabulary/engines';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';

const countOf = (c: Compiled, name: string) => [...c.instructions.opcode].filter(opcode => c.opcodes[opcode] === name).length;

interface Tiles {
  b: ProgramBuilder;
  product: Tensor;
  first: Tensor;
  result: Tensor;
}

/** `product` of PSUM is copied to `first`, and that to every ninth column of `result`; `between` stands between them. */
function copied(
  between: (tiles: Tiles) => void = () => {},
  { dialect = 'neuronxcc', dtype = 'float16' }: { dialect?: Dialect; dtype?: string } = {},
): Compiled {
  const b = new ProgramBuilder({ target: 'trn2', literal: true, dialect });
  const left = b.sbuf('left', [128, 128], dtype);
  const [product, first, result] = [
    b.psum('product', [128, 128], dtype),
    b.sbuf('first', [128, 128], dtype),
    b.sbuf('result', [128, 1152], dtype),
  ];
  b.record('nki.isa.memset', { dst: left }, { value: 1 });
  b.record('nki.isa.nc_transpose', { dst: product, data: left });
  b.record('nki.isa.tensor_copy', { dst: first, src: product });
  between({ b, product, first, result });
  b.record('nki.isa.tensor_copy', { dst: result.slice(':', [0, 1152, 9]), src: first });
  b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, 1152], dtype, 'output'), src: result });
  return compile(b.finish(), { pipeline: 'literal' });
}

describe('legacy kernels that run as written', () => {
  it('copy a tile once that they only copy, at the time of the place that it goes to', () => {
    const c = copied();
    assert.equal(countOf(c, 'COPY'), 1);
    const copy = [...c.instructions.opcode].findIndex(opcode => c.opcodes[opcode] === 'COPY');
    assert.ok(c.instructions.issueNs[copy] > 500, `${c.instructions.issueNs[copy]} ns`);
    assert.equal(countOf(copied(undefined, { dialect: 'nki' }), 'COPY'), 2);
  });

  it('copy twice where the tile has another use, or its place was used since', () => {
    const alsoRead = copied(({ b, first }) => b.record('nki.isa.activation', { dst: b.sbuf('e', [128, 128]), data: first }, { op: 'exp' }));
    const placeRead = copied(({ b, result }) =>
      b.record('nki.isa.activation', { dst: b.sbuf('e', [128, 1152]), data: result }, { op: 'exp' }),
    );
    for (const c of [alsoRead, placeRead]) assert.equal(countOf(c, 'COPY'), 2);
  });

  /** Two places of `cache` are filled by copies, and each is copied again for a product; `between` stands before these. */
  function copiedAgain(
    between: (b: ProgramBuilder, cache: Tensor) => void = () => {},
    { dialect = 'neuronxcc', apart = 0 }: { dialect?: Dialect; apart?: number } = {},
  ) {
    const b = new ProgramBuilder({ target: 'trn2', literal: true, dialect });
    const [left, cache] = [b.sbuf('left', [128, 256], 'float16'), b.sbuf('cache', [128, 384], 'float16')];
    b.record('nki.isa.dma_copy', { dst: left, src: b.hbm('in', [128, 256], 'float16', 'input') });
    const places: [number, number][] = [
      [0, 128],
      [128 + apart, 256 + apart],
    ];
    for (const place of [
      [0, 128],
      [128, 256],
    ] as [number, number][])
      b.record('nki.isa.tensor_copy', { dst: cache.slice(':', place), src: left.slice(':', place) });
    between(b, cache);
    for (const [k, place] of places.entries()) {
      const again = b.sbuf(`again${k}`, [128, 128], 'float16');
      b.record('nki.isa.tensor_copy', { dst: again, src: cache.slice(':', place) });
      b.record('nki.isa.nc_matmul', { dst: b.psum(`out${k}`, [128, 256]), stationary: again, moving: left }, { accumulate: false });
    }
    return countOf(compile(b.finish(), { pipeline: 'literal' }), 'COPY');
  }

  it('read a place itself that copies filled, where they copy it again', () => {
    assert.equal(copiedAgain(), 2);
    assert.equal(copiedAgain(undefined, { dialect: 'nki' }), 4);
  });

  it('copy it where it is no such place, or something else wrote to the tile', () => {
    // columns 96 to 224 are of two places
    assert.equal(copiedAgain(undefined, { apart: -32 }), 3);
    assert.equal(
      copiedAgain((b, cache) => b.record('nki.isa.memset', { dst: cache.slice(':', [256, 384]) }, { value: 0 })),
      4,
    );
    const overwritten = copiedAgain((b, cache) =>
      b.record('nki.isa.tensor_copy', { dst: cache.slice(':', [0, 128]), src: cache.slice(':', [128, 256]) }),
    );
    assert.equal(overwritten, 5);
  });

  it('load a tile once that they load twice', () => {
    const loads = (dialect: Dialect) => {
      const b = new ProgramBuilder({ target: 'trn2', literal: true, dialect });
      const x = b.hbm('x', [128, 512], 'float32', 'input');
      const out = b.hbm('out', [256, 512], 'float32', 'output');
      for (let k = 0; k < 2; k++) {
        const [tile, result] = [b.sbuf(`tile${k}`, [128, 512]), b.sbuf(`result${k}`, [128, 512])];
        b.record('nki.isa.dma_copy', { dst: tile, src: x });
        b.record('nki.isa.activation', { dst: result, data: tile }, { op: 'exp' });
        b.record('nki.isa.dma_copy', { dst: out.slice([k * 128, k * 128 + 128]), src: result });
      }
      const { direction } = compile(b.finish(), { pipeline: 'literal' }).transfers;
      return [...direction].filter(d => DIRECTIONS[d] === 'hbm->sbuf').length;
    };
    assert.equal(loads('neuronxcc'), 1);
    assert.equal(loads('nki'), 1);
  });

  it('trigger moves within SBUF on GpSimd, and stores to their own scratch on ScalarE', () => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true, dialect: 'neuronxcc' });
    const [from, to] = [b.sbuf('from', [128, 512]), b.sbuf('to', [128, 512])];
    b.record('nki.isa.memset', { dst: from }, { value: 1 });
    b.record('nki.isa.dma_copy', { dst: to, src: from });
    const scratch = b.hbm('scratch', [128, 512]);
    b.record('nki.isa.dma_copy', { dst: scratch, src: to });
    b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, 512], 'float32', 'output'), src: to });
    const { instructions, transfers } = compile(b.finish(), { pipeline: 'literal', dge: 'off' });
    const engines = [...instructions.transfer.entries()].filter(([, transfer]) => transfer >= 0);
    assert.deepEqual(
      engines.map(([i, transfer]) => `${ENGINES[TRACK_ENGINE[instructions.track[i]]]} ${DIRECTIONS[transfers.direction[transfer]]}`),
      ['GpSimd sbuf->sbuf', 'Scalar sbuf->hbm', 'GpSimd sbuf->hbm'],
    );
  });
});
