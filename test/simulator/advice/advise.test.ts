/**
 * Advice: each rule proposes its change on a program that needs it, and the gain that it tells is what making the change by hand brings.
 */
import assert from 'node:assert/strict';
import { type Advice, advise } from '../../../src/simulator/advice/advise';
import { RULES } from '../../../src/simulator/advice/rules';
import { CapacityError } from '../../../src/simulator/program/error';
import type { Program } from '../../../src/simulator/program/program';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder, type Tensor } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { allLoads } from '../../support/stages';

/** Of the kernel's whole time: the done-when of advice. */
const POINTS = 0.1;

/** Each advice is tried by itself: the compiler leaves no load out. */
const AS_WRITTEN = { pipeline: 'literal', policy: allLoads } as const;

const timeOf = (program: Program) => simulate(program, AS_WRITTEN).totalTimeNs;

/** Whether the compiler moves tiles to HBM and back for lack of room. */
const spills = (program: Program) => simulate(program, AS_WRITTEN).tracks.some(({ name }) => name.includes('Spill'));

function adviceOf(program: Program, rule: string): Advice | undefined {
  return advise(simulate(program, AS_WRITTEN)).advice.find(found => found.rule === rule);
}

/** The advice is given for `before`, and says what `after` gains. */
function proves(rule: string, before: Program, after: Program): Advice {
  const advice = adviceOf(before, rule);
  assert.ok(
    advice,
    `${rule} is not said: ${JSON.stringify(advise(simulate(before, AS_WRITTEN)).rejected.map(a => [a.rule, a.gainShare]))}`,
  );
  const gained = 1 - timeOf(after) / timeOf(before);
  assert.ok(gained > 0.01, `making the change gains ${gained}`);
  assert.ok(Math.abs(advice.gainShare - gained) < POINTS, `${rule}: told ${advice.gainShare}, made ${gained}`);
  return advice;
}

interface Tiled {
  buffers?: number;
  dtype?: string;
  /** Loads of the same bytes in each iteration, or once. */
  hoisted?: boolean;
  mode?: string;
  rows?: number;
}

/** Copies within HBM of every `apart`-th element, as the weights of a convolution are gathered. */
function gathers(apart: number): Program {
  const b = new ProgramBuilder({ kernel: 'gathers' });
  const input = b.hbm('input', [128, 128, apart], 'bfloat16', 'input');
  for (let k = 0; k < 4; k++)
    b.record(
      'nki.isa.dma_copy',
      { dst: b.hbm(`out${k}`, [128, 128, 1], 'bfloat16', 'output'), src: input.slice(':', ':', [0, 1]) },
      {},
      { line: 11 },
    );
  return b.finish();
}

/** Loads of a column each. */
function columns(): Program {
  const b = new ProgramBuilder({ kernel: 'columns' });
  for (let k = 0; k < 4; k++)
    b.record('nki.isa.dma_copy', { dst: b.sbuf(`t${k}`, [128, 1]), src: b.hbm(`in${k}`, [128, 1], 'float32', 'input') }, {}, { line: 11 });
  return b.finish();
}

/** The sums of 128 rows, stored as they are or as one row. */
function sumsOfRows(isRow: boolean): Program {
  const b = new ProgramBuilder({ kernel: 'sums' });
  const x = b.sbuf('x', [128, 512]);
  const column = b.sbuf('column', [128, 1]);
  b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('in', [128, 512], 'float32', 'input') }, {}, { line: 10 });
  b.record('nki.isa.tensor_reduce', { dst: column, data: x }, { op: 'add', axis: [1] }, { line: 11 });
  let src = column;
  if (isRow) {
    const [turned, row] = [b.psum('turned', [1, 128]), b.sbuf('row', [1, 128])];
    b.record('nki.isa.nc_transpose', { dst: turned, data: column }, {}, { line: 12 });
    b.record('nki.isa.tensor_copy', { dst: row, src: turned }, {}, { line: 13 });
    src = row;
  }
  b.record('nki.isa.dma_copy', { dst: b.hbm('out', isRow ? [1, 128] : [128, 1], 'float32', 'output'), src }, {}, { line: 14 });
  return b.finish();
}

/** Load, exp, store; each on a line of its own. The kernel places its tiles: else the compiler gives each turn others. */
function stream({ buffers = 1, mode = 'hwdge' }: Tiled): Program {
  const b = new ProgramBuilder({ kernel: 'stream' });
  const input = b.hbm('input', [128 * 16, 512], 'float32', 'input');
  const output = b.hbm('output', [128 * 16, 512], 'float32', 'output');
  const tiles = Array.from({ length: buffers }, (_, k) => b.sbuf(`t${k}`, [128, 512], 'float32', { addressBytes: 4096 * k }));
  const results = Array.from({ length: buffers }, (_, k) => b.sbuf(`r${k}`, [128, 512], 'float32', { addressBytes: 4096 * k + 2048 }));
  b.loop('i', 16, i => {
    const rows: [number, number] = [128 * i, 128 * i + 128];
    b.record('nki.isa.dma_copy', { dst: tiles[i % buffers], src: input.slice(rows) }, { dge_mode: mode }, { line: 11 });
    b.record('nki.isa.activation', { dst: results[i % buffers], data: tiles[i % buffers] }, { op: 'exp' }, { line: 12 });
    b.record('nki.isa.dma_copy', { dst: output.slice(rows), src: results[i % buffers] }, { dge_mode: mode }, { line: 13 });
  });
  return b.finish();
}

