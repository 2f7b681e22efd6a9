/** What every row of the instruction table becomes, as goldens per key, and that no row is without a lowering. */
import assert from 'node:assert/strict';
import { lowerings } from '../../../src/simulator/compile/lowerings';
import { printCompiled } from '../../../src/simulator/compile/print';
import { instructionTable } from '../../../src/simulator/isa/table';
import { expectGolden } from '../../support/golden';
import { ProgramBuilder } from '../../support/programs';
import { compile, inOrder } from '../../support/stages';
import { movementKernels } from './movementKernels';

type Record = (b: ProgramBuilder) => void;

/** Tiles are filled first where the reading itself matters; here only what is emitted does. */
const kernels: { [key: string]: Record } = {
  dma: b => b.record('nki.isa.dma_copy', { dst: b.sbuf('t', [128, 512]), src: b.hbm('x', [128, 512], 'float32', 'input') }),
  dmaStrided: b => {
    const x = b.hbm('x', [64, 1024], 'bfloat16', 'input');
    b.record('nki.isa.dma_copy', { dst: b.sbuf('t', [64, 512], 'bfloat16'), src: x.slice(':', [0, 1024, 2]) });
  },
  dmaHbm: b =>
    b.record('nki.isa.dma_copy', { dst: b.hbm('y', [4, 4096], 'float32', 'output'), src: b.hbm('x', [4, 4096], 'float32', 'input') }),
  dmaSoftware: b =>
    b.record(
      'nki.isa.dma_copy',
      { dst: b.sbuf('t', [4, 4096], 'bfloat16'), src: b.hbm('x', [4, 4096], 'bfloat16', 'input') },
      { dge_mode: 'swdge' },
    ),
  dmaAddress: b =>
    b.record('nki.isa.dma_copy', {
      dst: b.sbuf('t', [128, 512], 'bfloat16'),
      src: b.hbm('x', [128, 512], 'bfloat16', 'input'),
      src_address: b.sbuf('i', [1, 1], 'int32'),
    }),
  loadTranspose: b => {
    b.record('nki.language.load_transpose2d', { dst: b.sbuf('t', [64, 128]), src: b.hbm('x', [128, 64], 'float32', 'input') });
  },
  store: b => b.record('nki.language.store', { dst: b.hbm('y', [128, 512], 'float32', 'output'), value: b.psum('p', [128, 512]) }),
  copy: b => {
    const p = b.psum('p', [128, 512]);
    for (let k = 0; k < 3; k++) b.record('nki.isa.tensor_copy', { dst: b.sbuf(`t${k}`, [128, 512], 'bfloat16'), src: p });
    b.record('nki.isa.tensor_copy', { dst: b.sbuf('s', [128, 512]), src: p }, { engine: 'GpSimd' });
  },
  memset: b => {
    b.record('nki.isa.memset', { dst: b.sbuf('t', [128, 64]) }, { value: 3 });
    b.record('nki.language.zeros', { dst: b.hbm('z', [200, 3000], 'float32') });
  },
  matmul: b => {
    const [w, m] = [b.sbuf('w', [128, 128], 'bfloat16'), b.sbuf('m', [128, 512], 'bfloat16')];
    for (let k = 0; k < 2; k++)
      b.record('nki.isa.nc_matmul', { dst: b.psum(`o${k}`, [128, 512]), stationary: w, moving: m }, { accumulate: k > 0 });
  },
  matmulTiles: b => {
    const [w, m] = [b.sbuf('w', [128, 32], 'bfloat16'), b.sbuf('m', [128, 512], 'bfloat16')];
    const at = (column: number, k: number) =>
      b.record(
        'nki.isa.nc_matmul',
        { dst: b.psum(`o${k}`, [32, 512]), stationary: w, moving: m },
        { accumulate: false, tile_position: [0, column], tile_size: [128, 32] },
      );
    // the four tiles in turn, then one of them alone, then two in turn
    for (const [k, column] of [0, 32, 64, 96, 0, 32, 32, 32, 64, 32, 64].entries()) at(column, k);
  },
  matmulStridedWeights: b => {
    const [w, m] = [b.sbuf('w', [128, 256], 'bfloat16'), b.sbuf('m', [128, 512], 'bfloat16')];
    const operands = { dst: b.psum('o', [128, 512]), stationary: w.slice(':', [0, 256, 2]), moving: m };
    b.record('nki.isa.nc_matmul', operands, { accumulate: false });
  },
  matmulFp32: b => {
    const operands = { dst: b.psum('o', [64, 256]), stationary: b.sbuf('w', [128, 64]), moving: b.sbuf('m', [128, 256]) };
    b.record('nki.isa.nc_matmul', operands, { accumulate: false });
  },
  transpose: b => {
    b.record('nki.isa.nc_transpose', { dst: b.psum('o', [128, 64]), data: b.sbuf('x', [64, 128]) });
    b.record('nki.isa.nc_transpose', { dst: b.sbuf('s', [32, 16]), data: b.sbuf('y', [16, 32]) });
  },
  transposeBlocks: b => b.record('nki.isa.nc_transpose', { dst: b.sbuf('o', [40, 64]), data: b.sbuf('x', [64, 40]) }, { engine: 'Vector' }),
  matmul2d: b => b.record('nki.language.matmul', { dst: b.psum('o', [64, 512]), x: b.sbuf('x', [64, 128]), y: b.sbuf('y', [128, 512]) }),
  tensorTensor: b =>
    b.record(
      'nki.isa.tensor_tensor',
      { dst: b.sbuf('o', [128, 64]), data1: b.sbuf('x', [128, 64]), data2: b.sbuf('y', [128, 64]) },
      { op: 'add' },
    ),
  tensorScalar: b => {
    const operands = { dst: b.sbuf('o', [128, 64]), data: b.sbuf('x', [128, 64]), operand0: b.sbuf('c', [128, 1]) };
    b.record('nki.isa.tensor_scalar', operands, { op0: 'multiply', op1: 'add', operand1: 2 });
  },
  scalarTensorTensor: b => {
    const operands = { dst: b.sbuf('o', [128, 64]), data: b.sbuf('x', [128, 64]), operand1: b.sbuf('y', [128, 64]) };
    b.record('nki.isa.scalar_tensor_tensor', operands, { op0: 'multiply', operand0: 0.5, op1: 'add' });
  },
  reduce: b =>
    b.record(
      'nki.isa.tensor_reduce',
      { dst: b.sbuf('o', [128, 1]), data: b.sbuf('x', [128, 512]) },
      { op: 'maximum', axis: [1], negate: true },
    ),
  mean: b => b.record('nki.language.mean', { dst: b.sbuf('o', [128, 1]), x: b.sbuf('x', [128, 512]) }, { axis: [1] }),
  partitionReduce: b =>
    b.record('nki.isa.tensor_partition_reduce', { dst: b.sbuf('o', [1, 64]), data: b.sbuf('x', [128, 64]) }, { op: 'add' }),
  activation: b => {
    const x = b.sbuf('x', [128, 64]);
    b.record('nki.isa.activation', { dst: b.sbuf('a', [128, 64]), data: x, bias: b.sbuf('c', [128, 1]) }, { op: 'exp', scale: 2 });
    b.record('nki.language.exp', { dst: b.sbuf('b', [128, 64]), x });
    b.record('nki.language.tanh', { dst: b.sbuf('d', [128, 64]), x });
    b.record('nki.language.negative', { dst: b.sbuf('e', [128, 64]), x });
    b.record(
      'nki.isa.activation_reduce',
      { dst: b.sbuf('f', [128, 64]), data: x, reduce_res: b.sbuf('r', [128, 1]) },
      { op: 'square', reduce_op: 'add' },
    );
  },
  reciprocalRoot: b => b.record('nki.language.rsqrt', { dst: b.sbuf('o', [128, 64]), x: b.sbuf('x', [128, 64]) }),
  register: b => {
    const count = b.sbuf('count', [1, 1], 'int32');
    b.record('nki.isa.register_move', {}, { value: 4 });
    b.record('nki.isa.register_store', { dst: count }, { value: 4 });
    b.record('nki.isa.register_load', { src: count }, { value: 4 });
    b.record('nki.language.dynamic_range', {});
  },
  reciprocal: b => b.record('nki.isa.reciprocal', { dst: b.sbuf('o', [128, 8]), data: b.sbuf('x', [128, 8]) }),
  binary: b => {
    const [x, column] = [b.sbuf('x', [128, 64]), b.sbuf('c', [128, 1])];
    b.record('nki.language.add', { dst: b.sbuf('a', [128, 64]), x, y: b.sbuf('y', [128, 64]) });
    b.record('nki.language.multiply', { dst: b.sbuf('b', [128, 64]), x, y: column });
    b.record('nki.language.divide', { dst: b.sbuf('d', [128, 64]), x }, { y: 4 });
  },
  aluUnary: b => b.record('nki.language.logical_not', { dst: b.sbuf('o', [128, 64]), x: b.sbuf('x', [128, 64]) }),
  softmax: b => b.record('nki.language.softmax', { dst: b.sbuf('o', [128, 512]), x: b.sbuf('x', [128, 512]) }, { axis: [1] }),
  rmsNorm: b =>
    b.record(
      'nki.language.rms_norm',
      { dst: b.sbuf('o', [128, 512]), x: b.sbuf('x', [128, 512]), w: b.sbuf('w', [128, 512]) },
      { axis: [1], n: 512, epsilon: 1e-6 },
    ),
  where: b => {
    const operands = { dst: b.sbuf('o', [128, 64]), condition: b.sbuf('c', [128, 64], 'bool'), x: b.sbuf('x', [128, 64]) };
    b.record('nki.language.where', operands, { y: 0 });
  },
  ...movementKernels,
  single: b => {
    const [x, column] = [b.sbuf('x', [128, 64]), b.sbuf('c', [128, 1])];
    const scan = { dst: b.sbuf('s', [128, 64]), data0: x, data1: b.sbuf('y', [128, 64]), initial: column };
    b.record('nki.isa.tensor_tensor_scan', scan, { op0: 'multiply', op1: 'add' });
    const reduced = { dst: b.sbuf('r', [128, 64]), data: x, reduce_res: b.sbuf('m', [128, 1]) };
    b.record('nki.isa.tensor_scalar_reduce', reduced, { op0: 'multiply', operand0: 2, reduce_op: 'maximum' });
    b.record('nki.isa.bn_stats', { dst: b.sbuf('b', [128, 6]), data: x });
    const selected = { dst: b.sbuf('a', [128, 64]), on_true_tile: x };
    b.record('nki.isa.affine_select', selected, { pattern: [[1, 64]], channel_multiplier: 1, on_false_value: 0, cmp_op: 'less' });
  },
  topk: b => {
    const operands = { val_dst: b.sbuf('v', [16, 8], 'bfloat16'), idx_dst: b.sbuf('i', [16, 8], 'uint32') };
    b.record('nki.isa.topk', { ...operands, src: b.sbuf('x', [16, 3], 'bfloat16') }, { n: 42 });
  },
  activate2: b => {
    const operands = { dst: b.sbuf('o', [128, 64]), data: b.sbuf('x', [128, 64]), imm1: b.sbuf('c', [128, 1]) };
    b.record('nki.isa.activate2', operands, { op: 'gelu', op0: 'multiply', imm0: 2, op1: 'add' });
  },
  matmulMx: b => {
    const packed = (name: string, columns: number) => b.sbuf(name, [128, columns], 'float8_e5m2_x4');
    const scales = (name: string, columns: number) => b.sbuf(name, [128, columns], 'uint8');
    b.record(
      'nki.isa.nc_matmul_mx',
      {
        dst: b.psum('o', [128, 512], 'float32'),
        stationary: packed('s', 128),
        moving: packed('m', 512),
        stationary_scale: scales('t', 128),
        moving_scale: scales('n', 512),
      },
      { accumulate: false },
    );
  },
  periodic: b => b.record('nki.language.cos', { dst: b.sbuf('o', [128, 64]), x: b.sbuf('x', [128, 64]) }),
  tangent: b => b.record('nki.language.tan', { dst: b.sbuf('o', [128, 64]), x: b.sbuf('x', [128, 64]) }),
  rounding: b => {
    const x = b.sbuf('x', [128, 64]);
    b.record('nki.language.floor', { dst: b.sbuf('f', [128, 64]), x });
    b.record('nki.language.ceil', { dst: b.sbuf('c', [128, 64]), x });
  },
  variance: b => b.record('nki.language.var', { dst: b.sbuf('o', [128, 1]), x: b.sbuf('x', [128, 64]) }, { axis: [1] }),
};

