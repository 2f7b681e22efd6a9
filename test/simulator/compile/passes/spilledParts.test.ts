/** Kernels that do not fit, as written and rewritten: parts of large tiles give way, values stay, and the warning says what it costs. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { SBUF } from '../../../../src/simulator/compile/patterns';
import type { CompileReport } from '../../../../src/simulator/compile/report';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import { CapacityError } from '../../../../src/simulator/program/error';
import type { Program } from '../../../../src/simulator/program/program';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { elementValues } from '../../../support/elementValues';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile } from '../../../support/stages';

const PIPELINES = ['literal', 'rewriting'] as const;
/** Elements of a part; of 8 rows, so that values can be computed for each. */
const PART = 16;
const ROWS = 8;
const PARTS = 8;

const small = (sbufBytes: number) => withValues(machineFor('trn2'), { sbufBytesPerPartition: sbufBytes });

/** `[tensor, part, other tensor, other part]`: adds the second to the first; a part of -1: the whole tensors. */
type Step = readonly [number, number, number, number];

/** Three tensors of eight parts, filled part by part, as a whole, or by a memset and parts. */
function parts(fills: readonly ('parts' | 'whole' | 'zeros')[], steps: readonly Step[]): Program {
  const b = new ProgramBuilder({ target: 'trn2' });
  const columns = PART * PARTS;
  const part = (tensor: Tensor, k: number) => (k < 0 ? tensor.all : tensor.slice(':', [k * PART, (k + 1) * PART]));
  const tensors = fills.map((fill, t) => {
    const [tensor, x] = [b.sbuf(`t${t}`, [ROWS, columns]), b.hbm(`x${t}`, [ROWS, columns], 'float32', 'input')];
    if (fill !== 'parts') b.record('nki.isa.memset', { dst: tensor }, { value: t });
    if (fill === 'whole') b.record('nki.isa.dma_copy', { dst: tensor, src: x });
    else for (let k = 0; k < PARTS; k++) b.record('nki.isa.dma_copy', { dst: part(tensor, k), src: part(x, k) });
    return tensor;
  });
  for (const [dst, k, src, other] of steps) {
    const [to, from] = k < 0 || other < 0 ? [-1, -1] : [k, other];
    const data1 = part(tensors[dst], to);
    b.record('nki.isa.tensor_tensor', { dst: data1, data1, data2: part(tensors[src], from) }, { op: 'add' });
  }
  for (const [t, src] of tensors.entries())
    for (let k = 0; k < PARTS; k++)
      b.record('nki.isa.dma_copy', { dst: part(b.hbm(`y${t}.${k}`, [ROWS, PART], 'float32', 'output'), -1), src: part(src, k) });
  return b.finish();
}

const movedBytes = (c: Compiled) => c.transfers.bytes.reduce((sum, bytes) => sum + bytes, 0);

