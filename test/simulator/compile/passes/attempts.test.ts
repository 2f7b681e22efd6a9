/** Which passes run, what is said of them, and what leads to another attempt: lack of space, and nothing else. */
import assert from 'node:assert/strict';
import { CompileContext } from '../../../../src/simulator/compile/context';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import {
  AFTER_LOWERING,
  BEFORE_LOWERING,
  copiedCopies,
  listScheduling,
  loadsFirstUsed,
  loopFusion,
  lowering,
  spilling,
  tileSplitting,
} from '../../../../src/simulator/compile/passes/list';
import { beginning } from '../../../../src/simulator/compile/passes/pass';
import type { CompileReport } from '../../../../src/simulator/compile/report';
import { DEFAULT_MACHINE } from '../../../../src/simulator/hardware/machines';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import { CapacityError, KernelError } from '../../../../src/simulator/program/error';
import type { Program } from '../../../../src/simulator/program/program';
import { ProgramBuilder } from '../../../support/programs';
import { randomProgram } from '../../../support/randomPrograms';
import { compile } from '../../../support/stages';

const NAMES = [...BEFORE_LOWERING, ...AFTER_LOWERING, listScheduling].map(({ name }) => name);
const ALL = [...BEFORE_LOWERING, copiedCopies, loopFusion, tileSplitting, loadsFirstUsed, ...AFTER_LOWERING, listScheduling];

/** The report, and the error if there was one. */
function reported(program: Program, request: Partial<Parameters<typeof compile>[1]> = {}) {
  const reports: CompileReport[] = [];
  let failed: unknown;
  try {
    compile(program, { pipeline: 'rewriting', ...request, onReport: report => reports.push(report) });
  } catch (error) {
    failed = error;
  }
  assert.equal(reports.length, 1);
  return { ...reports[0], failed };
}

/** Four loads of the same two tiles, in a loop. */
function repeatedLoads() {
  const b = new ProgramBuilder({ target: 'trn2' });
  const [x, y] = [b.hbm('x', [256, 512], 'float32', 'input'), b.hbm('y', [128, 512], 'float32', 'output')];
  const sum = b.sbuf('sum', [128, 512]);
  b.record('nki.isa.memset', { dst: sum }, { value: 0 });
  b.loop('i', 4, i => {
    const tile = b.sbuf('tile', [128, 512]);
    const from = 128 * (i % 2);
    b.record('nki.isa.dma_copy', { dst: tile, src: x.slice([from, from + 128]) });
    b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2: tile }, { op: 'add' });
  });
  b.record('nki.isa.dma_copy', { dst: y, src: sum });
  return b.finish();
}

/** Tiles that are all in use at once. */
function tiles(count: number, columns: number) {
  const b = new ProgramBuilder({ target: 'trn2' });
  const all = Array.from({ length: count }, (_, k) => b.sbuf(`t${k}`, [128, columns], 'float32', { line: 10 + k }));
  const out = b.hbm('out', [128, columns], 'float32', 'output');
  for (const dst of all) b.record('nki.isa.memset', { dst }, { value: 1 });
  for (const data2 of [...all.slice(1), ...all.slice(1)])
    b.record('nki.isa.tensor_tensor', { dst: all[0], data1: all[0], data2 }, { op: 'add' });
  b.record('nki.isa.dma_copy', { dst: out, src: all[0] });
  return b.finish();
}