/** Turns that load a tile, compute and store, in a hardware loop or one that Python runs. */
function shortTurns(isHardwareLoop: boolean, turns = 8): Program {
  const b = new ProgramBuilder({ kernel: 'turns' });
  const [input, output] = (['input', 'output'] as const).map(name => b.hbm(name, [128 * turns, 512], 'float32', name));
  for (let i = 0; i < turns; i++) {
    const rows: [number, number] = [128 * i, 128 * i + 128];
    if (isHardwareLoop) b.record('nki.language.dynamic_range', {}, {}, { line: 10 });
    const tile = b.sbuf(`t${i}`, [128, 512]);
    const result = b.sbuf(`r${i}`, [128, 512]);
    b.record('nki.isa.dma_copy', { dst: tile, src: input.slice(rows) }, {}, { line: 11 });
    b.record('nki.isa.activation', { dst: result, data: tile }, { op: 'exp' }, { line: 12 });
    b.record('nki.isa.dma_copy', { dst: output.slice(rows), src: result }, {}, { line: 13 });
  }
  return b.finish();
}

/** Matmuls of one stationary tile, which is loaded once or again for each. */
function matmuls({ hoisted = true, dtype = 'float32' }: Tiled): Program {
  const b = new ProgramBuilder({ kernel: 'matmuls' });
  const weights = b.hbm('weights', [128, 2048], dtype, 'input');
  const stationary = b.sbuf('stationary', [128, 2048], dtype);
  const moving = b.sbuf('moving', [128, 512], dtype);
  const psum = [b.psum('p0', [128, 512]), b.psum('p1', [128, 512])];
  const load = () => b.record('nki.isa.dma_copy', { dst: stationary, src: weights }, { dge_mode: 'hwdge' }, { line: 11 });
  b.record('nki.isa.memset', { dst: moving }, { value: 1 }, { line: 10 });
  if (hoisted) load();
  b.loop('i', 24, i => {
    if (!hoisted) load();
    b.record(
      'nki.isa.nc_matmul',
      { dst: psum[i % 2], stationary: stationary.slice(':', [0, 128]), moving },
      { accumulate: false },
      { line: 12 },
    );
  });
  return b.finish();
}

/** Sums over a contraction of 512 rows: four products of 128 rows each, or in fp8 two of two rows at a time. */
function sums(dtype: string): Program {
  const b = new ProgramBuilder({ kernel: 'sums' });
  const isDouble = dtype === 'float8_e4m3';
  const tile = (name: string, columns: number) => b.sbuf(name, isDouble ? [128, 2, columns] : [128, columns], dtype);
  const [stationary, moving] = [tile('stationary', 128), tile('moving', 512)];
  const psum = [b.psum('p0', [128, 512]), b.psum('p1', [128, 512])];
  for (const dst of [stationary, moving]) b.record('nki.isa.memset', { dst }, { value: 1 }, { line: 10 });
  b.loop('i', 40, i => {
    for (let k = 0; k < (isDouble ? 2 : 4); k++)
      b.record(
        'nki.isa.nc_matmul',
        { dst: psum[i % 2], stationary, moving },
        { accumulate: k > 0, ...(isDouble && { perf_mode: 'double_row' }) },
        { line: 12 },
      );
  });
  return b.finish();
}

/** Work for VectorE and ScalarE; the copies on one of them. */
function balance(engine: 'Vector' | 'Scalar'): Program {
  const b = new ProgramBuilder({ kernel: 'balance' });
  const tile = (name: string): Tensor => b.sbuf(name, [128, 512], 'float32');
  const tiles = Array.from({ length: 4 }, (_, k) => tile(`t${k}`));
  const copies = Array.from({ length: 4 }, (_, k) => tile(`c${k}`));
  for (const one of [...tiles, ...copies]) b.record('nki.isa.memset', { dst: one }, { value: 1 }, { line: 10 });
  b.loop('i', 40, i => {
    const k = i % 4;
    b.record('nki.isa.reciprocal', { dst: tiles[k], data: tiles[k] }, {}, { line: 11 });
    b.record('nki.isa.tensor_copy', { dst: copies[k], src: tiles[(k + 1) % 4] }, { engine }, { line: 12 });
  });
  return b.finish();
}

