/** How far the order of a kernel that runs as written changes, and what keeps it. */
import assert from 'node:assert/strict';
import { type Compiled, TENSOR, TENSOR_MATRIX, TRACK_ENGINE } from '../../../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import type { Following } from '../../../../src/simulator/compile/policy';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import type { Program } from '../../../../src/simulator/program/program';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { ENGINES } from '../../../../src/simulator/vocabulary/engines';
import { ProgramBuilder } from '../../../support/programs';
import { compile, inOrder } from '../../../support/stages';

const VECTOR = ENGINES.indexOf('Vector');

/** Iterations that VectorE begins and ends, with `between` instructions of ScalarE in between; `placedEveryBytes`: from the first tile of one to that of the next. */
function iterations(count: number, { between = 1, attributes = {}, placedEveryBytes = -1 } = {}): Program {
  const b = new ProgramBuilder({ target: 'trn2', literal: true });
  const source = b.sbuf('source', [128, 512]);
  b.record('nki.isa.memset', { dst: source }, { value: 1, engine: 'GpSimd' });
  for (let i = 0; i < count; i++) {
    const placed = placedEveryBytes < 0 ? {} : { addressBytes: i * placedEveryBytes };
    const tiles = Array.from({ length: between + 2 }, (_, k) => b.sbuf(`tile${i}_${k}`, [128, 512], 'float32', k === 0 ? placed : {}));
    b.record('nki.isa.tensor_copy', { dst: tiles[0], src: source }, { engine: 'Vector', ...attributes });
    for (let k = 0; k < between; k++) b.record('nki.isa.activation', { dst: tiles[k + 1], data: tiles[k] }, { op: 'exp' });
    b.record('nki.isa.tensor_copy', { dst: tiles[between + 1], src: tiles[between] }, { engine: 'Vector', ...attributes });
  }
  return b.finish();
}

/** Instructions of the program in the order in which VectorE issues them. */
const ofVector = ({ instructions: { track, origin }, streams }: Compiled) =>
  [...streams[VECTOR]].filter(i => TRACK_ENGINE[track[i]] === VECTOR).map(i => origin[i]);

const literal = (program: Program, request: Parameters<typeof compile>[1] = {}) => compile(program, { pipeline: 'literal', ...request });
const isSorted = (numbers: readonly number[]) => numbers.every((n, k) => k === 0 || numbers[k - 1] < n);