describe('the compiler’s passes', () => {
  it('are those of the policy, in one order, each with its evidence', () => {
    assert.deepEqual(
      neuronPolicy.passes.value,
      ALL.map(({ name }) => name),
    );
    for (const pass of ALL) assert.ok(pass.evidence.length > 30, pass.name);
  });

  it('run once each where all fits, and say what they changed', () => {
    const { attempts, pipeline } = reported(repeatedLoads());
    assert.deepEqual([pipeline, attempts.length, attempts[0].dropped], ['rewriting', 1, null]);
    const [{ passes }] = attempts;
    assert.deepEqual(
      passes.map(({ name }) => name),
      [...BEFORE_LOWERING.map(({ name }) => name), 'lowering', ...NAMES.slice(BEFORE_LOWERING.length)],
    );
    const loads = passes.find(({ name }) => name === 'redundant-load elimination');
    assert.equal(loads!.before.transfers - loads!.after.transfers, 2);
    for (let k = 1; k < passes.length; k++) assert.deepEqual(passes[k].before, passes[k - 1].after, passes[k].name);
    const scheduled = reported(randomProgram(5, 80)).attempts[0].passes.at(-1)!;
    assert.ok(scheduled.name === 'list scheduling' && scheduled.moved > 0);
  });

  it('are left out as the policy says', () => {
    const without = withValues(neuronPolicy, {
      passes: NAMES.filter(name => name !== 'redundant-load elimination' && name !== 'DMA coalescing'),
    });
    const [{ passes }] = reported(repeatedLoads(), { policy: without }).attempts;
    assert.equal(passes.at(-1)!.after.transfers, 5);
    assert.ok(!passes.some(({ name }) => name === 'redundant-load elimination'));
  });

  it('of kernels that run as written: few, and the scheduler last', () => {
    const { attempts } = reported(randomProgram(5), { pipeline: 'literal' });
    assert.deepEqual(
      attempts.map(({ passes }) => passes.map(({ name }) => name)),
      [
        [
          'accumulated products',
          'zero-fill elimination',
          'lowering',
          'constants first',
          'tile renaming',
          'redundant-load elimination',
          'tile splitting',
          'loads by first use',
          'list scheduling',
        ],
      ],
    );
  });

  it('lead to other attempts where space lacks, each with what was missing', () => {
    const { attempts, failed } = reported(tiles(9, 8192));
    assert.equal(failed, undefined);
    assert.ok(attempts.length > neuronPolicy.leftOutWhenFull.value.length);
    assert.equal(attempts.at(-1)!.dropped, null);
    assert.ok(attempts.at(-1)!.passes.some(({ name }) => name === 'spilling'));
    for (const { dropped } of attempts.slice(0, -1))
      assert.ok(dropped && dropped.missingBytes > 0 && /does not fit|missing/.test(dropped.message));
    assert.deepEqual(attempts[1].without, ['batching across iterations']);
  });

  it('place spilled tiles so that they alternate, and in any way that fits where no share of SBUF is enough for that', () => {
    // nothing can be spilled: one instruction needs two tiles of more than half of SBUF
    const program = tiles(2, DEFAULT_MACHINE.sbufBytesPerPartition.value / 8 + 8);
    const shares = neuronPolicy.spilledShares.value;
    const fewer = reported(program, { policy: withValues(neuronPolicy, { spilledShares: shares.slice(1) }) });
    assert.equal(
      reported(program).attempts.length - fewer.attempts.length,
      4,
      'of a share: alternating and packed, with the scheduler and without',
    );
    const lowered = lowering.run(
      beginning(new CompileContext(tiles(9, 8192), DEFAULT_MACHINE, neuronPolicy, { pipeline: 'rewriting', dge: 'auto' })),
    );
    const placement = (packs: boolean) =>
      spilling({ share: 0.5, fuses: false, packs, splits: true, sbufShare: 0.9 }).run(lowered).placement;
    assert.deepEqual(placement(false), { strategies: ['oldest'], sbufShare: 0.9 });
    assert.deepEqual(placement(true), { strategies: neuronPolicy.strategies.value, sbufShare: 1 });
  });

  it('end in a CapacityError with how much is missing, where nothing helps', () => {
    const { sbufBytesPerPartition } = DEFAULT_MACHINE;
    const columns = sbufBytesPerPartition.value / 8 + 8;
    const { failed } = reported(tiles(2, columns));
    assert.ok(failed instanceof CapacityError && failed instanceof KernelError);
    // Two tiles, of which each takes 32 bytes more than half.
    assert.equal(failed.missingBytes, 64);
    assert.equal(failed.line, 11);
    assert.match(
      failed.message,
      /t1 .* does not fit: SBUF of NeuronCore-v3 has 207\.99 KiB of each partition for tensors; 208\.05 KiB are needed at once: t0 .*; 0\.06 KiB are missing$/,
    );
  });

  it('report an error of the kernel once, as it is', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [x, w] = [b.sbuf('x', [128, 128], 'bfloat16'), b.sbuf('w', [128, 512], 'bfloat16')];
    const wide = b.psum('wide', [128, 1024]);
    for (const dst of [x, w]) b.record('nki.isa.memset', { dst }, { value: 1 });
    b.record('nki.isa.nc_matmul', { dst: wide.slice(':', [256, 768]), stationary: x, moving: w }, { accumulate: false });
    const { attempts, failed } = reported(b.finish());
    assert.ok(failed instanceof KernelError && !(failed instanceof CapacityError));
    assert.match(failed.message, /must stay inside one bank/);
    assert.deepEqual(
      attempts.map(({ dropped }) => dropped),
      [null],
    );
  });

  it('take an address beyond the memory for the kernel’s own error', () => {
    const { sbufBytesPerPartition, sbufReservedBytesPerPartition } = DEFAULT_MACHINE;
    const wholeBytes = sbufBytesPerPartition.value + sbufReservedBytesPerPartition.value;
    const b = new ProgramBuilder({ target: 'trn2' });
    b.record('nki.isa.memset', { dst: b.sbuf('far', [128, 256], 'float32', { addressBytes: wholeBytes - 1020 }) }, { value: 0 });
    const { attempts, failed } = reported(b.finish());
    assert.match(
      String(failed),
      /far \(1 KiB per partition\) at address 228356 ends beyond SBUF: each partition of NeuronCore-v3 ends at 224 KiB/,
    );
    assert.equal(attempts.length, 1);
  });
});