/** Rows that are shifted, exponentiated and added up: by an instruction each, or on the way of the activation. */
function softmaxRows(isFused: boolean): Program {
  const b = new ProgramBuilder({ kernel: 'softmax_rows' });
  const x = b.sbuf('x', [128, 1024], 'float32');
  const least = b.sbuf('least', [128, 1], 'float32');
  b.record('nki.isa.memset', { dst: x }, { value: 1 }, { line: 10 });
  b.record('nki.isa.memset', { dst: least }, { value: -1 }, { line: 10 });
  b.loop('i', 16, i => {
    const [shifted, exps, sum] = [
      [128, 1024],
      [128, 1024],
      [128, 1],
    ].map((shape, k) => b.sbuf(`t${k} ${i}`, shape, 'float32'));
    if (isFused)
      return b.record(
        'nki.isa.activation',
        { dst: exps, data: x, bias: least, reduce_res: sum },
        { op: 'exp', reduce_op: 'add', reduce_cmd: 'reset_reduce' },
        { line: 12 },
      );
    b.record('nki.isa.tensor_scalar', { dst: shifted, data: x, operand0: least }, { op0: 'add', engine: 'Vector' }, { line: 11 });
    b.record('nki.isa.activation', { dst: exps, data: shifted }, { op: 'exp' }, { line: 12 });
    b.record('nki.isa.tensor_reduce', { dst: sum, data: exps }, { op: 'add', axis: [1] }, { line: 13 });
  });
  return b.finish();
}

/** Tiles that are transposed for a product: their rows scaled before, or not. */
function scaledOperands(isScaled: boolean): Program {
  const b = new ProgramBuilder({ kernel: 'scaled_operands' });
  const x = b.sbuf('x', [128, 512], 'bfloat16');
  const factor = b.sbuf('factor', [128, 1], 'float32');
  for (const tile of [x, factor]) b.record('nki.isa.memset', { dst: tile }, { value: 1 }, { line: 10 });
  b.loop('i', 16, i => {
    const scaled = b.sbuf(`scaled ${i}`, [128, 512], 'bfloat16');
    if (isScaled)
      b.record('nki.isa.tensor_scalar', { dst: scaled, data: x, operand0: factor }, { op0: 'multiply', engine: 'Vector' }, { line: 11 });
    for (let k = 0; k < 4; k++) {
      const part = (isScaled ? scaled : x).slice(':', [128 * k, 128 * k + 128]);
      const turned = b.psum(`turned ${i} ${k}`, [128, 128], 'bfloat16');
      b.record('nki.isa.nc_transpose', { dst: turned, data: part }, { engine: 'Tensor' }, { line: 12 });
      b.record(
        'nki.isa.tensor_copy',
        { dst: b.sbuf(`t ${i} ${k}`, [128, 128], 'bfloat16'), src: turned },
        { engine: 'Vector' },
        { line: 13 },
      );
    }
  });
  return b.finish();
}

/** A product of two tiles that does not change from turn to turn. */
function invariant(isHoisted: boolean): Program {
  const b = new ProgramBuilder({ kernel: 'invariant' });
  const [x, y, both, sum] = ['x', 'y', 'both', 'sum'].map(name => b.sbuf(name, [128, 512], 'float32'));
  for (const tile of [x, y, sum]) b.record('nki.isa.memset', { dst: tile }, { value: 1 }, { line: 10 });
  const multiply = (dst: Tensor) =>
    b.record('nki.isa.tensor_tensor', { dst, data1: x, data2: y }, { op: 'multiply', engine: 'Vector' }, { line: 11 });
  if (isHoisted) multiply(both);
  b.loop('i', 12, i => {
    const product = isHoisted ? both : b.sbuf(`product ${i}`, [128, 512], 'float32');
    if (!isHoisted) multiply(product);
    b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: product }, { op: 'add', engine: 'Vector' }, { line: 12 });
  });
  return b.finish();
}

/** Two engines by turns on tiles of 60 KiB, three of which fit into SBUF; or on so many parts of them. */
function wideTiles(parts: number): Program {
  const b = new ProgramBuilder({ kernel: 'wide_tiles' });
  const width = (15 * 1024) / parts;
  const x = b.sbuf('x', [128, 15 * 1024], 'float32');
  b.record('nki.isa.memset', { dst: x }, { value: 1 }, { line: 10 });
  b.loop('i', 8, i => {
    for (let part = 0; part < parts; part++) {
      const [sum, exp] = ['sum', 'exp'].map(name => b.sbuf(`${name} ${i} ${part}`, [128, width], 'float32'));
      const data = x.slice(':', [width * part, width * part + width]);
      b.record('nki.isa.tensor_tensor', { dst: sum, data1: data, data2: data }, { op: 'add', engine: 'Vector' }, { line: 12 });
      b.record('nki.isa.activation', { dst: exp, data: sum }, { op: 'exp' }, { line: 13 });
    }
  });
  return b.finish();
}

