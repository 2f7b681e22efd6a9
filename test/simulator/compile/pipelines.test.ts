/** What the pipelines make of one kernel: places of tiles, order, fills of PSUM, descriptors. */
import assert from 'node:assert/strict';
import { ACCUMULATE, type Compiled, TRACK_ENGINE, WRITE } from '../../../src/simulator/compile/compiled';
import { movingNs } from '../../../src/simulator/compile/moving';
import { neuronPolicy } from '../../../src/simulator/compile/neuronPolicy';
import { PSUM } from '../../../src/simulator/compile/patterns';
import type { CopyEngine } from '../../../src/simulator/compile/policy';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { withValues } from '../../../src/simulator/hardware/withValues';
import { schedule } from '../../../src/simulator/schedule/schedule';
import { ENGINES } from '../../../src/simulator/vocabulary/engines';
import { type CompiledPipeline, PIPELINES } from '../../../src/simulator/vocabulary/pipelines';
import { DGE_MODES } from '../../../src/simulator/vocabulary/queues';
import { ProgramBuilder } from '../../support/programs';
import { compile } from '../../support/stages';

const TURNS = 4;

/** In each turn: PSUM is filled, two products are added, VectorE copies the sum, and a DMA stores it. */
function sums({ tiles = 1, dgeMode = 'unknown', engine = 'unknown', dialect = 'nki' as 'nki' | 'neuronxcc' } = {}) {
  const b = new ProgramBuilder({ target: 'trn2', literal: true, dialect });
  const [left, right] = [b.sbuf('left', [128, 128], 'bfloat16'), b.sbuf('right', [128, 512], 'bfloat16')];
  for (const [tile, columns] of [[left, 128] as const, [right, 512] as const])
    b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm(`in${columns}`, [128, columns], 'bfloat16', 'input') }, { dge_mode: dgeMode });
  const psum = Array.from({ length: tiles }, (_, k) => b.psum(`sum${k}`, [128, 512]));
  const out = b.hbm('out', [128, 512 * TURNS], 'float32', 'output');
  for (let turn = 0; turn < TURNS; turn++) {
    const [sum, copy] = [psum[turn % tiles], b.sbuf(`copy${turn}`, [128, 512])];
    b.record('nki.isa.memset', { dst: sum }, { value: 0, engine });
    for (let k = 0; k < 2; k++) b.record('nki.isa.nc_matmul', { dst: sum, stationary: left, moving: right }, { accumulate: true });
    b.record('nki.isa.tensor_copy', { dst: copy, src: sum });
    b.record('nki.isa.dma_copy', { dst: out.slice(':', [512 * turn, 512 * (turn + 1)]), src: copy }, { dge_mode: dgeMode });
  }
  return b.finish();
}

/** VectorE works on a tile; then ScalarE reads it three times, while two products of it are copied. */
function copiesBesideActivations(dialect: 'nki' | 'neuronxcc') {
  const b = new ProgramBuilder({ target: 'trn2', literal: true, dialect });
  const [left, tile] = [b.sbuf('left', [128, 128], 'bfloat16'), b.sbuf('tile', [128, 512], 'bfloat16')];
  b.record('nki.isa.memset', { dst: left }, { value: 1, engine: 'GpSimd' });
  b.record('nki.isa.memset', { dst: tile }, { value: 1, engine: 'Vector' });
  for (let k = 0; k < 8; k++) b.record('nki.isa.tensor_tensor', { dst: tile, data1: tile, data2: tile }, { op: 'add' });
  for (let k = 0; k < 3; k++) b.record('nki.isa.activation', { dst: b.sbuf(`exp${k}`, [128, 512]), data: tile }, { op: 'exp' });
  for (let k = 0; k < 2; k++) {
    const product = b.psum(`product${k}`, [128, 512]);
    b.record('nki.isa.nc_matmul', { dst: product, stationary: left, moving: tile });
    b.record('nki.isa.tensor_copy', { dst: b.sbuf(`copy${k}`, [128, 512]), src: product });
  }
  return b.finish();
}

const made = (pipeline: CompiledPipeline, how?: Parameters<typeof sums>[0]) => compile(sums(how), { pipeline });

/** The engines of all instructions with that opcode, in the order of the code. */
const enginesOf = ({ instructions: { opcode, track }, opcodes }: Compiled, name: string) =>
  [...opcode.keys()].filter(i => opcodes[opcode[i]] === name).map(i => ENGINES[TRACK_ENGINE[track[i]]]);

