/** What compilers until NKI 0.3 do otherwise with a kernel that runs as written: their order, their fills, and tiles that keep their place. */
import assert from 'node:assert/strict';
import { type Compiled, TRACK_ENGINE } from '../../../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import { heights } from '../../../../src/simulator/compile/scheduling/heights';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import type { Program } from '../../../../src/simulator/program/program';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { ENGINES } from '../../../../src/simulator/vocabulary/engines';
import { ProgramBuilder } from '../../../support/programs';
import { compile, inOrder } from '../../../support/stages';

const VECTOR = ENGINES.indexOf('Vector');

const ofVector = ({ instructions: { track, origin }, streams }: Compiled) =>
  [...streams[VECTOR]].filter(i => TRACK_ENGINE[track[i]] === VECTOR).map(i => origin[i]);

const endNs = (compiled: Compiled) => Math.max(...schedule(compiled).instructions.endNs);

/** Two copies by VectorE that wait for the same fill: on the second a chain of ScalarE waits. @returns their numbers. */
function shortBeforeLong(nkiVersion?: string): { program: Program; short: number; long: number } {
  const b = new ProgramBuilder({ target: 'trn2', literal: true, nkiVersion });
  const source = b.sbuf('source', [128, 512]);
  b.record('nki.isa.memset', { dst: source }, { value: 1, engine: 'GpSimd' });
  const short = b.record('nki.isa.tensor_copy', { dst: b.sbuf('short', [128, 512]), src: source }, { engine: 'Vector' });
  let tile = b.sbuf('long0', [128, 512]);
  const long = b.record('nki.isa.tensor_copy', { dst: tile, src: source }, { engine: 'Vector' });
  for (let k = 1; k < 4; k++) {
    const next = b.sbuf(`long${k}`, [128, 512]);
    b.record('nki.isa.activation', { dst: next, data: tile }, { op: 'exp' });
    tile = next;
  }
  return { program: b.finish(), short, long };
}

/** A tile in SBUF that each iteration writes whole, before ScalarE reads it. */
function overwritten(nkiVersion?: string): Program {
  const b = new ProgramBuilder({ target: 'trn2', literal: true, nkiVersion });
  const [source, tile] = [b.sbuf('source', [128, 512]), b.sbuf('tile', [128, 512])];
  b.record('nki.isa.memset', { dst: source }, { value: 1, engine: 'GpSimd' });
  for (let i = 0; i < 6; i++) {
    b.record('nki.isa.tensor_copy', { dst: tile, src: source }, { engine: 'Vector' });
    b.record('nki.isa.activation', { dst: b.sbuf(`result${i}`, [128, 512]), data: tile }, { op: 'exp' });
  }
  return b.finish();
}

describe('kernels for NKI until 0.3', () => {
  it('begin with what the longest path waits for', () => {
    for (const version of ['0.2', '0.3']) {
      const { program, short, long } = shortBeforeLong(version);
      assert.deepEqual(ofVector(compile(program)), [long, short], version);
    }
    for (const version of ['0.4', undefined]) {
      const { program, short, long } = shortBeforeLong(version);
      assert.deepEqual(ofVector(compile(program)), [short, long], version);
    }
  });

  it('wait for a tile that is overwritten', () => {
    assert.ok(endNs(compile(overwritten('0.3'))) > 1.3 * endNs(compile(overwritten('0.4'))));
  });

  it('have the places of the order in which they are written', () => {
    const { program, short, long } = shortBeforeLong('0.3');
    const [scheduled, kept] = [compile(program), compile(program, { policy: inOrder })];
    assert.deepEqual(
      [ofVector(scheduled), ofVector(kept)],
      [
        [long, short],
        [short, long],
      ],
    );
    assert.deepEqual([...scheduled.allocation.addressBytes], [...kept.allocation.addressBytes]);
  });

  it('trigger loads where the scheduler put them', () => {
    const b = new ProgramBuilder({ target: 'trn2', literal: true, nkiVersion: '0.3' });
    const [x, out] = [b.hbm('x', [128, 2048], 'float32', 'input'), b.hbm('out', [128, 2048], 'float32', 'output')];
    for (let k = 0; k < 4; k++) {
      const columns: [number, number] = [k * 512, (k + 1) * 512];
      const [loaded, exp] = [b.sbuf(`x${k}`, [128, 512]), b.sbuf(`y${k}`, [128, 512])];
      b.record('nki.isa.dma_copy', { dst: loaded, src: x.slice(':', columns) });
      b.record('nki.isa.activation', { dst: exp, data: loaded }, { op: 'exp' });
      b.record('nki.isa.dma_copy', { dst: out.slice(':', columns), src: exp });
    }
    const { streams } = compile(b.finish());
    for (const stream of streams)
      assert.deepEqual(
        [...stream],
        [...stream].sort((a, b) => a - b),
      );
  });

  it('keep the fills before their products', () => {
    const fills = (options: { nkiVersion?: string; dialect?: 'neuronxcc' }) => {
      const b = new ProgramBuilder({ target: 'trn2', literal: true, ...options });
      const [weights, moving] = [b.sbuf('weights', [128, 128], 'bfloat16'), b.sbuf('moving', [128, 512], 'bfloat16')];
      for (const dst of [weights, moving]) b.record('nki.isa.memset', { dst }, { value: 1, engine: 'GpSimd' });
      const sum = b.psum('sum', [128, 512]);
      b.record('nki.isa.memset', { dst: sum }, { value: 0, engine: 'Vector' });
      for (let k = 0; k < 2; k++) b.record('nki.isa.nc_matmul', { dst: sum, stationary: weights, moving });
      b.record('nki.isa.tensor_copy', { dst: b.sbuf('result', [128, 512]), src: sum }, { engine: 'Vector' });
      return ofVector(compile(b.finish())).filter(origin => origin === 2).length;
    };
    assert.deepEqual([fills({ nkiVersion: '0.3' }), fills({ nkiVersion: '0.4' }), fills({ dialect: 'neuronxcc' })], [1, 1, 0]);
  });

  it('are compiled as today where the policy knows no early compiler', () => {
    const policy = withValues(neuronPolicy, { lastEarlyNki: '' });
    assert.equal(endNs(compile(overwritten('0.2'), { policy })), endNs(compile(overwritten(), { policy })));
  });
});

describe('heights', () => {
  const graph = (count: number, edges: readonly [number, number][]) => {
    const start = Uint32Array.from({ length: count + 1 }, (_, u) => edges.filter(([from]) => from < u).length);
    const successor = Uint32Array.from(edges.toSorted(([a], [b]) => a - b).map(([, to]) => to));
    return { count, start, successor };
  };
  const timesNs = [10, 20, 5, 40];

  it('are the longest way to the end', () => {
    const units = graph(4, [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
    ]);
    assert.deepEqual([...heights(units, { resultNs: u => timesNs[u], isProduct: () => false })], [70, 60, 45, 40]);
  });

  it('count products that add to one another once', () => {
    const chain = graph(4, [
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    assert.deepEqual([...heights(chain, { resultNs: () => 10, isProduct: u => u < 3 })], [20, 20, 20, 10]);
  });
});