/** Eight tiles of 24 KiB that are loaded in every turn, or once, beside a tensor that is there all the time. */
function besideOthers(isHoisted: boolean, othersKib: number): Program {
  const b = new ProgramBuilder({ kernel: 'beside_others' });
  const columns = 6 * 1024;
  const input = b.hbm('input', [128, 8 * columns], 'float32', 'input');
  const others = b.sbuf('others', [128, othersKib * 256], 'float32');
  const sum = b.sbuf('sum', [128, 64], 'float32');
  for (const dst of [others, sum]) b.record('nki.isa.memset', { dst }, { value: 1 }, { line: 10 });
  const load = (k: number, turn: number) => {
    const dst = b.sbuf(`tile ${k} ${turn}`, [128, columns], 'float32');
    const src = input.slice(':', [k * columns, (k + 1) * columns]);
    b.record('nki.isa.dma_copy', { dst, src }, { dge_mode: 'hwdge' }, { line: 12 });
    return dst;
  };
  const kept = isHoisted ? Array.from({ length: 8 }, (_, k) => load(k, 0)) : [];
  b.loop('i', 6, i => {
    for (let k = 0; k < 8; k++) {
      const data2 = (kept[k] ?? load(k, i)).slice(':', [0, 64]);
      b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2 }, { op: 'add', engine: 'Vector' }, { line: 13 });
    }
  });
  b.record(
    'nki.isa.tensor_tensor',
    { dst: sum, data1: sum, data2: others.slice(':', [0, 64]) },
    { op: 'add', engine: 'Vector' },
    { line: 14 },
  );
  return b.finish();
}

/** Results of one loop that the next one uses: by way of HBM, or where they are. */
function twoLoops(isFused: boolean, columns = 1024): Program {
  const b = new ProgramBuilder({ kernel: 'two_loops' });
  const between = b.hbm('between', [128 * 8, columns], 'float32');
  const output = b.hbm('output', [128 * 8, columns], 'float32', 'output');
  const rows = (i: number): [number, number] => [128 * i, 128 * i + 128];
  const tile = (name: string) => b.sbuf(name, [128, columns], 'float32');
  const start = tile('start');
  b.record('nki.isa.memset', { dst: start }, { value: 1 }, { line: 10 });
  const made = Array.from({ length: 8 }, (_, i) => tile(`made ${i}`));
  b.loop('i', 8, i => {
    b.record('nki.isa.activation', { dst: made[i], data: start }, { op: 'exp' }, { line: 11 });
    if (!isFused) b.record('nki.isa.dma_copy', { dst: between.slice(rows(i)), src: made[i] }, { dge_mode: 'hwdge' }, { line: 12 });
  });
  b.loop('i', 8, i => {
    const back = isFused ? made[i] : tile(`back ${i}`);
    if (!isFused) b.record('nki.isa.dma_copy', { dst: back, src: between.slice(rows(i)) }, { dge_mode: 'hwdge' }, { line: 14 });
    const result = tile(`result ${i}`);
    b.record('nki.isa.tensor_tensor', { dst: result, data1: back, data2: back }, { op: 'add', engine: 'Vector' }, { line: 15 });
    b.record('nki.isa.dma_copy', { dst: output.slice(rows(i)), src: result }, { dge_mode: 'hwdge' }, { line: 16 });
  });
  return b.finish();
}

/** A tiled product that loads its second operand anew for each row of tiles, or for two rows at a time, or once. */
function blocked(rowsTogether: number): Program {
  const b = new ProgramBuilder({ kernel: 'blocked' });
  const weights = b.hbm('weights', [128, 2048], 'bfloat16', 'input');
  const moving = b.sbuf('moving', [128, 512], 'bfloat16');
  b.record('nki.isa.memset', { dst: moving }, { value: 1 }, { line: 10 });
  b.loop(
    'm',
    Array.from({ length: 8 / rowsTogether }, (_, k) => k),
    m => {
      const tiles = Array.from({ length: 4 }, (_, n) => b.sbuf(`w${m} ${n}`, [128, 512], 'bfloat16'));
      b.loop('n', 4, n => {
        b.record(
          'nki.isa.dma_copy',
          { dst: tiles[n], src: weights.slice(':', [512 * n, 512 * n + 512]) },
          { dge_mode: 'swdge' },
          { line: 13 },
        );
      });
      for (let row = 0; row < rowsTogether; row++)
        b.loop('n', 4, n => {
          const psum = b.psum(`p${m} ${row} ${n}`, [128, 512]);
          const stationary = tiles[n].slice(':', [0, 128]);
          b.record('nki.isa.nc_matmul', { dst: psum, stationary, moving }, { accumulate: false }, { line: 14 });
        });
    },
    12,
  );
  return b.finish();
}