/** How many places the tiles of PSUM have. */
const placesInPsum = ({ patterns, accesses, allocation }: Compiled) => {
  const tensors = [...accesses.pattern].map(pattern => patterns.tensor(pattern)).filter(tensor => patterns.space(tensor) === PSUM);
  return new Set(tensors.map(tensor => allocation.addressBytes[tensor])).size;
};

const totalNs = (c: Compiled) => Math.max(...schedule(c).instructions.endNs);
const repeat = (engine: string) => new Array<string>(TURNS).fill(engine);

describe('the pipelines of kernels that run as written', () => {
  it('leave fills of PSUM out of legacy kernels', () => {
    assert.deepEqual(enginesOf(made('literal', { dialect: 'neuronxcc' }), 'MEMSET'), []);
  });

  it('let the engine that is free copy out of PSUM in legacy kernels, not the one that has done less', () => {
    const copies = (dialect: 'nki' | 'neuronxcc', legacyCopies: CopyEngine) =>
      enginesOf(compile(copiesBesideActivations(dialect), { policy: withValues(neuronPolicy, { legacyCopies }) }), 'COPY');
    assert.deepEqual(copies('neuronxcc', 'firstFree'), ['Vector', 'Vector']);
    assert.deepEqual(copies('neuronxcc', 'lessBusy'), ['Scalar', 'Scalar']);
    assert.deepEqual(copies('nki', 'firstFree'), ['Scalar', 'Scalar']);
  });

  it('have VectorE or GpSimd fill PSUM where the kernel names no engine', () => {
    assert.deepEqual(enginesOf(made('literal'), 'MEMSET'), repeat('Vector'));
    for (const pipeline of ['standalone', 'backend-off'] as const) {
      assert.deepEqual(enginesOf(made(pipeline), 'MEMSET'), repeat('GpSimd'));
      assert.deepEqual(enginesOf(made(pipeline, { engine: 'Vector' }), 'MEMSET'), repeat('Vector'));
    }
  });

  it('let the first product overwrite the zeros, which hardware cannot add to', () => {
    const roles = (pipeline: CompiledPipeline) => {
      const { instructions, opcodes, accesses } = made(pipeline);
      const products = [...instructions.opcode.keys()].filter(i => opcodes[instructions.opcode[i]] === 'MATMUL');
      return products.map(i => accesses.role[instructions.accessStart[i]]);
    };
    for (const pipeline of ['literal', 'standalone', 'backend-off'] as const)
      assert.deepEqual(roles(pipeline).sort(), Array.from({ length: 2 * TURNS }, (_, k) => (k % 2 === 0 ? WRITE : ACCUMULATE)).sort());
  });

  it('let tiles keep their places where the kernel is compiled by itself: with one of PSUM the turns wait for each other', () => {
    assert.deepEqual(
      (['literal', 'standalone', 'backend-off'] as const).map(pipeline => placesInPsum(made(pipeline)) > 1),
      [true, false, true],
    );
    assert.equal(placesInPsum(made('standalone', { tiles: 2 })), 2);
    const [one, two] = [1, 2].map(tiles => totalNs(made('standalone', { tiles })));
    assert.ok(two < one, `${two} and ${one} ns`);
  });

  it('give a tile in SBUF two places in turn where the kernel is compiled by itself, else as many as there are', () => {
    const places = (pipeline: CompiledPipeline) => {
      const { patterns, accesses, allocation } = compile(loadAndUse(TURNS), { pipeline });
      const tile = [...accesses.pattern].map(pattern => patterns.tensor(pattern)).filter(tensor => patterns.name(tensor) === 'tile');
      return new Set(tile.map(tensor => allocation.addressBytes[tensor])).size;
    };
    assert.deepEqual((['literal', 'standalone', 'backend-off'] as const).map(places), [TURNS, 2, TURNS]);
  });

  it('make descriptors before a kernel runs that is compiled by itself, unless it asks for others', () => {
    const count = (c: Compiled, opcode: string) => enginesOf(c, opcode).length;
    const all = TURNS + 2;
    assert.equal(count(made('literal'), 'DMA_DIRECT2D'), all);
    for (const pipeline of ['standalone', 'backend-off'] as const) {
      assert.equal(count(made(pipeline), 'PSEUDO_DMA_TRIGGER'), all);
      assert.equal(count(made(pipeline, { dgeMode: 'hwdge' }), 'DMA_DIRECT2D'), all);
    }
  });

  it('have GpSimd take longer for descriptors with a recent NKI', () => {
    const trigger = (nkiVersion?: string) => {
      const b = new ProgramBuilder({ target: 'trn2', dialect: 'nki', literal: true, nkiVersion });
      b.record('nki.isa.dma_copy', { dst: b.sbuf('tile', [128, 512]), src: b.hbm('x', [128, 512], 'float32', 'input') });
      const { instructions, machine } = compile(b.finish());
      const { issueNs, issuePerPacketNs } = machine.dma.triggers.software!;
      return { took: instructions.issueNs[0], expected: issueNs.value + 128 * issuePerPacketNs.value };
    };
    const [before, recent] = [trigger('0.3'), trigger()];
    assert.equal(before.took, before.expected);
    assert.equal(recent.took, recent.expected);
    assert.ok(recent.took > before.took + 50, `${recent.took} ns, ${before.took} before`);
    assert.equal(machineFor('trn1').recentSoftwareTrigger, undefined);
  });

  it('have the compiler expect a transpose within SBUF at half of the rate of a copy', () => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true });
    const [turned, tile] = ['turned', 'tile'].map(name => b.sbuf(name, [128, 128], 'bfloat16'));
    b.record('nki.isa.memset', { dst: tile }, { value: 1, engine: 'Vector' });
    b.record('nki.isa.dma_transpose', { dst: turned, src: tile });
    const compiled = compile(b.finish(), { pipeline: 'literal' });
    const { hbmReadBytesPerNs, transposeSpeed } = compiled.machine.dma;
    assert.equal(movingNs(compiled.machine, compiled, 0), (128 * 128 * 2) / hbmReadBytesPerNs.value / transposeSpeed!.sbuf.value);
  });

  it('have GpSimd make all descriptors on Trn1 with a recent NKI, where they were made before the kernel runs', () => {
    const opcode = (dialect: 'nki' | 'neuronxcc', nkiVersion?: string) => {
      const b = new ProgramBuilder({ target: 'trn1', dialect, literal: true, nkiVersion });
      b.record('nki.isa.dma_copy', { dst: b.sbuf('tile', [128, 512]), src: b.hbm('x', [128, 512], 'float32', 'input') });
      const { instructions, opcodes } = compile(b.finish());
      return opcodes[instructions.opcode[0]];
    };
    assert.equal(opcode('nki'), 'DMA_DIRECT2D');
    assert.equal(opcode('nki', '0.3'), 'PSEUDO_DMA_TRIGGER');
    assert.equal(opcode('neuronxcc'), 'PSEUDO_DMA_TRIGGER');
  });

  it('make descriptors of loads of one long row before the kernel runs, of the nki namespace and where it does not choose', () => {
    const opcodes = (rows: number, dialect: 'nki' | 'neuronxcc', attributes = {}, columns = 512) => {
      const b = new ProgramBuilder({ target: 'trn2', dialect, literal: true });
      const tile = b.sbuf('tile', [128, columns]);
      b.record('nki.isa.dma_copy', { dst: tile.slice([0, rows]), src: b.hbm('x', [rows, columns], 'float32', 'input') }, attributes);
      const { instructions, opcodes: names } = compile(b.finish());
      return [...instructions.opcode].map(opcode => names[opcode]);
    };
    assert.deepEqual(opcodes(1, 'nki'), ['PSEUDO_DMA_TRIGGER']);
    assert.deepEqual(opcodes(2, 'nki'), ['DMA_DIRECT2D']);
    assert.deepEqual(opcodes(1, 'nki', {}, 1), ['DMA_DIRECT2D']);
    assert.deepEqual(opcodes(1, 'nki', { dge_mode: 'swdge' }), ['DMA_DIRECT2D']);
    assert.deepEqual(opcodes(1, 'neuronxcc'), ['DMA_DIRECT2D']);
  });

  it('leave descriptors of stores of one long row to GpSimd', () => {
    const b = new ProgramBuilder({ target: 'trn2', dialect: 'nki', literal: true });
    const tile = b.sbuf('tile', [128, 512]);
    b.record('nki.isa.dma_copy', { dst: b.hbm('x', [1, 512], 'float32', 'output'), src: tile.slice([0, 1]) });
    const code = compile(b.finish());
    assert.deepEqual(enginesOf(code, 'DMA_DIRECT2D'), ['GpSimd']);
    assert.equal(DGE_MODES[code.transfers.mode[0]], 'software');
  });

  it('keep the order of the program without a scheduler', () => {
    const isSorted = (stream: Uint32Array) => stream.every((i, k) => k === 0 || stream[k - 1] < i);
    const inOrderOfVector = (pipeline: CompiledPipeline) => {
      const program = beginAndEnd(6);
      const { streams, instructions } = compile(program, { pipeline });
      return isSorted(streams[ENGINES.indexOf('Vector')].map(i => instructions.origin[i]));
    };
    assert.deepEqual((['literal', 'standalone', 'backend-off'] as const).map(inOrderOfVector), [false, false, true]);
  });
});

