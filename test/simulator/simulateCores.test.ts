/**
 * Two cores side by side: what waits for the other core waits for it, nothing else does, and the wait has its reason; they share HBM; their
 * profile is one, and each core's part can be had again.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eventValue } from '../../src/simulator/analyze/eventAccess';
import { stallText } from '../../src/simulator/analyze/stallText';
import { waitChain } from '../../src/simulator/analyze/waitChain';
import { operandListText } from '../../src/simulator/compile/operands/text';
import { machineFor } from '../../src/simulator/hardware/targets';
import { withValues } from '../../src/simulator/hardware/withValues';
import { decodeProfile, encodeProfile } from '../../src/simulator/profile/codec';
import { coresOf, ofCore } from '../../src/simulator/profile/ofCore';
import { type Profile, STALL, STALL_REASONS } from '../../src/simulator/profile/profile';
import { type Core, schedule, scheduleTogether } from '../../src/simulator/schedule/schedule';
import { simulate, simulateCores } from '../../src/simulator/simulate';
import { ProgramBuilder } from '../support/programs';
import { randomProgram } from '../support/randomPrograms';
import { compile } from '../support/stages';
import { core, runOnTwoCores } from '../support/twoCores';

const barrierOf = (p: Profile) => p.instructions.opcode.findIndex(code => p.opcodes[code] === 'PSEUDO_CORE_BARRIER');
const startOf = (p: Profile) => p.instructions.startNs[barrierOf(p)];

describe('cores side by side', () => {
  const [quick, slow] = [core(1), core(40, 1)];
  const coreBarriers = [quick.coreBarriers, slow.coreBarriers];
  const run = simulateCores([quick.program, slow.program], { verified: null, coreBarriers });
  const together = coresOf(run).map(core => ofCore(run, core));
  const alone = [quick, slow].map(({ program }) => simulate(program, { verified: null }));

  it('the one that comes first waits for the other, and says so', () => {
    const [first, second] = together;
    assert.ok(startOf(alone[0]) < startOf(alone[1]) - 1000, 'the second core has more to do');
    assert.equal(startOf(first), startOf(second));
    assert.equal(STALL_REASONS[first.instructions.stall[barrierOf(first)]], 'core');
    assert.equal(first.instructions.blocker[barrierOf(first)], -1);
    const semaphoreNs = machineFor('trn2').logicalCore!.semaphoreNs.value;
    assert.ok(startOf(second) - startOf(alone[1]) < semaphoreNs + 200, 'the last to come is held up by no more than a semaphore');
    assert.equal(STALL_REASONS[second.instructions.stall[barrierOf(second)]], 'dma', 'and waited for its own store');
  });

  it('what held it up in the other core is named, and its chain of waits goes on there', () => {
    const first = barrierOf(run);
    assert.equal(run.tracks[run.instructions.track[first]].core, 0);
    const blocker = run.instructions.blocker[first];
    const store = blocker - run.instructions.startNs.length;
    assert.equal(run.tracks[run.transfers.track[store]].core, 1);
    assert.ok(run.transfers.doneNs[store] <= run.instructions.startNs[first]);
    assert.match(stallText(run, first), /^waited .* for the other core, after the DMA of line 6$/);
    const cores = waitChain(run, first).map(({ event }) => run.tracks[eventValue(run, event, 'track')].core);
    assert.deepEqual([...new Set(cores)], [0, 1]);
  });

  it('what reads the shared tensor afterwards starts afterwards', () => {
    for (const p of together) {
      const last = p.transfers.startNs.length - 1;
      assert.ok(p.transfers.startNs[last] >= startOf(p), `${p.transfers.startNs[last]}`);
    }
    assert.ok(together[0].totalTimeNs > alone[0].totalTimeNs + 1000);
  });

  it('exchanges wait for semaphores from core to core side by side', () => {
    const machine = machineFor('trn2');
    const semaphoreNs = machine.logicalCore!.semaphoreNs.value;
    const exchanging = (count: number) => {
      const b = new ProgramBuilder();
      const meets = Array.from({ length: count }, (_, pipe_id) => {
        const [src, dst] = ['src', 'dst'].map(name => b.sbuf(`${name}${pipe_id}`, [128, 2]));
        b.record('nki.isa.memset', { dst: src }, { value: 1 });
        return b.record('nki.isa.sendrecv', { dst, src }, { send_to_rank: 1, recv_from_rank: 1, pipe_id });
      });
      return { program: b.finish(), meets };
    };
    const lastsNs = (count: number, ns: number) => {
      const { program, meets } = exchanging(count);
      const slower = withValues(machine, { 'logicalCore.semaphoreNs': ns });
      const { transfers } = simulateCores([program, program], { verified: null, machine: slower, coreBarriers: [meets, meets] });
      for (const stall of transfers.stall) assert.equal(STALL_REASONS[stall], 'core');
      return Math.max(...transfers.doneNs) - Math.min(...transfers.readyNs);
    };
    for (const count of [1, 4]) assert.ok(Math.abs(lastsNs(count, semaphoreNs) - lastsNs(count, 0) - semaphoreNs) < 1, `${count}`);
  });

  it('a core that never comes is a deadlock', () => {
    const cores = [quick, slow].map(({ program }) => compile(program));
    const barrier = (k: number) => cores[k].instructions.origin.indexOf(coreBarriers[k][0]);
    assert.throws(
      () =>
        scheduleTogether([
          { compiled: cores[0], coreBarriers: [barrier(0)] },
          { compiled: cores[1], coreBarriers: [] },
        ]),
      /deadlock/,
    );
  });

  it('barriers take place at one time in all cores, in any programs; without them and with HBM enough for both each core is as alone', () => {
    const wide = withValues(machineFor('trn2'), { 'logicalCore.hbmBytesPerNs': 1e9, 'dma.hbmRunNs': 0 });
    const seed = fc.integer({ min: 1, max: 1e6 });
    fc.assert(
      fc.property(seed, seed, fc.integer({ min: 0, max: 4 }), (a, b, count) => {
        const cores = [a, b].map((s): Core => {
          const compiled = { ...compile(randomProgram(s, 40, 'trn2')), machine: wide };
          const [stream] = compiled.streams
            .map(ofEngine => [...ofEngine].filter(i => compiled.instructions.transfer[i] < 0))
            .sort((x, y) => y.length - x.length);
          const coreBarriers = Array.from(
            { length: count },
            (_, k) => stream[Math.floor(((k + 1) * stream.length) / (count + 1))] ?? stream[0],
          );
          return { compiled, coreBarriers: [...new Set(coreBarriers)] };
        });
        const met = Math.min(...cores.map(({ coreBarriers }) => coreBarriers.length));
        const paired = cores.map(({ compiled, coreBarriers }) => ({ compiled, coreBarriers: coreBarriers.slice(0, met) }));
        const times = scheduleTogether(paired);
        for (let k = 0; k < met; k++) {
          const starts = paired.map(({ coreBarriers }, c) => times[c].instructions.startNs[coreBarriers[k]]);
          assert.equal(starts[0], starts[1]);
          assert.ok(paired.every(({ coreBarriers }, c) => times[c].instructions.stall[coreBarriers[k]] !== STALL.none));
        }
        if (met === 0) assert.deepEqual(times, cores.map(({ compiled }) => ({ ...schedule(compiled), coreWaits: [] }))); // biome-ignore format: one thought
      }),
      { numRuns: 40, seed: 11 },
    );
  });

  it('together read no more than their stack of HBM delivers, which one core cannot exhaust', () => {
    const loads = () => {
      const b = new ProgramBuilder();
      const x = b.hbm('x', [128, 65536], 'float32', 'input');
      const tile = b.sbuf('tile', [128, 32768]);
      for (let k = 0; k < 2; k++) b.record('nki.isa.dma_copy', { dst: tile, src: x.slice([0, 128], [k * 32768, (k + 1) * 32768]) });
      return b.finish();
    };
    const machine = withValues(machineFor('trn2'), { 'logicalCore.hbmBytesPerNs': 600 });
    const one = simulate(loads(), { verified: null, machine });
    const two = simulateCores([loads(), loads()], { verified: null, machine });
    const rate = (p: Profile) => {
      const { startNs, endNs, bytes } = p.transfers;
      return bytes.reduce((a, b) => a + b, 0) / (Math.max(...endNs) - Math.min(...startNs));
    };
    const [own, shared] = [machine.dma.hbmReadBytesPerNs.value, machine.logicalCore!.hbmBytesPerNs.value];
    assert.ok(2 * own > shared, 'the stack is what limits');
    assert.ok(rate(one) > 0.85 * own && rate(one) <= own, `${rate(one)}`);
    assert.ok(rate(two) > 0.85 * shared && rate(two) <= shared, `${rate(two)}`);
    assert.ok(rate(two) < 1.99 * rate(one));
  });

  it('together read no more runs of a few bytes than one alone, and write more', () => {
    const strided = (isLoad: boolean) => {
      const b = new ProgramBuilder();
      const x = b.hbm('x', [128, 1024, 16], 'float32', isLoad ? 'input' : 'output').slice(':', ':', [0, 8]);
      const tile = b.sbuf('tile', [128, 1024, 8]);
      b.record('nki.isa.dma_copy', isLoad ? { dst: tile, src: x } : { dst: x, src: tile });
      return b.finish();
    };
    const machine = machineFor('trn2');
    const movedNs = (isLoad: boolean, cores: number) => {
      const programs = Array.from({ length: cores }, () => strided(isLoad));
      const { startNs, endNs } = (
        cores === 1 ? simulate(programs[0], { verified: null, machine }) : simulateCores(programs, { verified: null, machine })
      ).transfers;
      return Math.max(...endNs) - Math.min(...startNs);
    };
    const foundNs = 128 * 1024 * machine.dma.hbmRunNs.value;
    for (const cores of [1, 2]) {
      const ns = movedNs(true, cores);
      assert.ok(ns > cores * foundNs && ns < 1.05 * cores * foundNs, `${cores} cores: ${ns}`);
    }
    assert.ok(movedNs(false, 2) < 1.1 * movedNs(false, 1));
  });

  it('a machine without logical cores runs one', () => {
    const programs = [core(1), core(1)].map(({ program }) => program);
    assert.throws(() => simulateCores(programs, { verified: null, machine: machineFor('trn1') }), /no logical cores/);
  });
});

describe('the profile of a run on two cores', () => {
  const parts = [core(1), core(6, 1)];
  const run = runOnTwoCores();
  const own = coresOf(run).map(core => ofCore(run, core));

  it('is a profile like any other, and comes back from its bytes', () => {
    assert.deepEqual(decodeProfile(encodeProfile(run)), run);
    assert.equal(run.machine.cores, 2);
    assert.deepEqual(
      run.tracks.map(t => t.core),
      [...own[0].tracks.map(() => 0), ...own[1].tracks.map(() => 1)],
    );
    assert.ok(run.tracks.every(({ name, core }) => name.endsWith(` (nc${core})`)));
  });

  it('has the rows of both, by their numbers in the whole program', () => {
    const { origin, track } = run.instructions;
    for (const [k, place] of origin.entries()) {
      const [first, last] = run.tracks[track[k]].core === 0 ? [0, 20] : [4, 21];
      assert.ok((place >= first && place < first + 9) || place === last, `${place}`);
    }
    assert.equal(new Set(origin).size, new Set(own[0].instructions.origin).size + new Set(own[1].instructions.origin).size);
  });

  it('says what each core did as if it had a profile of its own', () => {
    for (const [k, part] of own.entries()) {
      const alone = simulate(parts[k].program, { verified: null });
      const rows = ({ opcodes, instructions: e, tracks, ...p }: Profile) =>
        Array.from(e.opcode, (code, i) => [opcodes[code], operandListText(p, e.operands[i]), tracks[e.track[i]].name]);
      assert.deepEqual(rows(part), rows(alone));
      assert.deepEqual(
        part.semaphores.map(s => s.name),
        alone.semaphores.map(s => s.name),
      );
      assert.deepEqual(part.waits.value, alone.waits.value);
      assert.deepEqual(part.waits.semaphore, alone.waits.semaphore);
      assert.deepEqual(part.transfers.bytes, alone.transfers.bytes);
      assert.deepEqual(part.transfers.trigger, alone.transfers.trigger);
      assert.deepEqual(part.allocations.partitionStart, alone.allocations.partitionStart);
      assert.deepEqual(
        Array.from(part.allocations.name, n => part.strings[n]),
        Array.from(alone.allocations.name, n => alone.strings[n]),
      );
      assert.ok(part.dmaSlices.engine.every(engine => engine < part.machine.dmaEngines));
      decodeProfile(encodeProfile(part));
    }
  });

  it('lasts from the first event of any core to the last', () => {
    assert.equal(run.bodyStartNs, Math.min(...own.map(p => p.bodyStartNs)));
    assert.equal(run.bodyEndNs, Math.max(...own.map(p => p.bodyEndNs)));
    assert.equal(run.totalTimeNs, Math.max(...own.map(p => p.totalTimeNs)));
    assert.ok(own[0].instructions.track.length < own[1].instructions.track.length, 'the second core has more to do');
    const { startNs } = run.dmaSlices;
    for (let row = 1; row < startNs.length; row++) assert.ok(startNs[row] >= startNs[row - 1]);
  });
});
