/** Properties of the timing simulation on random programs, and what single kernels must show. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Compiled, TABLE, TENSOR, TRACK_ENGINE } from '../../../src/simulator/compile/compiled';
import { DIRECTIONS } from '../../../src/simulator/compile/directions';
import { whileRecorded } from '../../../src/simulator/hardware/recorded';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { STALL, STALL_REASONS } from '../../../src/simulator/profile/profile';
import { bounds } from '../../../src/simulator/schedule/bounds';
import { schedule } from '../../../src/simulator/schedule/schedule';
import type { Schedule } from '../../../src/simulator/schedule/times';
import { ENGINES } from '../../../src/simulator/vocabulary/engines';
import { ProgramBuilder, type Slice } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { compile } from '../../support/stages';

const cases = fc.record({ seed: fc.integer({ min: 1, max: 1e6 }), target: fc.constantFrom('trn1', 'trn2', 'trn3') });

function forPrograms(check: (compiled: Compiled, times: Schedule) => void) {
  fc.assert(
    fc.property(cases, ({ seed, target }) => {
      const compiled = compile(randomProgram(seed, 60, target));
      check(compiled, schedule(compiled));
    }),
    { numRuns: 40, seed: 7 },
  );
}

function endOf(c: Compiled, times: Schedule, event: number): number {
  const count = c.instructions.track.length;
  return event < count ? times.instructions.endNs[event] : times.transfers.doneNs[event - count];
}

describe('schedule', () => {
  it('engines issue in order, never faster than their issue interval', () => {
    forPrograms((c, { instructions: { startNs } }) => {
      for (const [engine, stream] of c.streams.entries())
        for (let k = 1; k < stream.length; k++) {
          const [before, i] = [stream[k - 1], stream[k]];
          const gap = TRACK_ENGINE[c.instructions.track[before]] === 0 ? 0 : c.instructions.issueNs[before];
          assert.ok(startNs[i] >= startNs[before] + gap - 1e-9, `${ENGINES[engine]} ${before} -> ${i}`);
        }
    });
  });

  it('nothing starts before what it waits for is done and its semaphore has arrived', () => {
    forPrograms((c, times) => {
      const { semaphoreNs, dmaSemaphoreNs } = c.machine;
      const count = c.instructions.track.length;
      for (let i = 0; i < count; i++)
        for (let d = c.dependencies.start[i]; d < c.dependencies.start[i + 1]; d++) {
          const event = c.dependencies.event[d];
          const to = ENGINES[TRACK_ENGINE[c.instructions.track[i]]];
          const pair = event < count ? `${ENGINES[TRACK_ENGINE[c.instructions.track[event]]]}->${to}` : '';
          const hop = event < count ? (semaphoreNs[pair] ?? semaphoreNs.default) : (dmaSemaphoreNs[to] ?? dmaSemaphoreNs.default);
          const expected = endOf(c, times, event) + (c.dependencies.kind[d] === TABLE ? 0 : hop.value);
          assert.ok(times.instructions.startNs[i] >= expected - 1e-9, `${i} starts before ${event}`);
        }
    });
  });

  it('an event waits exactly when it has a stall reason, and then its blocker exists', () => {
    forPrograms((c, { instructions: t, transfers: m }) => {
      const events = c.instructions.track.length + c.transfers.queue.length;
      for (let i = 0; i < t.startNs.length; i++) {
        assert.ok(t.readyNs[i] <= t.startNs[i] && t.startNs[i] < t.endNs[i]);
        assert.equal(t.startNs[i] > t.readyNs[i], t.stall[i] !== STALL.none, `instruction ${i}`);
        if (t.stall[i] !== STALL.none) assert.ok(t.blocker[i] >= 0 && t.blocker[i] < events && t.blocker[i] !== i, `instruction ${i}`);
      }
      for (let k = 0; k < m.startNs.length; k++) {
        assert.ok(m.readyNs[k] <= m.startNs[k] && m.startNs[k] <= m.endNs[k] && m.endNs[k] <= m.doneNs[k]);
        assert.equal(m.startNs[k] > m.readyNs[k], m.stall[k] !== STALL.none, `transfer ${k}`);
        assert.ok(m.blocker[k] >= 0 && m.blocker[k] < events, `transfer ${k}`);
      }
    });
  });

  it('a DMA engine moves one thing at a time, and all bytes of every transfer', () => {
    forPrograms((c, { slices }) => {
      const free = new Float64Array(16);
      const moved = new Float64Array(c.transfers.queue.length);
      for (let s = 0; s < slices.startNs.length; s++) {
        if (s > 0) assert.ok(slices.startNs[s - 1] <= slices.startNs[s]);
        assert.ok(slices.startNs[s] >= free[slices.engine[s]] - 1e-9);
        free[slices.engine[s]] = slices.endNs[s];
        moved[slices.transfer[s]] += slices.bytes[s];
      }
      for (let k = 0; k < moved.length; k++) assert.ok(Math.abs(moved[k] - c.transfers.bytes[k]) < 1e-6);
    });
  });

  it('loads the table of a function once its operands are there, where the program keeps its order', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [t, x] = [b.sbuf('t', [128, 512]), b.hbm('x', [128, 512], 'float32', 'input')];
    b.record('nki.isa.dma_copy', { dst: t, src: x });
    b.record('nki.isa.activation', { dst: t, data: t }, { op: 'exp' });
    const program = b.finish();
    const loadStartNs = (pipeline: 'literal' | 'rewriting') => {
      const c = compile(program, { pipeline });
      const { instructions, transfers } = schedule(c);
      const load = [...instructions.startNs.keys()].find(i => c.opcodes[c.instructions.opcode[i]] === 'ACT_TABLE_LOAD')!;
      return { startNs: instructions.startNs[load], arrivedNs: transfers.doneNs[0] };
    };
    const [kept, moved] = [loadStartNs('literal'), loadStartNs('rewriting')];
    assert.ok(kept.startNs >= kept.arrivedNs, `${kept.startNs} before ${kept.arrivedNs}`);
    assert.ok(moved.startNs < moved.arrivedNs, `${moved.startNs} not before ${moved.arrivedNs}`);
  });

  it('starts stores sooner after their triggers than loads, and triggers them by GpSimd where descriptors are static', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [t, x, y] = [b.sbuf('t', [128, 512]), b.hbm('x', [128, 512], 'float32', 'input'), b.hbm('y', [128, 512], 'float32', 'output')];
    b.record('nki.isa.dma_copy', { dst: t, src: x });
    b.record('nki.isa.dma_copy', { dst: y, src: t });
    const c = compile(b.finish(), { dge: 'off' });
    const { startNs, readyNs } = schedule(c).transfers;
    const soonerNs = startNs[0] - readyNs[0] - (startNs[1] - readyNs[1]);
    assert.ok(Math.abs(soonerNs - c.machine.dma.storeSoonerNs.value) < 1e-6, `${soonerNs}`);
    assert.deepEqual(
      c.queues.map(q => q.name),
      ['qSyncIO0', 'qGpSimdIO0'],
    );
  });

  it('lets a queue of v2 wait until what it wrote is acknowledged, and other queues go on', () => {
    const small = (target: string) => {
      const b = new ProgramBuilder({ target });
      for (let k = 0; k < 4; k++) {
        const tile = b.sbuf(`t${k}`, [1, 1]);
        b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm(`x${k}`, [1, 1], 'float32', 'input') });
        b.record('nki.isa.dma_copy', { dst: b.hbm(`y${k}`, [1, 1], 'float32', 'output'), src: tile });
      }
      const c = compile(b.finish(), { dge: 'off' });
      const { startNs, endNs } = schedule(c).transfers;
      const queues = c.queues.map((_, queue) => [...c.transfers.queue.keys()].filter(t => c.transfers.queue[t] === queue));
      assert.equal(queues.length, 2);
      return { c, startNs, endNs, queues };
    };
    const { c, startNs, endNs, queues } = small('trn1');
    const { sbuf, hbm } = c.machine.dma.acknowledgeNs!;
    for (const queue of queues)
      for (const [k, t] of queue.entries()) {
        const acknowledgedNs = DIRECTIONS[c.transfers.direction[t]] === 'hbm->sbuf' ? sbuf.value : hbm.value;
        assert.ok(endNs[t] - startNs[t] > acknowledgedNs);
        // The last of 16 engines, which moves nothing here, writes its semaphore this much later than the first.
        const skewNs = 15 * c.machine.dma.engineSkewNs.value;
        if (k > 0) assert.ok(startNs[t] >= endNs[queue[k - 1]] - skewNs, 'begins after the one before is acknowledged');
      }
    const all = [...startNs.keys()];
    assert.ok(
      all.some(t => all.some(u => startNs[u] > startNs[t] && startNs[u] < endNs[t])),
      'two queues at once',
    );
    assert.equal(small('trn2').c.machine.dma.acknowledgeNs, undefined);
  });

  it('triggers a DMA only when an earlier one of its queue has given its semaphore back', () => {
    const semaphores = machineFor('trn2').dma.queueSemaphores.value;
    const b = new ProgramBuilder({ target: 'trn2' });
    const x = b.hbm('x', [128, 2048], 'float32', 'input');
    for (let k = 0; k < semaphores + 3; k++) b.record('nki.isa.dma_copy', { dst: b.sbuf(`t${k}`, [128, 2048]), src: x });
    const c = compile(b.finish(), { dge: 'off' });
    const { instructions, transfers } = schedule(c);
    for (const [k, trigger] of c.transfers.trigger.entries()) {
      const isLate = k >= semaphores;
      const freedNs = isLate ? transfers.doneNs[k - semaphores] : 0;
      assert.ok(instructions.startNs[trigger] >= freedNs);
      assert.equal(STALL_REASONS[instructions.stall[trigger]], isLate ? 'queue' : 'none', `DMA ${k}`);
      if (isLate) assert.equal(instructions.blocker[trigger], c.instructions.track.length + k - semaphores);
    }
  });

  it('reads runs of a few bytes no faster than HBM finds them for all DMA engines together, and writes them faster', () => {
    const durationNs = (rows: number, isLoad: boolean, partitions: number) => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const tile = b.sbuf('tile', [partitions, 64, 16]).slice(':', [0, rows], [0, 8]);
      const strided = b.hbm('x', [partitions, 64, 16], 'float32', 'input').slice(':', [0, rows], [0, 8]);
      b.record('nki.isa.dma_copy', isLoad ? { dst: tile, src: strided } : { dst: strided, src: tile });
      const { startNs, endNs } = schedule(compile(b.finish(), { dge: 'off' })).transfers;
      return endNs[0] - startNs[0];
    };
    const { dma } = machineFor('trn2');
    const packets = 32 * dma.partitionsPerEngine.value;
    /** Of each of so many DMA engines. */
    const ofARun = (isLoad: boolean, engines: number) => {
      const partitions = engines * dma.partitionsPerEngine.value;
      return (durationNs(64, isLoad, partitions) - durationNs(32, isLoad, partitions)) / packets;
    };
    const all = dma.engines.value;
    const sharedNs = all * dma.hbmRunNs.value;
    assert.ok(Math.abs(ofARun(true, all) - sharedNs) < 1e-6, `${ofARun(true, all)}`);
    assert.ok(ofARun(false, all) < sharedNs - 1);
    const ownNs = dma.packetNs.value + 32 / dma.engineBytesPerNs.value;
    assert.ok(ownNs < sharedNs && Math.abs(ofARun(true, 1) - ownNs) < 1e-6, `alone: ${ofARun(true, 1)}`);
  });

  it('moves whole rows of several partitions by one packet on v2, pieces of rows one by one', () => {
    const packetsOf = (target: string, columns: number) => {
      const b = new ProgramBuilder({ target });
      const [tile, x] = [b.sbuf('tile', [100, 64, columns]), b.hbm('x', [100, 64, columns], 'float32', 'input')];
      b.record('nki.isa.dma_copy', { dst: tile.slice(':', ':', [0, 8]), src: x.slice(':', ':', [0, 8]) });
      const { cuts, transfers } = compile(b.finish(), { dge: 'off' });
      return [...cuts.packets.subarray(16 * transfers.cut[0], 16 * transfers.cut[0] + 13)];
    };
    const { partitionsPerEngine, packetPartitions } = machineFor('trn1').dma;
    const whole = Math.ceil(partitionsPerEngine.value / packetPartitions.value);
    assert.ok(whole < partitionsPerEngine.value);
    // The 13th engine has four rows.
    assert.deepEqual(packetsOf('trn1', 8), [...new Array(12).fill(whole), 1]);
    assert.deepEqual(packetsOf('trn2', 8), [...new Array(12).fill(8), 4]);
    for (const target of ['trn1', 'trn2']) assert.deepEqual(packetsOf(target, 16), [...new Array(12).fill(8 * 64), 4 * 64], target);
  });

  it('blames the value, not the buffer, when an instruction works in place on what it waits for', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [t, x] = [b.sbuf('t', [128, 512]), b.hbm('x', [128, 512], 'float32', 'input')];
    b.record('nki.isa.dma_copy', { dst: t, src: x });
    b.record('nki.isa.tensor_tensor', { dst: t, data1: t, data2: t }, { op: 'add' });
    b.record('nki.isa.activation', { dst: t, data: t }, { op: 'square' });
    b.record('nki.isa.tensor_tensor', { dst: t, data1: t, data2: t }, { op: 'add' });
    const c = compile(b.finish());
    const { stall, blocker } = schedule(c).instructions;
    const compute = [...stall.keys()].filter(i => ['TENSOR_TENSOR', 'ACTIVATE'].includes(c.opcodes[c.instructions.opcode[i]]));
    assert.deepEqual(
      compute.map(i => [STALL_REASONS[stall[i]], blocker[i]]),
      [
        ['dma', c.instructions.track.length],
        ['data', compute[0]],
        ['data', compute[1]],
      ],
    );
  });

  it('takes at least as long as every analytic bound', () => {
    forPrograms((c, times) => {
      const bound = bounds(c);
      const span = times.bodyEndNs - times.bodyStartNs;
      assert.ok(bound.ns > 0);
      assert.ok(span >= bound.ns - 1e-6, `${span} ns < ${bound.ns} ns`);
    });
  });

  it('gives the same bytes twice', () => {
    const once = () => schedule(compile(randomProgram(99, 200)));
    assert.deepEqual(once(), once());
  });

  it('reads and writes long rows at the rate of the DMA engines, also both at once, and no faster than a limit', () => {
    const tookNs = (loads: number, stores: number, target: string, machine = machineFor(target)) => {
      const b = new ProgramBuilder({ target, literal: true });
      const [filled, read] = [b.sbuf('filled', [128, 2048]), b.sbuf('read', [128, 2048 * 8])];
      b.record('nki.isa.memset', { dst: filled }, { value: 1 });
      for (let k = 0; k < Math.max(loads, stores); k++) {
        const part = read.slice(':', [2048 * k, 2048 * (k + 1)]);
        if (k < loads) b.record('nki.isa.dma_copy', { dst: part, src: b.hbm(`x${k}`, [128, 2048], 'float32', 'input') });
        if (k < stores) b.record('nki.isa.dma_copy', { dst: b.hbm(`y${k}`, [128, 2048], 'float32', 'output'), src: filled });
      }
      const { startNs, endNs } = schedule(compile(b.finish(), { dge: 'off', machine })).transfers;
      return Math.max(...endNs) - Math.min(...startNs);
    };
    const megabytes = 2 ** 20;
    const rate = (megabytesMoved: number, ns: number) => (megabytesMoved * megabytes) / ns;
    const loads = rate(8, tookNs(8, 0, 'trn2'));
    const both = rate(16, tookNs(8, 8, 'trn2'));
    assert.ok(loads > 400 && loads < 437, `loads move ${loads} bytes/ns`);
    assert.ok(both > 400 && both < 437, `both ways ${both} bytes/ns`);
    const recorded = whileRecorded(machineFor('trn2'));
    const limit = recorded.dma.hbmReadBytesPerNs.value;
    assert.ok(Math.abs(rate(8, tookNs(8, 0, 'trn2', recorded)) / limit - 1) < 0.06);
    assert.ok(rate(16, tookNs(8, 8, 'trn1')) < 300);
  });

  it('takes longer on a slower DMA, and with more to move', () => {
    const span = (rows: number) => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const tile = b.sbuf('tile', [128, 4096]);
      b.record('nki.isa.dma_copy', { dst: tile.slice([0, rows]), src: b.hbm('x', [128, 4096], 'float32', 'input').slice([0, rows]) });
      return schedule(compile(b.finish())).bodyEndNs;
    };
    assert.ok(span(128) > span(64) * 0.999 && span(64) >= span(8));
  });
});

