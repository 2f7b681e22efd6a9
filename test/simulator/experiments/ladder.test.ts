/** The ladder of bounds: none is more than the time it bounds, and a kernel that one thing alone holds up is said to be bound by it. */
import assert from 'node:assert/strict';
import { Experiment } from '../../../src/simulator/experiments/experiment';
import { headline } from '../../../src/simulator/experiments/headline';
import { ladder, reachableNs } from '../../../src/simulator/experiments/ladder';
import { costliestWait } from '../../../src/simulator/experiments/restOfTime';
import { TARGETS } from '../../../src/simulator/hardware/targets';
import type { Program } from '../../../src/simulator/program/program';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';

const TOLERANCE_NS = 0.01;

function bound(program: Program) {
  const profile = simulate(program, { pipeline: 'literal' });
  const experiment = new Experiment(profile);
  const rungs = ladder(experiment);
  const wait = costliestWait(experiment);
  return { profile, rungs, wait, headline: headline(profile, rungs, 'Trn2', () => wait) };
}

describe('the ladder of bounds', () => {
  it('has no rung above the time it bounds, on random programs of all targets', () => {
    for (let seed = 1; seed <= 30; seed++)
      for (const pipeline of ['literal', 'rewriting'] as const) {
        const profile = simulate(randomProgram(seed, 90, TARGETS[seed % TARGETS.length]), { pipeline });
        const rungs = ladder(new Experiment(profile));
        const [asItRan, body, ...others] = rungs;
        assert.equal(asItRan.timeNs, profile.totalTimeNs);
        assert.ok(body.timeNs < asItRan.timeNs);
        for (const rung of others)
          assert.ok(rung.timeNs <= body.timeNs + TOLERANCE_NS, `${seed} ${pipeline} ${rung.name} ${rung.timeNs} > ${body.timeNs}`);
        assert.ok(reachableNs(rungs) > 0);
      }
  });

  it('says VectorE of a kernel that adds on and on', () => {
    const b = new ProgramBuilder({ kernel: 'adds' });
    const tiles = [0, 1, 2, 3].map(k => b.sbuf(`t${k}`, [128, 512], 'float32'));
    for (const tile of tiles) b.record('nki.isa.memset', { dst: tile }, { value: 1 });
    b.loop('i', 200, i => {
      const tile = tiles[i % tiles.length];
      b.record('nki.isa.tensor_tensor', { dst: tile, data1: tile, data2: tile }, { op: 'add', engine: 'Vector' });
    });
    const { headline: said } = bound(b.finish());
    assert.equal(said.bound, 'VectorE');
    assert.ok(said.reachedShare > 0.9, String(said.reachedShare));
    assert.match(said.sentence, /^VectorE-bound: \d+ % of what this algorithm can reach on Trn2/);
  });

  it('says of a kernel whose parts take turns that dependences bound it: it loads one small tile after another into one buffer', () => {
    const b = new ProgramBuilder({ kernel: 'loads' });
    const input = b.hbm('input', [128, 64], 'float32', 'input');
    const output = b.hbm('output', [128, 64], 'float32', 'output');
    const tile = b.sbuf('tile', [128, 64], 'float32');
    b.loop('i', 20, () => {
      b.record('nki.isa.dma_copy', { dst: tile, src: input }, { dge_mode: 'hwdge' });
      b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' });
      b.record('nki.isa.dma_copy', { dst: output, src: tile }, { dge_mode: 'hwdge' });
    });
    const { headline: said, rungs } = bound(b.finish());
    assert.equal(said.bound, 'Dependence', JSON.stringify(rungs));
    assert.match(said.sentence, /the rest waits mostly for/);
    const [, body, unbuffered] = rungs;
    assert.ok(unbuffered.timeNs < 0.7 * body.timeNs, 'its one buffer is what holds it up');
  });

  it('names what gains most without its wait, not a longer wait behind which another one stands', () => {
    const b = new ProgramBuilder({ kernel: 'turns' });
    const [tile, sum, exp] = ['tile', 'sum', 'exp'].map(name => b.sbuf(name, [128, 512], 'float32'));
    for (const dst of [tile, sum, exp]) b.record('nki.isa.memset', { dst }, { value: 1 }, { line: 10 });
    b.loop('i', 30, () => {
      // Both work on the tile at the same time, about as long; what comes next is shorter, and waits for both.
      b.record('nki.isa.tensor_tensor', { dst: sum, data1: tile, data2: tile }, { op: 'add', engine: 'Vector' }, { line: 11 });
      b.record('nki.isa.activation', { dst: exp, data: tile }, { op: 'exp' }, { line: 12 });
      b.record('nki.isa.tensor_tensor', { dst: tile, data1: sum, data2: exp }, { op: 'add', engine: 'GpSimd' }, { line: 13 });
    });
    const { profile, wait, headline: said } = bound(b.finish());
    const experiment = new Experiment(profile);
    const gains = [11, 12, 13].map(line => {
      const [file] = profile.files;
      return profile.totalTimeNs - experiment.totalNs({ kind: 'events', events: experiment.eventsOf(file.path, line), speed: Infinity });
    });
    assert.equal(Math.max(...gains), gains[2], String(gains));
    assert.ok(Math.abs(wait!.gainNs - gains[2]) < TOLERANCE_NS);
    assert.match(said.sentence, /the rest waits mostly for the \w+ of line 13\.$/);
  });

  it('says so where no wait gains 1 % of the time', () => {
    const { profile, rungs } = bound(randomProgram(3, 90));
    const wait = { reason: 'data' as const, blocker: 0, gainNs: 0.009 * profile.totalTimeNs };
    assert.match(headline(profile, rungs, 'Trn2', () => wait).sentence, /; no wait alone makes up the rest\.$/);
  });

  it('names the file of the line where the kernel has lines in several', () => {
    const b = new ProgramBuilder({ kernel: 'loads' });
    const [input, output] = ['input', 'output'].map(name => b.hbm(name, [128, 64], 'float32', name as 'input' | 'output'));
    const tile = b.sbuf('tile', [128, 64], 'float32');
    b.loop('i', 20, () => {
      b.record('nki.isa.dma_copy', { dst: tile, src: input }, { dge_mode: 'hwdge' });
      b.record('nki.isa.dma_copy', { dst: output, src: tile }, { dge_mode: 'hwdge' });
    });
    const { profile, rungs, wait, headline: said } = bound(b.finish());
    assert.match(said.sentence, / line \d+/);
    const { frames, files } = profile;
    const file = frames.file.slice();
    file[file.length - 1] = files.length;
    const spread = { ...profile, files: [...files, { ...files[0], path: '/lib/helper.py' }], frames: { ...frames, file } };
    assert.match(headline(spread, rungs, 'Trn2', () => wait).sentence, / [\w-]+\.py:\d+/);
  });

  it('has a sentence for a kernel whose DMAs stay on the chip', () => {
    const b = new ProgramBuilder({ kernel: 'copies' });
    const tiles = [0, 1].map(k => b.sbuf(`t${k}`, [128, 8192], 'float32'));
    b.record('nki.isa.memset', { dst: tiles[0] }, { value: 1 });
    b.loop('i', 8, () => b.record('nki.isa.dma_copy', { dst: tiles[1], src: tiles[0] }, { dge_mode: 'hwdge' }));
    const { headline: said, rungs } = bound(b.finish());
    assert.equal(rungs.find(({ name }) => name === 'HBM bandwidth')?.timeNs, 0);
    assert.ok(rungs.every(({ name }) => name !== 'FLOPs at peak'));
    assert.match(said.sentence, /of what this algorithm can reach on Trn2/);
  });
});