/** VectorE begins and ends each iteration, with work of ScalarE in between. */
function beginAndEnd(iterations: number) {
  const b = new ProgramBuilder({ target: 'trn2', literal: true });
  const source = b.sbuf('source', [128, 512]);
  b.record('nki.isa.memset', { dst: source }, { value: 1, engine: 'GpSimd' });
  for (let i = 0; i < iterations; i++) {
    const [first, middle, last] = ['first', 'middle', 'last'].map(name => b.sbuf(`${name}${i}`, [128, 512]));
    b.record('nki.isa.tensor_copy', { dst: first, src: source }, { engine: 'Vector' });
    b.record('nki.isa.activation', { dst: middle, data: first }, { op: 'exp' });
    b.record('nki.isa.tensor_copy', { dst: last, src: middle }, { engine: 'Vector' });
  }
  return b.finish();
}

/** Each iteration loads one tile, and reads it. */
function loadAndUse(iterations: number) {
  const b = new ProgramBuilder({ target: 'trn2', literal: true });
  const tile = b.sbuf('tile', [128, 512]);
  for (let i = 0; i < iterations; i++) {
    b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm(`in${i}`, [128, 512]) });
    b.record('nki.isa.tensor_copy', { dst: b.sbuf(`out${i}`, [128, 512]), src: tile }, { engine: 'Vector' });
  }
  return b.finish();
}

