/** What a profile says of its own times is what the model does, and quotes every figure that was measured for it. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../src/simulator/compile/compiled';
import { MEASURED_ACCURACY } from '../../../src/simulator/hardware/measuredAccuracy';
import { machineFor, TARGETS } from '../../../src/simulator/hardware/targets';
import { accuracyStatement } from '../../../src/simulator/profile/accuracy';
import { simulate } from '../../../src/simulator/simulate';
import { PIPELINES } from '../../../src/simulator/vocabulary/pipelines';
import { ProgramBuilder } from '../../support/programs';
import { compile } from '../../support/stages';
import { runOnTwoCores } from '../../support/twoCores';

/** VectorE begins and ends each iteration, and ScalarE works in between: a scheduler lets the next one begin meanwhile. */
function iterations(pipeline: Compiled['pipeline'], attributes: { ordered?: boolean } = {}, nkiVersion?: string) {
  const b = new ProgramBuilder({ target: 'trn2', literal: pipeline === 'literal', nkiVersion });
  for (let i = 0; i < 6; i++) {
    const [loaded, first, middle, last] = ['loaded', 'first', 'middle', 'last'].map(name => b.sbuf(`${name}${i}`, [128, 512]));
    b.record('nki.isa.dma_copy', { dst: loaded, src: b.hbm(`in${i}`, [128, 512], 'float32', 'input') }, attributes);
    b.record('nki.isa.tensor_tensor', { dst: first, data1: loaded, data2: loaded }, { op: 'add', ...attributes });
    b.record('nki.isa.activation', { dst: middle, data: first }, { op: 'exp', ...attributes });
    b.record('nki.isa.tensor_tensor', { dst: last, data1: middle, data2: middle }, { op: 'add', ...attributes });
    b.record('nki.isa.dma_copy', { dst: b.hbm(`out${i}`, [128, 512], 'float32', 'output'), src: last }, attributes);
  }
  return simulate(b.finish(), { pipeline }).accuracy;
}

const MERGED = /small reductions and neighbouring loads and stores merged/;

describe('the accuracy statement', () => {
  it('says whose order the instructions have', () => {
    assert.match(iterations('literal'), /runs as written\. Its instructions are in the order of the modelled compiler\. /);
    assert.match(iterations('literal', {}, '0.2'), /in the order of the modelled compiler of NKI 0\.2\. /);
    assert.match(iterations('literal', {}, '0.5'), /in the order of the modelled compiler\. /);
    assert.match(iterations('literal', { ordered: true }), /runs as written\. Its engines compute in the order of the program\. /);
    assert.match(iterations('backend-off'), /Its engines compute in the order of the program\. /);
    assert.match(runOnTwoCores().accuracy, /Its engines compute in the order of the program\. /);
  });

  it('names the merging of rewritten kernels, and not of those that keep their order', () => {
    const text = iterations('rewriting');
    assert.match(text, MERGED);
    assert.doesNotMatch(text, /(reductions|stores)[^.]* not modelled/);
    assert.doesNotMatch(iterations('rewriting', { ordered: true }), MERGED);
    assert.doesNotMatch(iterations('literal'), MERGED);
  });

  it('quotes each measured figure in some profile', () => {
    const { instructions } = compile(new ProgramBuilder({ target: 'trn2' }).finish());
    const statement = (pipeline: Compiled['pipeline'], target: string) =>
      accuracyStatement({ machine: machineFor(target), pipeline, assumed: [], instructions });
    for (const [key, { rows, meanPercent }] of Object.entries(MEASURED_ACCURACY))
      assert.ok(
        PIPELINES.some(pipeline =>
          TARGETS.some(target =>
            new RegExp(`Against ${rows} published times of [a-z ]*kernels[a-z ]* on ${target} the error is ${meanPercent} %`).test(
              statement(pipeline, target),
            ),
          ),
        ),
        key,
      );
  });
});
