/**
 * Neighbouring variants of a kernel take times of one order: another tile size, a load in another loop, a tile declared elsewhere. Hardware
 * has no cliff between them, so a model that has one waits for something that nobody waits for, or fails to.
 */
import assert from 'node:assert/strict';
import { schedule } from '../../src/simulator/schedule/schedule';
import { ProgramBuilder, type Tensor } from '../support/programs';
import { compile } from '../support/stages';

/** Of two neighbours, how many times as long the slower may take. */
const CLIFF = 3;

const PIPELINES = ['literal', 'rewriting'] as const;

interface Variant {
  readonly target: string;
  readonly pipeline: (typeof PIPELINES)[number];
  /** Columns of a tile of the right side; keys of a block. */
  readonly columns: number;
  /** Loops around the loads of the right side; keys and values. */
  readonly loadDepth: number;
  /** Tiles are declared inside the loops, or once before all of them. */
  readonly inside: boolean;
}

const AXES: { readonly [Name in keyof Variant]: readonly Variant[Name][] } = {
  target: ['trn1', 'trn2'],
  pipeline: PIPELINES,
  columns: [64, 128, 256, 512],
  loadDepth: [0, 1, 2],
  inside: [true, false],
};

/** Along these, one step leads to a neighbour. */
const STEPS = ['columns', 'loadDepth', 'inside'] as const;

function timeNs({ target, pipeline }: Variant, kernel: (b: ProgramBuilder) => void): number {
  const b = new ProgramBuilder({ target });
  kernel(b);
  const { bodyStartNs, bodyEndNs } = schedule(compile(b.finish(), { pipeline }));
  return bodyEndNs - bodyStartNs;
}

/** `make`, or one tile for all times that it is asked for. */
function declared(inside: boolean, make: (name: string) => Tensor): (name: string) => Tensor {
  const made = new Map<string, Tensor>();
  return name => {
    if (inside) return make(name);
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name)!;
  };
}

const SIZE = 512;
const TILE = 128;
const TILES = SIZE / TILE;

/** out = left.T @ right, 512 cubed in bf16; the right side is loaded for all of it, for each row of tiles, or for each tile. */
function matmul({ columns, loadDepth, inside }: Variant, b: ProgramBuilder) {
  const [left, right] = ['left', 'right'].map(name => b.hbm(name, [SIZE, SIZE], 'bfloat16', 'input'));
  const out = b.hbm('out', [SIZE, SIZE], 'bfloat16', 'output');
  const moving = declared(inside && loadDepth > 0, name => b.sbuf(name, [TILE, loadDepth === 2 ? columns : SIZE], 'bfloat16'));
  const weights = declared(inside, name => b.sbuf(name, [TILE, TILE], 'bfloat16'));
  const sums = declared(inside, name => b.psum(name, [TILE, columns]));
  const results = declared(inside, name => b.sbuf(name, [TILE, columns], 'bfloat16'));
  const rows = (k: number) => [k * TILE, (k + 1) * TILE] as [number, number];
  const load = (from: number, to: number) =>
    Array.from({ length: TILES }, (_, k) => {
      const tile = moving(`right${k}`);
      b.record('nki.isa.dma_copy', { dst: tile, src: right.slice(rows(k), [from, to]) });
      return tile;
    });
  let loaded = loadDepth === 0 ? load(0, SIZE) : [];
  b.loop('m', TILES, m => {
    if (loadDepth === 1) loaded = load(0, SIZE);
    const stationary = Array.from({ length: TILES }, (_, k) => {
      const tile = weights(`left${k}`);
      b.record('nki.isa.dma_copy', { dst: tile, src: left.slice(rows(k), rows(m)) });
      return tile;
    });
    b.loop('n', SIZE / columns, n => {
      const at: [number, number] = [n * columns, (n + 1) * columns];
      if (loadDepth === 2) loaded = load(...at);
      const [sum, result] = [sums('sum'), results('result')];
      for (const [k, weight] of stationary.entries()) {
        const tile = loadDepth === 2 ? loaded[k] : loaded[k].slice(':', at);
        b.record('nki.isa.nc_matmul', { dst: sum, stationary: weight, moving: tile }, { accumulate: k > 0 });
      }
      b.record('nki.isa.tensor_copy', { dst: result, src: sum });
      b.record('nki.isa.dma_copy', { dst: out.slice(rows(m), at), src: result });
    });
  });
}