/** A chain through two engines in each iteration: one after the other, or the parts of iterations by turns. */
function stages(isPipelined: boolean, columns = 512): Program {
  const b = new ProgramBuilder({ kernel: 'stages' });
  const x = b.sbuf('x', [128, columns], 'float32');
  b.record('nki.isa.memset', { dst: x }, { value: 1 }, { line: 10 });
  const parts = 12;
  const tiles = Array.from({ length: parts }, (_, i) => ['a', 'b', 'c'].map(name => b.sbuf(`${name}${i}`, [128, columns], 'float32')));
  const first = (i: number) =>
    b.record(
      'nki.isa.tensor_tensor',
      { dst: tiles[i][0], data1: x, data2: x },
      { op: 'add', engine: 'Vector', ordered: true },
      { line: 12 },
    );
  const second = (i: number) =>
    b.record('nki.isa.activation', { dst: tiles[i][1], data: tiles[i][0] }, { op: 'exp', ordered: true }, { line: 13 });
  const third = (i: number) =>
    b.record(
      'nki.isa.tensor_tensor',
      { dst: tiles[i][2], data1: tiles[i][1], data2: x },
      { op: 'add', engine: 'Vector', ordered: true },
      { line: 14 },
    );
  if (isPipelined) first(0);
  b.loop('i', parts, i => {
    if (!isPipelined) first(i);
    second(i);
    if (isPipelined && i + 1 < parts) first(i + 1);
    third(i);
  });
  return b.finish();
}

/**
 * In each iteration eight products of the same weights, which take all banks of PSUM, are copied and exponentiated, and multiplied again
 * after that. By hand, products of the next iteration stand between those of this one, and load their weights again.
 */
function products(isPipelined: boolean): Program {
  const b = new ProgramBuilder({ kernel: 'products' });
  const [weights, identity] = [b.sbuf('weights', [128, 128], 'bfloat16'), b.sbuf('identity', [128, 128], 'bfloat16')];
  const moving = b.sbuf('moving', [128, 512], 'bfloat16');
  for (const dst of [weights, identity, moving]) b.record('nki.isa.memset', { dst }, { value: 1 }, { line: 10 });
  const [turns, banks] = [10, 8];
  const copies = new Map<string, Tensor>();
  const exps = new Map<string, Tensor>();
  const copied = (dst: Tensor, src: Tensor, engine: string, line: number) =>
    b.record('nki.isa.tensor_copy', { dst, src }, { engine, ordered: true }, { line });
  const first = (i: number, k: number) => {
    const dst = b.psum(`first ${i} ${k}`, [128, 512]);
    b.record('nki.isa.nc_matmul', { dst, stationary: weights, moving }, { accumulate: false, ordered: true }, { line: 12 });
    return dst;
  };
  const drain = (i: number, k: number, src: Tensor) => {
    copies.set(`${i} ${k}`, b.sbuf(`copy ${i} ${k}`, [128, 512], 'float32'));
    copied(copies.get(`${i} ${k}`)!, src, 'Vector', 13);
  };
  const exp = (i: number, k: number) => {
    const dst = b.sbuf(`exp ${i} ${k}`, [128, 512], 'bfloat16');
    exps.set(`${i} ${k}`, dst);
    b.record('nki.isa.activation', { dst, data: copies.get(`${i} ${k}`)! }, { op: 'exp', ordered: true }, { line: 14 });
  };
  const second = (i: number, k: number) => {
    const dst = b.psum(`second ${i} ${k}`, [128, 128]);
    const stationary = exps.get(`${i} ${k}`)!.slice(':', [0, 128]);
    b.record('nki.isa.nc_matmul', { dst, stationary, moving: identity }, { accumulate: false, ordered: true }, { line: 15 });
    copied(b.sbuf(`result ${i} ${k}`, [128, 128], 'float32'), dst, 'Scalar', 16);
  };
  const each = (what: (k: number) => void) => Array.from({ length: banks }, (_, k) => what(k));
  if (isPipelined) each(k => drain(0, k, first(0, k)));
  b.loop('i', turns, i => {
    if (!isPipelined) {
      const all = Array.from({ length: banks }, (_, k) => first(i, k));
      each(k => drain(i, k, all[k]));
    }
    each(k => exp(i, k));
    each(k => {
      if (isPipelined && i + 1 < turns) drain(i + 1, k, first(i + 1, k));
      second(i, k);
    });
  });
  return b.finish();
}

/**
 * Each of 6 x 6 iterations needs a large tile that depends on the inner loop, and a small one that depends on the outer one.
 * @param distance iterations of both loops from the one that stores a result to the one that loads it; absent: nobody loads it
 */