describe('the order of a kernel that runs as written', () => {
  it('lets the next iteration begin while this one waits, which is faster', () => {
    const program = iterations(6, { between: 3 });
    const [kept, changed] = [literal(program, { policy: inOrder }), literal(program)];
    assert.ok(isSorted(ofVector(kept)));
    assert.ok(!isSorted(ofVector(changed)));
    const endNs = (c: Compiled) => Math.max(...schedule(c).instructions.endNs);
    assert.ok(endNs(changed) < 0.8 * endNs(kept), `${endNs(changed)} of ${endNs(kept)} ns`);
  });

  it('looks at so much work of the engines ahead', () => {
    const ahead = (c: Compiled) => {
      const order = ofVector(c);
      return Math.max(...order.map((origin, k) => origin - Math.min(...order.slice(k))));
    };
    const reach = (literalWorkNs: number) =>
      ahead(literal(iterations(20, { between: 6 }), { policy: withValues(neuronPolicy, { literalWorkNs }) }));
    // The eight instructions of an iteration are 5 us of work.
    assert.equal(reach(100), 0);
    assert.ok(reach(10_000) > 8 && reach(10_000) < 24, `${reach(10_000)}`);
    assert.ok(reach(40_000) > 1.5 * reach(10_000), `${reach(40_000)}`);
  });

  it('keeps chains of one engine one after the other, as if each result were there at once', () => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true });
    const source = b.sbuf('source', [128, 512]);
    b.record('nki.isa.memset', { dst: source }, { value: 1, engine: 'GpSimd' });
    for (let chain = 0; chain < 3; chain++) {
      const own = b.sbuf(`chain${chain}`, [128, 512]);
      for (let k = 0; k < 4; k++)
        b.record('nki.isa.tensor_tensor', { dst: own, data1: k === 0 ? source : own, data2: source }, { op: 'add' });
    }
    const program = b.finish();
    const sees = (literalFollows: Following) =>
      isSorted(ofVector(literal(program, { policy: withValues(neuronPolicy, { literalFollows }) })));
    assert.deepEqual([sees('issue'), sees('result')], [true, false]);
    assert.ok(isSorted(ofVector(literal(program))));
  });

  it('lets so many DMA triggers go before the oldest', () => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true });
    const out = b.hbm('out', [128, 512]);
    const [waits, filled] = ['waits', 'filled'].map(name => b.sbuf(name, [128, 512]));
    b.record('nki.isa.memset', { dst: filled }, { value: 1, engine: 'GpSimd' });
    b.record('nki.isa.activation', { dst: waits, data: filled }, { op: 'exp' });
    b.record('nki.isa.dma_copy', { dst: out, src: waits });
    for (let i = 0; i < 12; i++) b.record('nki.isa.dma_copy', { dst: b.sbuf(`tile${i}`, [128, 512]), src: b.hbm(`in${i}`, [128, 512]) });
    const program = b.finish();
    const passed = (literalTriggers: number) => {
      const { instructions } = literal(program, { policy: withValues(neuronPolicy, { literalTriggers }) });
      const dmas = [...instructions.transfer.keys()].filter(i => instructions.transfer[i] >= 0);
      return dmas.findIndex(i => instructions.origin[i] === 2);
    };
    // The store waits for less than four triggers.
    assert.deepEqual([1, 3, 20].map(passed), [0, 2, 3]);
  });

  it('lets so many groups of products go before the oldest, however many products each has', () => {
    const passed = (literalGroups: number, waiting: 'sum' | 'parts') => {
      const b = new ProgramBuilder({ target: 'trn2', literal: true });
      const [left, filled, late] = ['left', 'filled', 'late'].map(name => b.sbuf(name, [128, 128], 'bfloat16'));
      for (const dst of [left, filled]) b.record('nki.isa.memset', { dst }, { value: 1, engine: 'GpSimd' });
      for (let k = 0; k < 4; k++) b.record('nki.isa.activation', { dst: late, data: k === 0 ? filled : late }, { op: 'exp' });
      const waits = b.psum('waits', [128, 512]);
      for (let k = 0; k < 12; k++) {
        const dst = waiting === 'sum' ? waits.slice(':', [0, 32]) : waits.slice(':', [32 * k, 32 * k + 32]);
        b.record(
          'nki.isa.nc_matmul',
          { dst, stationary: left, moving: late.slice(':', [0, 32]) },
          { accumulate: waiting === 'sum' && k > 0 },
        );
      }
      for (let group = 0; group < 3; group++)
        b.record(
          'nki.isa.nc_matmul',
          { dst: b.psum(`group${group}`, [128, 128]), stationary: left, moving: filled },
          { accumulate: false },
        );
      const { instructions } = literal(b.finish(), { policy: withValues(neuronPolicy, { literalGroups }) });
      const matmuls = [...instructions.track.keys()].filter(i => instructions.track[i] === TENSOR_MATRIX).map(i => instructions.origin[i]);
      return matmuls.indexOf(6);
    };
    for (const waiting of ['sum', 'parts'] as const) assert.deepEqual([1, 2, 4].map(most => passed(most, waiting)), [0, 1, 3], waiting); // biome-ignore format: one thought
  });

  it('begins a group of products where one overwrites what the group wrote', () => {
    const passed = (rewrites: boolean) => {
      const b = new ProgramBuilder({ target: 'trn2', literal: true });
      const [left, filled, late] = ['left', 'filled', 'late'].map(name => b.sbuf(name, [128, 128], 'bfloat16'));
      for (const dst of [left, filled]) b.record('nki.isa.memset', { dst }, { value: 1, engine: 'GpSimd' });
      for (let k = 0; k < 4; k++) b.record('nki.isa.activation', { dst: late, data: k === 0 ? filled : late }, { op: 'exp' });
      const waits = b.psum('waits', [128, 128]);
      for (let k = 0; k < 2; k++)
        b.record('nki.isa.nc_matmul', { dst: waits, stationary: left, moving: late }, { accumulate: !rewrites && k > 0 });
      b.record('nki.isa.nc_matmul', { dst: b.psum('next', [128, 128]), stationary: left, moving: filled }, { accumulate: false });
      const { instructions } = literal(b.finish(), { policy: withValues(neuronPolicy, { literalGroups: 2 }) });
      const matmuls = [...instructions.track.keys()].filter(i => instructions.track[i] === TENSOR_MATRIX).map(i => instructions.origin[i]);
      return matmuls[0] === 8;
    };
    assert.deepEqual([false, true].map(passed), [true, false]);
  });

  it('loads weights for each product after NKI 0.3, and before that where others are in the array', () => {
    const b = (nkiVersion: string) => {
      const builder = new ProgramBuilder({ target: 'trn2', literal: true, nkiVersion });
      const [left, right] = ['left', 'right'].map(name => builder.sbuf(name, [128, 128], 'bfloat16'));
      for (const dst of [left, right]) builder.record('nki.isa.memset', { dst }, { value: 1, engine: 'GpSimd' });
      for (let k = 0; k < 5; k++)
        builder.record('nki.isa.nc_matmul', { dst: builder.psum(`sum${k}`, [128, 128]), stationary: left, moving: right });
      const { instructions } = literal(builder.finish());
      return [TENSOR, TENSOR_MATRIX].map(track => instructions.track.filter(on => on === track).length);
    };
    assert.deepEqual(['0.3', '0.6'].map(b), [
      [1, 5],
      [5, 5],
    ]);
  });

  it('stays where the kernel asks for it, and where cores wait for each other', () => {
    assert.ok(isSorted(ofVector(literal(iterations(6, { attributes: { ordered: true } })))));
    assert.ok(isSorted(ofVector(literal(iterations(6), { waitsForCores: true }))));
    assert.ok(!isSorted(ofVector(literal(iterations(6)))));
  });

  it('changes where the kernel places its tiles, but for those at one address', () => {
    assert.ok(!isSorted(ofVector(literal(iterations(6, { placedEveryBytes: 8192 })))));
    assert.ok(isSorted(ofVector(literal(iterations(6, { placedEveryBytes: 0 })))));
  });

  it('keeps those of `with_schedule` behind what they wait for', () => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true });
    const [x, y, z] = ['x', 'y', 'z'].map(name => b.sbuf(name, [128, 512]));
    b.record('nki.isa.memset', { dst: x }, { value: 1, engine: 'GpSimd' });
    b.record('nki.isa.tensor_copy', { dst: y, src: x }, { engine: 'Vector' });
    b.record('nki.isa.memset', { dst: z }, { value: 1, engine: 'Vector', after: [1] });
    assert.deepEqual(ofVector(literal(b.finish())), [1, 2]);
  });

  it('keeps weights in the PE array until all their products are issued', () => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true, nkiVersion: '0.3' });
    const source = b.sbuf('source', [128, 512], 'bfloat16');
    b.record('nki.isa.memset', { dst: source }, { value: 1, engine: 'GpSimd' });
    const weightsOf = new Map<number, number>();
    for (let i = 0; i < 3; i++) {
      const weights = b.sbuf(`weights${i}`, [128, 128], 'bfloat16');
      b.record('nki.isa.memset', { dst: weights }, { value: 1, engine: 'GpSimd' });
      for (let k = 0; k < 2; k++) {
        const moving = b.sbuf(`moving${i}_${k}`, [128, 512], 'bfloat16');
        // The second product of the same weights waits longer than the first of the next weights.
        if (k === 0) b.record('nki.isa.tensor_copy', { dst: moving, src: source }, { engine: 'Vector' });
        else b.record('nki.isa.activation', { dst: moving, data: source }, { op: 'exp' });
        weightsOf.set(b.record('nki.isa.nc_matmul', { dst: b.psum(`product${i}_${k}`, [128, 512]), stationary: weights, moving }), i);
      }
    }
    const { instructions, streams } = literal(b.finish());
    const issued = [...streams[ENGINES.indexOf('Tensor')]];
    assert.equal(issued.filter(i => instructions.track[i] === TENSOR).length, 3, 'weights are loaded once for two products');
    let loaded = -1;
    for (const i of issued) {
      const weights = weightsOf.get(instructions.origin[i])!;
      if (instructions.track[i] === TENSOR) loaded = weights;
      else if (instructions.track[i] === TENSOR_MATRIX) assert.equal(weights, loaded);
    }
  });
});
