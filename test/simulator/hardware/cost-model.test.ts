/** Times of single instructions against those measured on hardware (`bench/fidelity/instructions.ts`). */
import assert from 'node:assert/strict';
import { EXPLANATIONS, INSTRUCTION_ROWS, instructionError } from '../../../bench/fidelity/instructions';
import { CostModel } from '../../../src/simulator/hardware/cost-model';
import { machineFor } from '../../../src/simulator/hardware/targets';

const cost = { issueNs: 0, durationNs: 0 };
const trn2 = new CostModel(machineFor('trn2'));
const trn1 = new CostModel(machineFor('trn1'));
/** Percent. */
const CLOSE = 5;

describe('cost model against measured instructions', () => {
  for (const row of INSTRUCTION_ROWS) {
    const explanation = EXPLANATIONS[row.id];
    it(`${row.id}: ${row.measured} ${row.unit ?? 'ns'}${explanation ? ` (${explanation.why})` : ''}`, () => {
      const error = instructionError(row);
      const near = explanation ? Math.abs(error) > CLOSE && Math.abs(error - explanation.percent) < 1 : Math.abs(error) <= CLOSE;
      assert.ok(near, `modelled ${row.modelled()}, measured ${row.measured}: ${error.toFixed(1)} % off`);
    });
  }

  it('names every row once, and explains no other', () => {
    const ids = INSTRUCTION_ROWS.map(row => row.id);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      Object.keys(EXPLANATIONS).filter(id => !ids.includes(id)),
      [],
    );
  });

  it('documented rules: v2 tensor_tensor takes 2N, N when all is bf16 in SBUF', () => {
    const time = (bytes: number) =>
      trn1.elementwise('vectorTensorTensor', 'Vector', { elements: 11200, bytes, psum: false, unitStride: true }, cost).issueNs;
    assert.ok(Math.abs(time(4) - time(2) - 11200 / 1.12) < 1e-6);
  });

  it('documented rules: v3 copies 16-bit SBUF tiles four times as fast as fp32 from PSUM', () => {
    const streaming = (bytes: number, psum: boolean) =>
      trn2.elementwise('vectorCopy', 'Vector', { elements: 9600, bytes, psum, unitStride: true }, cost).issueNs - 132;
    assert.ok(Math.abs(streaming(4, true) / streaming(2, false) - 4) < 1e-9);
  });
});