describe('multiplications by a value for each partition', () => {
  const engineOf = (attributes: Record<string, string>, dialect: 'nki' | 'neuronxcc' = 'nki') => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true, dialect });
    const [data, column, dst] = [b.sbuf('data', [128, 64]), b.sbuf('column', [128, 1]), b.sbuf('dst', [128, 64])];
    for (const tile of [data, column]) b.record('nki.isa.memset', { dst: tile }, { value: 1 });
    b.record('nki.isa.tensor_scalar', { dst, data, operand0: column }, attributes);
    return enginesOf(compile(b.finish(), { pipeline: 'literal' }), 'TENSOR_SCALAR');
  };

  it('run on ScalarE in a kernel of the new dialect that names no engine, and where it does not compute them, on VectorE', () => {
    assert.deepEqual(engineOf({ op0: 'multiply' }), ['Scalar']);
    assert.deepEqual(engineOf({ op0: 'multiply', engine: 'Vector' }), ['Vector']);
    assert.deepEqual(engineOf({ op0: 'maximum' }), ['Vector']);
    assert.deepEqual(engineOf({ op0: 'multiply' }, 'neuronxcc'), ['Vector']);
  });
});

describe('DMA transposes', () => {
  /** The trigger's opcode for a source of that shape. */
  const trigger = (shape: number[], dtype: string, pipeline: CompiledPipeline, attributes = {}) => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const turned = [shape.at(-1)!, ...shape.slice(1, -1), shape[0]];
    b.record('nki.isa.dma_transpose', { dst: b.sbuf('t', turned, dtype), src: b.hbm('x', shape, dtype, 'input') }, attributes);
    const c = compile(b.finish(), { pipeline });
    return c.opcodes[c.instructions.opcode[0]];
  };

  const others: readonly (readonly [shape: number[], dtype: string])[] = [
    [[16, 128], 'float32'],
    [[128, 128], 'bfloat16'],
    [[4, 2, 128], 'bfloat16'],
  ];

  it('have descriptors by hardware where it can make them: 16 rows of two bytes an element', () => {
    for (const pipeline of PIPELINES) {
      assert.equal(trigger([16, 128], 'bfloat16', pipeline), 'DMA_DIRECT2D');
      assert.equal(trigger([4, 4, 128], 'bfloat16', pipeline), 'DMA_DIRECT2D');
      for (const [shape, dtype] of others) assert.equal(trigger(shape, dtype, pipeline), 'PSEUDO_DMA_TRIGGER', `${shape} ${dtype}`);
      assert.equal(trigger([16, 128], 'bfloat16', pipeline, { dge_mode: 'none' }), 'PSEUDO_DMA_TRIGGER');
    }
  });
});
