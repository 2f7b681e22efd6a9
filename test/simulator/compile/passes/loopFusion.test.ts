/** Loop fusion: which loops become one, that tiles then live for one iteration, and that nothing runs before what it needs. */
import assert from 'node:assert/strict';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import { fuseLoops } from '../../../../src/simulator/compile/passes/loopFusion';
import { unitsOf } from '../../../../src/simulator/compile/scheduling/units';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import type { Program } from '../../../../src/simulator/program/program';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { randomProgram } from '../../../support/randomPrograms';
import { compile } from '../../../support/stages';

const ITERATIONS = 12;

interface Kernel {
  /** Iterations of the loop that reads the tiles. */
  readers: number;
  /** Which tile iteration k of that loop reads. */
  reads(k: number): number;
  /** Between the loops, an instruction reads what all iterations of the first one wrote. */
  joins: boolean;
  memory: 'sbuf' | 'psum';
}

/** Lines of the two loops' instructions. */
const [FIRST, SECOND] = [10, 20];

/** A loop that fills a tile in each iteration, and a loop that reads them. */
function twoLoops(how: Partial<Kernel> = {}): Program {
  const { readers, reads, joins, memory } = { readers: ITERATIONS, reads: (k: number) => k, joins: false, memory: 'sbuf' as const, ...how };
  const b = new ProgramBuilder({ target: 'trn1' });
  const y = b.hbm('y', [128 * ITERATIONS, 512], 'float32', 'output');
  const tiles: Tensor[] = [];
  const sums = b.sbuf('sums', [128, ITERATIONS]);
  const total = b.sbuf('total', [128, 1]);
  const x = b.sbuf('x', [128, 512], 'bfloat16');
  b.record('nki.isa.memset', { dst: x }, { value: 1 });
  b.loop('i', ITERATIONS, () => {
    const tile = memory === 'psum' ? b.psum('tile', [128, 512]) : b.sbuf('tile', [128, 512]);
    tiles.push(tile);
    const operands = { dst: tile, stationary: x.slice(':', [0, 128]), moving: x };
    if (memory === 'psum') b.record('nki.isa.nc_matmul', operands, { accumulate: false }, { line: FIRST });
    else b.record('nki.isa.memset', { dst: tile }, { value: 1 }, { line: FIRST });
    const k = tiles.length - 1;
    b.record('nki.isa.tensor_reduce', { dst: sums.slice(':', [k, k + 1]), data: tile }, { op: 'add', axis: 1 }, { line: FIRST });
  });
  if (joins) b.record('nki.isa.tensor_reduce', { dst: total, data: sums }, { op: 'add', axis: 1 }, { line: 15 });
  b.loop('j', readers, k => {
    const out = b.sbuf('out', [128, 512]);
    const operand0 = joins ? total : sums.slice(':', [k, k + 1]);
    b.record('nki.isa.tensor_scalar', { dst: out, data: tiles[reads(k)], operand0 }, { op0: 'multiply' }, { line: SECOND });
    b.record('nki.isa.dma_copy', { dst: y.slice([128 * k, 128 * k + 128]), src: out }, {}, { line: SECOND });
  });
  return b.finish();
}

/** The code in the order of the program. */
const unscheduled = (program: Program) =>
  compile(program, {
    pipeline: 'literal',
    policy: withValues(neuronPolicy, { passes: neuronPolicy.passes.value.filter(name => name !== 'list scheduling') }),
  });

/** Lines of the compute instructions of both loops in their new order, runs of the same line once. */
function lines(program: Program): number[] {
  const code = unscheduled(program);
  const order = fuseLoops(program, code.patterns, code);
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    [...order.keys()],
    'every instruction once',
  );
  const line = (i: number) => program.frames.line[program.instructions.frame[code.instructions.origin[i]]];
  return [...order].map(line).filter((at, k, all) => (at === FIRST || at === SECOND) && at !== all[k - 1]);
}

const IN_TURNS = Array.from({ length: ITERATIONS }, () => [FIRST, SECOND]).flat();

describe('loop fusion', () => {
  it('makes one loop of two that pass tiles from iteration to iteration', () => {
    assert.deepEqual(lines(twoLoops()), IN_TURNS);
    assert.deepEqual(lines(twoLoops({ reads: k => Math.max(0, k - 1) })), IN_TURNS);
  });

  it('leaves loops apart if one needs a later iteration of the other, or all of them, or has fewer', () => {
    const apart = [FIRST, SECOND];
    assert.deepEqual(lines(twoLoops({ reads: k => ITERATIONS - 1 - k })), apart);
    assert.deepEqual(lines(twoLoops({ joins: true })), apart);
    assert.deepEqual(lines(twoLoops({ readers: ITERATIONS - 1 })), apart);
  });

  it('lets tiles fit that would all be in PSUM at once', () => {
    const program = twoLoops({ memory: 'psum' });
    const inOrder = neuronPolicy.passes.value.filter(name => name !== 'list scheduling');
    const spills = (passes: readonly (typeof neuronPolicy.passes.value)[number][]) => {
      const { checks } = compile(program, { pipeline: 'rewriting', policy: withValues(neuronPolicy, { passes }) });
      return checks.some(({ message }) => message.includes('loaded again or saved'));
    };
    assert.equal(spills(inOrder.filter(name => name !== 'loop fusion')), true);
    assert.equal(spills(inOrder), false);
  });

  it('keeps every dependence', () => {
    const own = [{}, { reads: (k: number) => k >> 1 }, { reads: (k: number) => ITERATIONS - 1 - k }, { joins: true }].map(twoLoops);
    const random = Array.from({ length: 20 }, (_, seed) => randomProgram(seed, 60));
    for (const [n, program] of [...own, ...random].entries()) {
      const code = unscheduled(program);
      const order = fuseLoops(program, code.patterns, code);
      const place = new Uint32Array(order.length);
      for (let at = 0; at < order.length; at++) place[order[at]] = at;
      const { count, first, start, successor } = unitsOf(code.patterns, code);
      for (let u = 0; u < count; u++)
        for (let s = start[u]; s < start[u + 1]; s++) assert.ok(place[first[u]] < place[first[successor[s]]], `program ${n}, unit ${u}`);
    }
  });
});