function nested(order: 'as it is' | 'swapped', distance?: [outer: number, inner: number]): Program {
  const b = new ProgramBuilder({ kernel: 'nested' });
  const [large, small] = [b.hbm('large', [128 * 6, 3584], 'float32', 'input'), b.hbm('small', [128 * 6, 64], 'float32', 'input')];
  const output = b.hbm('output', [128 * 64, 64], 'float32', 'output');
  const rows = (k: number): [number, number] => [128 * k, 128 * k + 128];
  let tiles = 0;
  // The scheduler may mix iterations that exchange results, and then nothing is proposed.
  const ordered = distance !== undefined;
  const tile = (columns: number) => b.sbuf(`t${tiles++}`, [128, columns], 'float32');
  const load = (dst: Tensor, src: Tensor, row: number, line: number) =>
    b.record('nki.isa.dma_copy', { dst, src: src.slice(rows(row)) }, { dge_mode: 'hwdge', ordered }, { line });
  const place = (n: number, m: number) => 8 * (n + 1) + m + 1;
  const body = (n: number, m: number, x: Tensor) => {
    const y = tile(64);
    load(y, small, n, 14);
    const sum = tile(64);
    b.record(
      'nki.isa.tensor_tensor',
      { dst: sum, data1: x.slice(':', [0, 64]), data2: y },
      { op: 'add', engine: 'Vector', ordered },
      { line: 15 },
    );
    if (distance) {
      const before = tile(64);
      load(before, output, place(n - distance[0], m - distance[1]), 16);
      b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: before }, { op: 'add', engine: 'Vector', ordered }, { line: 17 });
    }
    const src = sum;
    b.record('nki.isa.dma_copy', { dst: output.slice(rows(place(n, m))), src }, { dge_mode: 'hwdge', ordered }, { line: 18 });
  };
  const loaded = (m: number) => {
    const x = tile(3584);
    load(x, large, m, 13);
    return x;
  };
  const loop = (name: string, line: number, each: (k: number) => void) => b.loop(name, 6, each, line);
  if (order === 'as it is') loop('n', 11, n => loop('m', 12, m => body(n, m, loaded(m))));
  else
    loop('m', 11, m => {
      const x = loaded(m);
      loop('n', 12, n => body(n, m, x));
    });
  return b.finish();
}

/** Rows of a matrix that are normalised, and whose products are taken: by the factors of whole rows before, or afterwards. */
function normalised(isDelayed: boolean): Program {
  const b = new ProgramBuilder({ kernel: 'normalised' });
  const x = b.sbuf('x', [128, 512], 'bfloat16');
  b.record('nki.isa.memset', { dst: x }, { value: 1 }, { line: 10 });
  b.loop('i', 12, i => {
    const [sum, factor] = ['sum', 'factor'].map(name => b.sbuf(`${name} ${i}`, [128, 1], 'float32'));
    const scaled = b.sbuf(`scaled ${i}`, [128, 512], 'bfloat16');
    const transposed = () => {
      for (let k = 0; k < 4; k++) {
        const turned = b.psum(`turned ${i} ${k}`, [128, 128], 'bfloat16');
        const data = (isDelayed ? x : scaled).slice(':', [128 * k, 128 * k + 128]);
        b.record('nki.isa.nc_transpose', { dst: turned, data }, { engine: 'Tensor' }, { line: 14 });
        const dst = b.sbuf(`t ${i} ${k}`, [128, 128], 'bfloat16');
        b.record('nki.isa.tensor_copy', { dst, src: turned }, { engine: 'Scalar' }, { line: 15 });
      }
    };
    b.record('nki.isa.tensor_reduce', { dst: sum, data: x }, { op: 'add', axis: [1] }, { line: 11 });
    b.record('nki.isa.reciprocal', { dst: factor, data: sum }, {}, { line: 12 });
    if (!isDelayed)
      b.record('nki.isa.tensor_scalar', { dst: scaled, data: x, operand0: factor }, { op0: 'multiply', engine: 'Vector' }, { line: 13 });
    transposed();
  });
  return b.finish();
}