describe('lowerings', () => {
  it('there is one for every row of the table', () => {
    const missing = instructionTable.filter(row => !Object.hasOwn(lowerings, row.lower)).map(row => row.name);
    assert.deepEqual(missing, []);
  });

  it('each has a golden here', () => {
    const covered = (key: string) => Object.keys(kernels).some(name => name.startsWith(key));
    assert.deepEqual(
      Object.keys(lowerings).filter(key => !covered(key)),
      [],
    );
  });

  for (const [name, record] of Object.entries(kernels))
    it(name, () => {
      const b = new ProgramBuilder({ kernel: name, target: 'trn2' });
      record(b);
      expectGolden(`lower-${name}`, printCompiled(compile(b.finish(), { policy: inOrder })));
    });

  it('loads weights again once someone wrote to them, where products share them', () => {
    const b = new ProgramBuilder({ target: 'trn2', nkiVersion: '0.3' });
    const [w, m, o] = [b.sbuf('w', [128, 128], 'bfloat16'), b.sbuf('m', [128, 512], 'bfloat16'), b.psum('o', [128, 512])];
    const matmul = () => b.record('nki.isa.nc_matmul', { dst: o, stationary: w, moving: m }, { accumulate: true });
    matmul();
    matmul();
    b.record('nki.isa.memset', { dst: w }, { value: 1 });
    matmul();
    const { opcodes, instructions } = compile(b.finish());
    assert.equal([...instructions.opcode].filter(o => opcodes[o] === 'LDWEIGHTS').length, 2);
  });

  it('counts two FLOPs per multiply-accumulate, of transposes too, which multiply by the identity', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const operands = { dst: b.psum('o', [64, 256]), stationary: b.sbuf('w', [128, 64]), moving: b.sbuf('m', [128, 256]) };
    b.record('nki.isa.nc_matmul', operands, { accumulate: false });
    b.record('nki.isa.nc_transpose', { dst: b.psum('t', [128, 64]), data: b.sbuf('x', [64, 128]) }, { engine: 'Tensor' });
    assert.equal(
      compile(b.finish()).instructions.flops.reduce((a, f) => a + f, 0),
      2 * 128 * 64 * 256 + 2 * 64 * 128 * 64,
    );
  });

  it('on Trn1 loads whole rows once and turns them on VectorE', () => {
    const b = new ProgramBuilder({ target: 'trn1', dialect: 'neuronxcc' });
    const x = b.hbm('x', [70, 40, 3], 'float32', 'input');
    const y = b.hbm('y', [3, 40, 70], 'float32', 'output');
    for (let k = 0; k < 3; k++) {
      const turned = b.sbuf(`turned${k}`, [40, 70]);
      const element = [[120, 70] as [number, number], [3, 40] as [number, number]];
      b.record('nki.language.load_transpose2d', { dst: turned, src: x.ap(element, k) });
      b.record('nki.isa.dma_copy', {
        dst: y.ap(
          [
            [70, 40],
            [1, 70],
          ],
          2800 * k,
        ),
        src: turned,
      });
    }
    const { instructions, opcodes, transfers } = compile(b.finish(), { pipeline: 'rewriting' });
    // 70 rows are three blocks of 32, 40 columns two.
    assert.equal([...instructions.opcode].filter(opcode => opcodes[opcode] === 'TRANSPOSE').length, 3 * 3 * 2);
    const [loaded, stored] = [70 * 40 * 3 * 4, 70 * 40 * 4];
    assert.deepEqual(
      [...transfers.bytes].sort((p, q) => q - p),
      [loaded, stored, stored, stored],
    );
  });

  it('loads weights more slowly whose columns lie apart, but not those that nl.matmul turns', () => {
    const loading = (target: string, stride: number) => {
      const b = new ProgramBuilder({ target });
      const weights = b.sbuf('w', [128, 128, stride], 'bfloat16');
      const moving = b.sbuf('m', [128, 64], 'bfloat16');
      b.record('nki.isa.nc_matmul', { dst: b.psum('o', [128, 64]), stationary: weights.slice(':', ':', 0), moving }, { accumulate: false });
      return compile(b.finish()).instructions.issueNs[0];
    };
    // a cycle of SBUF for each column
    for (const stride of [9, 50]) assert.ok(Math.abs(loading('trn1', stride) - 128 * 0.714) < 1e-9);
    assert.ok(loading('trn1', 1) < 30 && loading('trn1', 2) < 50);
    const turning = (stride: number) => {
      const b = new ProgramBuilder({ target: 'trn1', dialect: 'neuronxcc' });
      const [x, y] = [b.sbuf('x', [128, 128, stride], 'bfloat16'), b.sbuf('y', [128, 512], 'bfloat16')];
      b.record('nki.language.matmul', { dst: b.psum('o', [128, 512]), x: x.slice(':', ':', 0), y }, { transpose_x: false });
      const { opcodes, instructions } = compile(b.finish());
      return [...instructions.opcode.keys()].filter(i => opcodes[instructions.opcode[i]] === 'LDWEIGHTS').map(i => instructions.issueNs[i]);
    };
    assert.deepEqual(turning(9), turning(1));
  });

  it('passes ones and zeros in fp32 once over each half of the weights: the identity of a transpose, and what the kernel marks', () => {
    const times = (target: string, attributes: { [name: string]: boolean }) => {
      const b = new ProgramBuilder({ target });
      const [x, o] = [b.sbuf('x', [128, 128]), b.psum('o', [128, 128])];
      if (attributes.transposes) b.record('nki.isa.nc_transpose', { dst: o, data: x }, { engine: 'Tensor' });
      else b.record('nki.isa.nc_matmul', { dst: o, stationary: x, moving: b.sbuf('m', [128, 128]) }, { accumulate: false, ...attributes });
      const { opcodes, instructions } = compile(b.finish());
      const rows = [...instructions.opcode.keys()].filter(i => opcodes[instructions.opcode[i]] === 'MATMUL');
      return [rows.length, rows.reduce((ns, i) => ns + instructions.issueNs[i], 0)];
    };
    const [passes, allNs] = times('trn1', {});
    assert.equal(passes, 2);
    for (const name of ['transposes', 'is_moving_onezero']) assert.deepEqual(times('trn1', { [name]: true }), [2, allNs / 2]);
    assert.deepEqual(times('trn1', { is_stationary_onezero: true }), [1, allNs / 2]);
    // Its transpose mode has one MATMUL of two passes.
    assert.deepEqual(times('trn2', { transposes: true }), [1, times('trn2', {})[1] / 2]);
  });

  it('counts the FLOPs of double rows of fp8 once, and takes half the time over them', () => {
    const compiled = (mode: 'none' | 'double_row') => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const rows = mode === 'double_row' ? [2] : [];
      const tile = (name: string, columns: number) => b.sbuf(name, [128, ...rows, columns], 'float8_e4m3');
      const operands = { dst: b.psum('o', [128, 512]), stationary: tile('w', 128), moving: tile('m', 512) };
      b.record('nki.isa.nc_matmul', operands, { accumulate: false, perf_mode: mode });
      return compile(b.finish()).instructions;
    };
    const [once, twice] = [compiled('none'), compiled('double_row')];
    assert.equal(
      twice.flops.reduce((a, f) => a + f, 0),
      2 * 256 * 128 * 512,
    );
    assert.equal(twice.issueNs.at(-1), once.issueNs.at(-1));
  });

  it('takes longer for a scale in SBUF than for a number, where that was measured', () => {
    const last = (name: string, target: string, operands: { [name: string]: [number, number] }, attributes: object) => {
      const b = new ProgramBuilder({ target, literal: true });
      const own = Object.fromEntries(Object.entries(operands).map(([key, shape]) => [key, b.sbuf(key, shape)]));
      b.record(name, { dst: b.sbuf('o', [128, 128]), data: b.sbuf('x', [128, 128]), ...own }, { ...attributes });
      const { opcodes, instructions } = compile(b.finish());
      const i = opcodes.length > 0 ? instructions.issueNs.length - 1 : -1;
      return { issueNs: instructions.issueNs[i], durationNs: instructions.durationNs[i] };
    };
    const column: [number, number] = [128, 1];
    const more = (name: string, target: string, operand: string, attributes: object, number: object) => {
      const [given, inSbuf] = [last(name, target, {}, { ...attributes, ...number }), last(name, target, { [operand]: column }, attributes)];
      return [inSbuf.issueNs - given.issueNs, inSbuf.durationNs - given.durationNs].map(ns => Math.round(ns));
    };
    assert.deepEqual(more('nki.isa.activation', 'trn2', 'scale', { op: 'exp' }, { scale: 2 }), [218, 123]);
    assert.deepEqual(more('nki.isa.activation', 'trn2', 'bias', { op: 'exp' }, { bias: 2 }), [0, 0]);
    assert.deepEqual(more('nki.isa.activation', 'trn1', 'scale', { op: 'exp' }, { scale: 2 }), [0, 0]);
    const onScalar = { op0: 'multiply', engine: 'Scalar' };
    assert.deepEqual(more('nki.isa.tensor_scalar', 'trn2', 'operand0', onScalar, { operand0: 2 }), [218, 123]);
    assert.deepEqual(more('nki.isa.tensor_scalar', 'trn2', 'operand0', { ...onScalar, op0: 'add' }, { operand0: 2 }), [0, 0]);
  });

  it('uses static rings on v2 up to NKI 0.3 and with dge off, else software descriptors for what the kernel was called with', () => {
    const queue = (target: string, dge: 'auto' | 'off', nkiVersion?: string) => {
      const b = new ProgramBuilder({ target, nkiVersion });
      kernels.dma(b);
      return compile(b.finish(), { dge }).queues[0].name;
    };
    assert.equal(queue('trn1', 'auto', '0.3'), 'qSyncIO0');
    assert.equal(queue('trn1', 'auto'), 'qGpSimdDynamic');
    assert.equal(queue('trn1', 'off'), 'qSyncIO0');
    assert.equal(queue('trn2', 'auto'), 'qGpSimdDynamic');
    assert.equal(queue('trn2', 'off'), 'qSyncIO0');
  });
});