/** Attention of 512 queries and keys of 128 in bf16, block by block of keys, without the rescaling of an online softmax. */
function attention({ columns, loadDepth, inside }: Variant, b: ProgramBuilder) {
  const [queries, keys, values] = ['q', 'k', 'v'].map(name => b.hbm(name, [TILE, SIZE], 'bfloat16', 'input'));
  const out = b.hbm('out', [SIZE, TILE], 'float32', 'output');
  const tile = (dtype: string, width: number) => declared(inside, name => b.sbuf(name, [TILE, width], dtype));
  const loads = declared(inside && loadDepth > 0, name => b.sbuf(name, [TILE, loadDepth === 2 ? columns : SIZE], 'bfloat16'));
  const banks = declared(inside, name => b.psum(name, [TILE, name === 'scores' ? columns : TILE]));
  const [wide, narrow, rowsOf] = [tile('bfloat16', columns), tile('bfloat16', TILE), tile('float32', TILE)];
  const turnedBanks = declared(inside, name => b.psum(name, [TILE, TILE], 'bfloat16'));
  const load = (source: Tensor, from: number, to: number) => {
    const made = loads(source.name);
    b.record('nki.isa.dma_copy', { dst: made, src: source.slice(':', [from, to]) });
    return made;
  };
  const both = (from: number, to: number) => [load(keys, from, to), load(values, from, to)];
  let loaded = loadDepth === 0 ? both(0, SIZE) : [];
  b.loop('q', TILES, q => {
    if (loadDepth === 1) loaded = both(0, SIZE);
    const query = narrow('query');
    b.record('nki.isa.dma_copy', { dst: query, src: queries.slice(':', [q * TILE, (q + 1) * TILE]) });
    const sum = banks('sum');
    b.loop('k', SIZE / columns, block => {
      const from = block * columns;
      if (loadDepth === 2) loaded = both(from, from + columns);
      const [keysHere, valuesHere] = loaded;
      const start = loadDepth === 2 ? 0 : from;
      const key = keysHere.slice(':', [start, start + columns]);
      const [scores, weights] = [banks('scores'), wide('weights')];
      b.record('nki.isa.nc_matmul', { dst: scores, stationary: query, moving: key }, { accumulate: false });
      b.record('nki.isa.activation', { dst: weights, data: scores }, { op: 'exp' });
      const part = Math.min(columns, TILE);
      for (let at = 0; at < columns; at += part) {
        const [bank, turned] = [turnedBanks('turned').slice([0, part]), narrow('turned').slice([0, part])];
        b.record('nki.isa.nc_transpose', { dst: bank, data: weights.slice(':', [at, at + part]) });
        b.record('nki.isa.tensor_copy', { dst: turned, src: bank });
        // which keys a row of values belongs to does not matter to its time
        const rows = valuesHere.slice([0, part], [start, start + part]);
        const place = sum.slice(':', [0, part]);
        b.record('nki.isa.nc_matmul', { dst: place, stationary: turned, moving: rows }, { accumulate: block > 0 || at > 0 });
      }
    });
    const result = rowsOf('result');
    b.record('nki.isa.tensor_copy', { dst: result, src: sum });
    b.record('nki.isa.dma_copy', { dst: out.slice([q * TILE, (q + 1) * TILE]), src: result });
  });
}

/** All variants, with their times. */
function timed(kernel: (variant: Variant, b: ProgramBuilder) => void): Map<string, { variant: Variant; ns: number }> {
  const result = new Map<string, { variant: Variant; ns: number }>();
  for (const target of AXES.target)
    for (const pipeline of AXES.pipeline)
      for (const columns of AXES.columns)
        for (const loadDepth of AXES.loadDepth)
          for (const inside of AXES.inside) {
            const variant = { target, pipeline, columns, loadDepth, inside };
            result.set(JSON.stringify(variant), { variant, ns: timeNs(variant, b => kernel(variant, b)) });
          }
  return result;
}

/** Pairs of neighbours that are too far apart, as text. */
function cliffs(times: ReturnType<typeof timed>): string[] {
  const found: string[] = [];
  for (const [here, { variant, ns }] of times)
    for (const axis of STEPS) {
      const values: readonly unknown[] = AXES[axis];
      const next = values[values.indexOf(variant[axis]) + 1];
      if (next === undefined) continue;
      const there = times.get(JSON.stringify({ ...variant, [axis]: next }))!;
      const ratio = Math.max(ns, there.ns) / Math.min(ns, there.ns);
      if (ratio > CLIFF) found.push(`${here} ${Math.round(ns)} ns, with ${axis} ${next} ${Math.round(there.ns)} ns`);
    }
  return found;
}

describe('neighbouring variants', () => {
  it('of a matmul have no cliff between them', () => assert.deepEqual(cliffs(timed(matmul)), [])).timeout(120_000);
  it('of attention have none', () => assert.deepEqual(cliffs(timed(attention)), [])).timeout(120_000);
});