describe('the PE array', () => {
  /** @param apart elements from one column of the weights to the next */
  function matmuls(count: number, dtype: string, { rows = 128, width = 512, apart = 1 } = {}) {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [weights, moving, out] = [
      b.sbuf('w', [rows, 256 * apart], dtype),
      b.sbuf('m', [rows, width], dtype),
      b.psum('out', [128, width]),
    ];
    b.record('nki.isa.memset', { dst: weights }, { value: 1 });
    b.record('nki.isa.memset', { dst: moving }, { value: 1 });
    b.loop('k', count, k => {
      const columns: Slice = k % 2 === 0 ? [0, 128 * apart, apart] : [128 * apart, 256 * apart, apart];
      b.record('nki.isa.nc_matmul', { dst: out, stationary: weights.slice(':', columns), moving }, { accumulate: k > 0 });
    });
    const compiled = compile(b.finish());
    return { compiled, times: schedule(compiled) };
  }

  const starts = ({ compiled, times }: ReturnType<typeof matmuls>) =>
    [...times.instructions.startNs].filter((_, i) => compiled.opcodes[compiled.instructions.opcode[i]] === 'MATMUL');

  it('runs products in different tiles at the same time', () => {
    const busyNs = (tiles: number) => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const [w, m] = [b.sbuf('w', [128, 32], 'bfloat16'), b.sbuf('m', [128, 512], 'bfloat16')];
      for (const dst of [w, m]) b.record('nki.isa.memset', { dst }, { value: 1 });
      const outs = Array.from({ length: 4 }, (_, k) => b.psum(`o${k}`, [32, 512]));
      b.loop('k', 128, k => {
        const tile = k % tiles;
        const where = { tile_position: [0, 32 * tile], tile_size: [128, 32], accumulate: k >= 4 };
        b.record('nki.isa.nc_matmul', { dst: outs[k % 4], stationary: w, moving: m }, where);
      });
      const compiled = compile(b.finish());
      const at = starts({ compiled, times: schedule(compiled) });
      return at[127] - at[64];
    };
    const [alone, two, four] = [1, 2, 4].map(busyNs);
    assert.ok(
      Math.abs(alone / two - 2) < 0.05 && Math.abs(alone / four - 4) < 0.1,
      `${alone} ns alone, ${two} with two, ${four} with four`,
    );
  });

  it('runs at half clock until a window was dense, then at full (ins-mm-bf16-512-ii, -half)', () => {
    const at = starts(matmuls(60, 'bfloat16'));
    assert.ok(Math.abs(at[2] - at[1] - 427) < 0.05 * 427, `half: ${at[2] - at[1]}`);
    assert.ok(Math.abs(at[59] - at[58] - 216) < 0.05 * 216, `full: ${at[59] - at[58]}`);
  });

  it('stays at half clock where products use half of its rows: their fp32 products take 1,707 ns (Joejoedesu/voyager-compiler, short K)', () => {
    const at = starts(matmuls(60, 'float32', { rows: 64 }));
    // an fp32 product is two MATMULs
    assert.ok(Math.abs(at[119] - at[117] - 1707) < 0.05 * 1707, `${at[119] - at[117]}`);
    const all = starts(matmuls(60, 'float32'));
    assert.ok(Math.abs(all[119] - all[117] - 860) < 0.05 * 860, `${all[119] - all[117]}`);
  });

  it('takes one column at half clock in the time of its weights, and its sums are there after one column (recordings of KevGomes1403: 26.5 and 160 to 210 ns)', () => {
    const { compiled, times } = matmuls(20, 'bfloat16', { width: 1 });
    const at = starts({ compiled, times });
    assert.ok(Math.abs(at[19] - at[18] - 26.7) < 0.1, `${at[19] - at[18]}`);
    const { fillSlowNs } = compiled.machine.tensor;
    const lasted = times.instructions.endNs.at(-1)! - at[19];
    assert.ok(Math.abs(lasted - fillSlowNs.value - 2 / 2.4) < 0.1, `${lasted}`);
  });

  it('takes weights whose columns lie apart by words of SBUF, with a pause (riya-ranjan my_conv_kernel_*_smaller: 62.5 and 225.8 ns)', () => {
    const between = (dtype: string, apart: number, width: number) => {
      const at = starts(matmuls(40, dtype, { apart, width }));
      return at[39] - at[38];
    };
    assert.ok(Math.abs(between('float16', 18, 14) - 62.5) < 0.05 * 62.5, `${between('float16', 18, 14)}`);
    assert.ok(Math.abs(between('float32', 1, 14) - 225.8) < 0.01 * 225.8, `${between('float32', 1, 14)}`);
    // further apart each column is in a word of its own, and long MATMULs hide it
    assert.ok(Math.abs(between('float16', 64, 14) - between('float16', 40, 14)) < 0.01);
    assert.equal(between('float16', 18, 512), between('float16', 1, 512));
  });

  it('loads weights in less time in an experiment that makes them faster, at half clock, too', () => {
    const { compiled } = matmuls(4, 'float32', { width: 14 });
    const loads = [...compiled.instructions.track.keys()].filter(i => compiled.instructions.track[i] === TENSOR);
    const lasted = (by: number) => {
      const { issueNs, durationNs } = compiled.instructions;
      const faster = { ...compiled.instructions, issueNs: issueNs.map(ns => ns / by), durationNs: durationNs.map(ns => ns / by) };
      const fixedShare = new Float64Array(issueNs.length + compiled.transfers.queue.length).fill(1 / by);
      const { startNs, endNs } = schedule({ ...compiled, instructions: faster, fixedShare }).instructions;
      return endNs[loads[2]] - startNs[loads[2]];
    };
    assert.ok(Math.abs(lasted(1) / lasted(2) - 2) < 0.001, `${lasted(1)} and ${lasted(2)} ns`);
    assert.ok(lasted(1e9) < 0.001, `${lasted(1e9)} ns`);
  });

  it('hides weight loads behind the running MATMUL', () => {
    const run = matmuls(60, 'bfloat16');
    const { compiled, times } = run;
    const loads = [...times.instructions.startNs.keys()].filter(i => compiled.instructions.track[i] === TENSOR);
    assert.equal(loads.length, 60);
    const last = loads[59];
    assert.ok(times.instructions.startNs[last] < times.instructions.startNs[last - 1] + compiled.instructions.issueNs[last - 1]);
  });

  it('takes two MATMULs for fp32 (ins-mm-fp32-512-ii)', () => {
    const at = starts(matmuls(40, 'float32'));
    assert.equal(at.length, 80);
    assert.ok(Math.abs(at[79] - at[78] - 429) < 0.05 * 429);
  });

  it('blames a held-back clock', () => {
    const { compiled, times } = matmuls(4, 'bfloat16');
    const reasons = [...times.instructions.stall].filter((_, i) => compiled.opcodes[compiled.instructions.opcode[i]] === 'MATMUL');
    assert.ok(reasons.slice(1).every(r => r === STALL.clock));
  });
});