describe('advice', () => {
  it('to work on more elements is not said of loads of registers, which take one each', () => {
    const b = new ProgramBuilder({ kernel: 'registers' });
    const numbers = b.sbuf('numbers', [1, 8], 'int32');
    b.record('nki.isa.dma_copy', { dst: numbers, src: b.hbm('given', [1, 8], 'int32', 'input') });
    for (let k = 0; k < 8; k++) b.record('nki.isa.register_load', { src: numbers.slice(':', [k, k + 1]) }, { value: k }, { line: 11 });
    b.record('nki.isa.dma_copy', { dst: b.hbm('out', [1, 8], 'int32', 'output'), src: numbers });
    const { advice, rejected } = advise(simulate(b.finish(), AS_WRITTEN));
    assert.deepEqual(
      [...advice, ...rejected].filter(({ rule }) => rule === 'wider-instructions'),
      [],
    );
  });

  it('to double the buffers tells what doubling them gains', () => {
    const { line, lines } = proves('double-buffer', stream({ buffers: 1 }), stream({ buffers: 2 }));
    assert.ok([11, 12].includes(line));
    assert.ok(lines.length >= 1);
  });

  it('to double the buffers is refused where SBUF has no room for them; to take smaller tiles tells what these gain', () => {
    const { ways } = proves('smaller-tiles', wideTiles(1), wideTiles(2));
    assert.equal(ways[0].name, '2 tiles in place of one');
    const { rejected } = advise(simulate(wideTiles(1), AS_WRITTEN));
    assert.match(
      rejected.find(({ rule }) => rule === 'double-buffer')!.refused!,
      /^its buffers need \d+ KiB of each partition of SBUF, which has 208 KiB$/,
    );
    assert.equal(adviceOf(wideTiles(4), 'smaller-tiles'), undefined, 'what has room for two tiles needs no smaller ones');
  });

  it('to let hardware make descriptors tells what it gains', () => {
    proves('hardware-descriptors', stream({ buffers: 4, mode: 'swdge' }), stream({ buffers: 4, mode: 'hwdge' }));
    assert.equal(adviceOf(stream({ buffers: 4 }), 'hardware-descriptors'), undefined);
  });

  it('to move longer runs tells what a source in the order of the destination gains', () => {
    const { line } = proves('longer-runs', gathers(9), gathers(1));
    assert.equal(line, 11);
    assert.equal(adviceOf(gathers(1), 'longer-runs'), undefined);
    // longer rows than of four bytes are not possible in a tile of one column
    assert.equal(adviceOf(columns(), 'longer-runs'), undefined);
  });

  it('to store a row instead of a column tells what a transpose before the store gains', () => {
    const { line } = proves('rows-for-columns', sumsOfRows(false), sumsOfRows(true));
    assert.equal(line, 14);
    assert.equal(adviceOf(sumsOfRows(true), 'rows-for-columns'), undefined);
    assert.equal(adviceOf(columns(), 'rows-for-columns'), undefined, 'loads of columns do not wait');
  });

  it('to keep what is loaded again tells what hoisting the load gains', () => {
    const { line } = proves('keep-loaded', matmuls({ hoisted: false }), matmuls({ hoisted: true }));
    assert.equal(line, 11);
    assert.equal(adviceOf(matmuls({ hoisted: true }), 'keep-loaded'), undefined);
  });

  it('to keep what is loaded again is refused where what else is on chip leaves no room, as the compiler spills what is hoisted by hand', () => {
    assert.ok(proves('keep-loaded', besideOthers(false, 8), besideOthers(true, 8)));
    const { advice, rejected } = advise(simulate(besideOthers(false, 48), AS_WRITTEN));
    assert.ok(advice.every(({ rule }) => rule !== 'keep-loaded'));
    assert.match(rejected.find(({ rule }) => rule === 'keep-loaded')!.refused!, /^its buffers need 240 KiB of each partition of SBUF/);
    assert.ok(spills(besideOthers(true, 48)) && !spills(besideOthers(true, 8)));
  });

  it('to multiply in bf16 tells what bf16 gains', () => {
    proves('bf16-matmul', matmuls({ dtype: 'float32' }), matmuls({ dtype: 'bfloat16' }));
    assert.equal(adviceOf(matmuls({ dtype: 'bfloat16' }), 'bf16-matmul'), undefined);
  });

  it('to multiply in fp8 tells what products of twice as many rows gain', () => {
    proves('fp8-matmul', sums('bfloat16'), sums('float8_e4m3'));
    assert.equal(adviceOf(matmuls({ dtype: 'bfloat16' }), 'fp8-matmul'), undefined, 'no sum of two products: nothing to take together');
    assert.equal(adviceOf(sums('float32'), 'fp8-matmul'), undefined, 'from fp32 the first step is bf16');
  });

  it('to multiply in bf16 tells what loading bf16 gains, too, where loads are what takes the time', () => {
    const [before, after] = ['float32', 'bfloat16'].map(dtype => matmuls({ dtype, hoisted: false }));
    const { ways } = proves('bf16-matmul', before, after);
    assert.equal(ways[0].name, 'operands in bf16 in HBM, too');
    assert.ok(ways[1].gainShare < ways[0].gainShare - POINTS, JSON.stringify(ways));
  });

  it('to use an idle engine tells what moving the copies gains', () => {
    const { line } = proves('idle-engine', balance('Vector'), balance('Scalar'));
    assert.equal(line, 12);
  });

  it('to let the activation shift and sum tells what fusing both gains', () => {
    const { lines } = proves('fuse-activation', softmaxRows(false), softmaxRows(true));
    assert.deepEqual(lines.map(({ line }) => line).sort(), [11, 13]);
    assert.equal(adviceOf(softmaxRows(true), 'fuse-activation'), undefined);
  });

  it('to scale the product tells what it gains not to scale its operand', () => {
    const { line } = proves('delay-scaling', scaledOperands(true), scaledOperands(false));
    assert.equal(line, 11);
  });

  it('to scale the product does not wait for the factors before it', () => {
    const { line } = proves('delay-scaling', normalised(false), normalised(true));
    assert.equal(line, 13);
  });

  it('to begin the next iteration sooner tells what a loop gains that is pipelined by hand', () => {
    const { ways, line } = proves('pipeline-loop', stages(false), stages(true));
    assert.match(ways[0].name, /^[23] iterations of loop i of line \d+ at a time$/);
    assert.ok(line > 0);
    assert.equal(adviceOf(stages(true, 1024), 'pipeline-loop'), undefined);
  });

  it('to begin the next iteration sooner takes products of the same weights one by one, as far as PSUM has banks', () => {
    proves('pipeline-loop', products(false), products(true));
  });

  it('to begin the next iteration sooner is refused where its buffers have no room, as the compiler refuses what is pipelined by hand', () => {
    // Three tiles of 60 KiB fit into SBUF, four do not.
    const columns = 15 * 1024;
    const { advice, rejected } = advise(simulate(stages(false, columns), AS_WRITTEN));
    assert.ok(advice.every(({ rule }) => rule !== 'pipeline-loop'));
    const { refused, gainNs } = rejected.find(({ rule }) => rule === 'pipeline-loop')!;
    assert.match(refused!, /^its buffers need \d+ KiB of each partition of SBUF, which has 208 KiB$/);
    assert.equal(gainNs, 0);
    assert.throws(() => timeOf(stages(true, columns)), CapacityError);
    assert.ok(proves('pipeline-loop', stages(false, 8 * 1024), stages(true, 8 * 1024)).gainNs > 0);
  });

  it('to keep what is computed again tells what hoisting it gains', () => {
    const { line } = proves('keep-computed', invariant(false), invariant(true));
    assert.equal(line, 11);
    assert.equal(adviceOf(invariant(true), 'keep-computed'), undefined);
  });

  it('to keep results out of HBM between loops tells what it gains', () => {
    const { lines } = proves('fuse-loops', twoLoops(false), twoLoops(true));
    assert.deepEqual(lines.map(({ line }) => line).sort(), [12, 14]);
    assert.equal(adviceOf(twoLoops(true), 'fuse-loops'), undefined);
  });

  it('to keep results out of HBM between loops keeps all of them only where SBUF has room', () => {
    const waysOf = (columns: number) =>
      adviceOf(twoLoops(false, columns), 'fuse-loops')!
        .ways.map(({ name }) => name)
        .sort();
    assert.deepEqual(waysOf(1024), ['one loop of all of them', 'the loops as they are']);
    // Eight tiles of 32 KiB.
    assert.deepEqual(waysOf(8 * 1024), ['one loop of all of them']);
  });

  it('to keep loads tells the ways to do it, each with what it gains', () => {
    const { ways } = proves('keep-loaded', blocked(1), blocked(8));
    const told = new Map(ways.map(({ name, gainShare }) => [name, gainShare]));
    assert.deepEqual([...told.keys()].sort(), ['over 2 iterations of loop m of line 12 at a time', 'over all of loop m of line 12']);
    const gained = 1 - timeOf(blocked(2)) / timeOf(blocked(1));
    const two = told.get('over 2 iterations of loop m of line 12 at a time')!;
    assert.ok(gained > 0.01 && Math.abs(two - gained) < POINTS, `told ${two}, made ${gained}`);
  });

  it('to let Python run a short loop tells what it gains that turns overlap', () => {
    const { line } = proves('unroll-loop', shortTurns(true), shortTurns(false));
    assert.equal(line, 10);
    assert.equal(adviceOf(shortTurns(false), 'unroll-loop'), undefined);
    assert.equal(adviceOf(shortTurns(true, 1), 'unroll-loop'), undefined);
  });

  it('to swap two loops tells what it gains, with what the new inner loop need not load again', () => {
    const { ways, line } = proves('order-of-loops', nested('as it is'), nested('swapped'));
    assert.equal(line, 11);
    assert.deepEqual(
      ways.map(({ name }) => name),
      ['loop m of line 12 around loop n of line 11'],
    );
    assert.equal(adviceOf(nested('swapped'), 'order-of-loops'), undefined);
  });

  it('to swap two loops is not said where an iteration reads what the swap would write later', () => {
    assert.ok(adviceOf(nested('as it is', [0, 0]), 'order-of-loops'));
    assert.ok(adviceOf(nested('as it is', [1, 0]), 'order-of-loops'));
    assert.equal(adviceOf(nested('as it is', [1, -1]), 'order-of-loops'), undefined);
  });

  it('comes most gainful first, and tells what gains nothing apart', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const profile = simulate(randomProgram(seed, 120), AS_WRITTEN);
      const { advice, rejected, ladder } = advise(profile);
      const gains = advice.map(({ gainNs }) => gainNs);
      assert.deepEqual(
        gains,
        [...gains].sort((a, b) => b - a),
      );
      assert.ok(advice.every(({ gainShare }) => gainShare >= 0.01) && rejected.every(({ gainShare }) => gainShare < 0.01));
      const rules = [...advice, ...rejected].map(({ rule }) => rule);
      assert.equal(new Set(rules).size, rules.length, 'a rule speaks once');
      // No change that is proposed beats what no order of the work can beat, but those that take work away.
      assert.ok(ladder.length >= 6);
    }
  });

  it('has rules with names of their own, in words for the user', () => {
    assert.equal(new Set(RULES.map(({ name }) => name)).size, RULES.length);
    for (const { name, title, sketch, tried, source } of RULES) {
      assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)+$/);
      for (const text of [title, sketch, tried, source]) assert.ok(text.length > 15, name);
    }
  });
});
