/** Experiments: the same code gives the same times; what is made faster in the profile is as fast as what was compiled so. */
import assert from 'node:assert/strict';
import { type Column, FormatError } from '../../../src/simulator/columns/container';
import { compile } from '../../../src/simulator/compile/compile';
import { TRACK_ENGINE } from '../../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../../src/simulator/compile/neuronPolicy';
import { Experiment } from '../../../src/simulator/experiments/experiment';
import { NoExperiment } from '../../../src/simulator/experiments/noExperiment';
import { machineFor, TARGETS } from '../../../src/simulator/hardware/targets';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { schedule } from '../../../src/simulator/schedule/schedule';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { random } from '../../support/syntheticProfile';

const SEEDS = [...Array(20).keys()];

const programs = SEEDS.map(seed => randomProgram(seed + 1, 80, TARGETS[seed % TARGETS.length]));

describe('experiments', () => {
  it('time the same code as the simulation did', () => {
    for (const [seed, program] of programs.entries())
      for (const pipeline of ['literal', 'rewriting'] as const) {
        const profile = decodeProfile(encodeProfile(simulate(program, { pipeline })));
        const experiment = new Experiment(profile);
        const times = schedule(experiment.code);
        const shift = profile.bodyStartNs - times.bodyStartNs;
        const { row } = profile.timing!.instructions;
        for (let i = 0; i < row.length; i++)
          assert.ok(Math.abs(times.instructions.startNs[i] + shift - profile.instructions.startNs[row[i]]) < 0.01, `${seed} ${i}`);
      }
  });

  it('time copies of elements as the simulation did, which profiles of other kernels keep no column for', () => {
    const copied = (columns: number) => {
      const b = new ProgramBuilder({ target: 'trn2' });
      b.record('nki.isa.dma_copy', {
        dst: b.hbm('out', [128, columns, 1], 'bfloat16', 'output'),
        src: b.hbm('in', [128, columns, 512 / columns], 'bfloat16', 'input').slice(':', ':', [0, 1]),
      });
      return decodeProfile(encodeProfile(simulate(b.finish())));
    };
    const [whole, elements] = [copied(512), copied(64)];
    assert.equal(whole.timing!.bursts, undefined);
    assert.deepEqual([...elements.timing!.bursts!.sameBurst], [15 / 16]);
    for (const profile of [whole, elements]) {
      const times = schedule(new Experiment(profile).code);
      assert.ok(Math.abs(times.bodyEndNs - times.bodyStartNs - (profile.bodyEndNs - profile.bodyStartNs)) < 0.01);
    }
    const damaged = (share: number[]) => ({
      ...elements,
      timing: { ...elements.timing!, bursts: { sameBurst: Float64Array.from(share) } },
    });
    for (const shares of [[], [2], [0.5, 0.5]])
      assert.throws(() => decodeProfile(encodeProfile(damaged(shares))), FormatError, `${shares}`);
  });

  it('time products of few rows as the simulation did', () => {
    const of = (rows: number) => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const [tile, out] = [b.sbuf('x', [rows, 512]), b.psum('y', [128, 512])];
      b.record('nki.isa.memset', { dst: tile }, { value: 1 });
      for (let k = 0; k < 40; k++)
        b.record('nki.isa.nc_matmul', { dst: out, stationary: tile.slice(':', [0, 128]), moving: tile }, { accumulate: k > 0 });
      return decodeProfile(encodeProfile(simulate(b.finish())));
    };
    assert.equal(of(128).timing!.products, undefined);
    const half = of(64);
    assert.ok(half.timing!.products!.arrayRows.includes(64));
    const times = schedule(new Experiment(half).code);
    assert.ok(Math.abs(times.bodyEndNs - times.bodyStartNs - (half.bodyEndNs - half.bodyStartNs)) < 0.01);
    const damaged = { ...half, timing: { ...half.timing!, products: { arrayRows: Uint8Array.of(64) } } };
    assert.throws(() => decodeProfile(encodeProfile(damaged)), FormatError);
  });

  it('a line made faster takes what it takes when its costs are changed by hand', () => {
    for (const [seed, program] of programs.entries()) {
      const profile = simulate(program, { pipeline: 'literal' });
      const experiment = new Experiment(profile);
      const frame = program.instructions.frame[10];
      const [file, line] = [program.files[program.frames.file[frame]].path, program.frames.line[frame]];
      // By hand: in what the compiler made, not in what the profile kept of it.
      const compiled = compile(program, { machine: machineFor(program.target), policy: neuronPolicy, pipeline: 'literal' });
      const { instructions, transfers } = compiled;
      const share = new Float64Array(instructions.track.length + transfers.queue.length).fill(1);
      const emptyCut = compiled.cuts.speed.length;
      const engines = compiled.machine.dma.engines.value;
      const cuts = {
        packets: Uint32Array.from([...compiled.cuts.packets, ...new Array<number>(engines).fill(0)]),
        bytes: Float64Array.from([...compiled.cuts.bytes, ...new Array<number>(engines).fill(0)]),
        speed: Float64Array.from([...compiled.cuts.speed, 1]),
        sameBurst: Float64Array.from([...compiled.cuts.sameBurst, 0]),
      };
      for (let i = 0; i < instructions.track.length; i++) {
        const own = program.instructions.frame[instructions.origin[i]];
        if (program.frames.line[own] !== line) continue;
        instructions.issueNs[i] = 0;
        instructions.durationNs[i] = 0;
        if (TRACK_ENGINE[instructions.track[i]] === 0) share[i] = 0;
        const t = instructions.transfer[i];
        if (t < 0) continue;
        transfers.cut[t] = emptyCut;
        share[instructions.track.length + t] = 0;
      }
      const byHand = schedule({ ...compiled, cuts, fixedShare: share });
      const events = experiment.eventsOf(file, line);
      const tried = experiment.schedule({ kind: 'events', events, speed: Infinity });
      assert.ok(Math.abs(tried.bodyEndNs - tried.bodyStartNs - (byHand.bodyEndNs - byHand.bodyStartNs)) < 1e-6, `seed ${seed + 1}`);
    }
  });

  it('refuse what is none of ours, or too much, and never loop: 120 seeded mutations of what the scheduler was given', () => {
    const profile = simulate(programs[3]);
    const next = random(11);
    let refused = 0;
    for (let k = 0; k < 120; k++) {
      const mutant = structuredClone(profile);
      const groups = Object.values(mutant.timing!) as Record<string, Column>[];
      const columns = groups.flatMap(group => Object.values(group)).filter(column => column.length > 0);
      const column = columns[Math.floor(next() * columns.length)];
      column[Math.floor(next() * column.length)] = Math.floor(next() * 2 ** Math.floor(next() * 33));
      try {
        new Experiment(decodeProfile(encodeProfile(mutant)));
      } catch (error) {
        assert.ok(error instanceof FormatError || error instanceof NoExperiment, String((error as Error).stack));
        refused++;
      }
    }
    assert.ok(refused > 60, `${refused} of 120`);
  });

  it('say why a profile cannot be timed again', () => {
    const profile = simulate(programs[0]);
    const why = (changed: Partial<Profile>) => () => new Experiment({ ...profile, ...changed });
    assert.throws(why({ timing: undefined }), /NoExperiment: the profile was made by an older version/);
    assert.throws(why({ timing: undefined, simulated: false }), /NoExperiment: experiments need a simulated profile/);
    const { transfers } = profile;
    assert.throws(why({ transfers: { ...transfers, track: transfers.track.map(() => 0) } }), /NoExperiment: the row Tensor has events of/);
    assert.throws(why({ target: 'trn9' }), /a target that this version does not have/);
    assert.throws(why({ bodyEndNs: profile.bodyEndNs + 5 }), /made by another version or with another machine/);
    assert.throws(() => new Experiment(profile).eventsOf('kernel.py', 9999), /no instruction comes from kernel.py:9999/);
  });
});