describe('kernels that do not fit', () => {
  it('leave every value where it was, whichever parts give way', () => {
    const fill = fc.constantFrom('parts' as const, 'whole' as const, 'zeros' as const);
    const part = fc.integer({ min: -1, max: PARTS - 1 });
    const step = fc.tuple(fc.nat(2), part, fc.nat(2), part);
    let spilled = 0;
    fc.assert(
      fc.property(fc.array(fill, { minLength: 3, maxLength: 3 }), fc.array(step, { minLength: 4, maxLength: 40 }), (fills, steps) => {
        const program = parts(fills, steps);
        const wanted = elementValues(compile(program, { pipeline: 'literal' }));
        // 1,536 bytes of tensors, of which two fit into three quarters of this.
        const machine = small(1408);
        for (const pipeline of PIPELINES) {
          const c = compile(program, { pipeline, machine });
          assert.deepEqual(elementValues(c), wanted, pipeline);
          for (let tensor = 0; tensor < c.patterns.tensors; tensor++)
            if (c.patterns.space(tensor) === SBUF && c.allocation.firstUse[tensor] >= 0)
              assert.ok(c.allocation.addressBytes[tensor] + c.patterns.bytesPerPartition(tensor) <= 1408);
          if (c.checks.some(({ message }) => /loaded again/.test(message))) spilled++;
          schedule(c);
        }
      }),
      { numRuns: 40, seed: 5 },
    );
    assert.ok(spilled > 15, `${spilled} programs had to spill`);
  });

  it('load the parts that are used, not the tiles that hold them', () => {
    const steps = Array.from({ length: 64 }, (_, k): Step => [2, k % 4, k % 2, k % PARTS]);
    const program = parts(['parts', 'parts', 'parts'], steps);
    const [fits, lacks] = [compile(program), compile(program, { machine: small(768) })];
    const wholes = 64 * ROWS * PART * PARTS * 4;
    assert.ok(movedBytes(lacks) > movedBytes(fits));
    assert.ok(movedBytes(lacks) - movedBytes(fits) < wholes / PARTS, `${movedBytes(lacks)} bytes, ${movedBytes(fits)} where all fits`);
    const slow = withValues(machineFor('trn2'), { sbufBytesPerPartition: 768, 'dma.hbmReadBytesPerNs': 1e-3 });
    const busyMs = (movedBytes(lacks) - movedBytes(fits)) / 1e-3 / 1e6;
    const [{ message }] = compile(program, { machine: slow }).checks;
    assert.equal(message.split('at least ')[1], `${+busyMs.toPrecision(3)} ms at the full rate of HBM`);
  });

  it('keep a tile whole that is filled part by part and then used as a whole', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const columns = PART * PARTS;
    const sum = b.sbuf('sum', [ROWS, columns]);
    b.record('nki.isa.memset', { dst: sum }, { value: 0 });
    b.loop('i', 3, i => {
      const [filled, doubled] = [b.sbuf('filled', [ROWS, columns]), b.sbuf('doubled', [ROWS, columns])];
      for (let k = 0; k < PARTS; k++)
        b.record('nki.isa.memset', { dst: filled.slice(':', [k * PART, (k + 1) * PART]) }, { value: i * PARTS + k });
      b.record('nki.isa.tensor_tensor', { dst: doubled, data1: filled, data2: filled }, { op: 'add' });
      b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: doubled }, { op: 'add' });
    });
    b.record('nki.isa.dma_copy', { dst: b.hbm('y', [ROWS, columns], 'float32', 'output'), src: sum });
    const program = b.finish();
    // three tiles are in use at once, and two fit into three quarters
    for (const pipeline of PIPELINES) {
      const c = compile(program, { pipeline, machine: small(1408) });
      assert.ok(c.transfers.bytes.length > 1, 'nothing was spilled');
      assert.deepEqual([...new Set(c.transfers.bytes)], [ROWS * columns * 4], pipeline);
      assert.deepEqual(elementValues(c), elementValues(compile(program, { pipeline: 'literal' })));
    }
  });

  it('as written say on the line that needs most how much is missing and what it costs', () => {
    const program = parts(
      ['parts', 'parts', 'parts'],
      [
        [0, 0, 1, 0],
        [1, 1, 2, 1],
        [0, 3, 2, 3],
        // Tiles that are also used as a whole are not split.
        [1, -1, 0, -1],
        [2, -1, 0, -1],
      ],
    );
    const reports: CompileReport[] = [];
    const c = compile(program, { machine: small(1408), onReport: report => reports.push(report) });
    assert.equal(c.checks.length, 1);
    const [{ severity, message, line }] = c.checks;
    assert.equal(severity, 'warning');
    assert.equal(line, program.frames.line[program.tensors.frame[0]]);
    assert.match(
      message,
      /SBUF has 1\.38 KiB, and the kernel needs 1\.5 KiB at once \(t0 0\.5 KiB \(line \d+\), .*\): 0\.13 KiB are missing/,
    );
    const more = (movedBytes(c) - movedBytes(compile(program))) / 2 ** 20;
    assert.ok(message.includes(`with ${+more.toPrecision(3)} MiB, at least `) && message.endsWith(' µs at the full rate of HBM'), message);
    const [{ attempts }] = reports;
    assert.match(attempts[0].dropped!.message, /1\.5 KiB are needed at once/);
    assert.equal(attempts.at(-1)!.dropped, null);
    assert.equal(attempts.at(-1)!.passes.at(-1)!.name, 'spilling');
  });

  it('are refused where the kernel placed a tensor itself, or one alone is larger than the memory', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const tiles = [b.sbuf('placed', [ROWS, 256], 'float32', { addressBytes: 0 }), b.sbuf('other', [ROWS, 256], 'float32', { line: 7 })];
    for (const dst of tiles) b.record('nki.isa.memset', { dst }, { value: 1 });
    b.record('nki.isa.tensor_tensor', { dst: tiles[0], data1: tiles[0], data2: tiles[1] }, { op: 'add' });
    const placed = b.finish();
    const lacking = (error: unknown) =>
      error instanceof CapacityError && error.line === 7 && /2 KiB are needed at once/.test(error.message);
    assert.throws(() => compile(placed, { machine: small(1408) }), lacking);
    for (const pipeline of PIPELINES)
      assert.throws(
        () => compile(parts(['parts', 'parts', 'parts'], []), { pipeline, machine: small(480) }),
        (error: unknown) => error instanceof CapacityError && /t\d \(0\.5 KiB per partition\) does not fit/.test(error.message),
      );
  });

  it('are refused where machine registers decide what the turns of a loop use', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    b.record('nki.isa.register_move', {}, { dst: 0, imm: 1 });
    const tiles = ['a', 'b', 'c'].map(name => b.sbuf(name, [ROWS, PART * PARTS]));
    for (const dst of tiles) b.record('nki.isa.memset', { dst }, { value: 1 });
    for (const data2 of tiles) b.record('nki.isa.tensor_tensor', { dst: tiles[0], data1: tiles[0], data2 }, { op: 'add' });
    assert.throws(() => compile(b.finish(), { machine: small(1408) }), CapacityError);
  });
});
