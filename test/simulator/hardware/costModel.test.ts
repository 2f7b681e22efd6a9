/** Times of single instructions against those measured on hardware (`bench/fidelity/instructions.ts`). */
import assert from 'node:assert/strict';
import { EXPLANATIONS, INSTRUCTION_ROWS, instructionError } from '../../../bench/fidelity/instructions';
import { CostModel } from '../../../src/simulator/hardware/costModel';
import { isLongStride, NO_OPERANDS } from '../../../src/simulator/hardware/operands';
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
      trn1.elementwise('vectorTensorTensor', 'Vector', { ...NO_OPERANDS, elements: 11200, bytes, leastBytes: bytes }, cost).issueNs;
    assert.ok(Math.abs(time(4) - time(2) - 11200 / 1.12) < 1e-6);
  });

  it('documented rules: v3 copies 16-bit SBUF tiles four times as fast as fp32 from PSUM', () => {
    const { fixedNs, fixedPsumNs } = trn2.machine.rules.vectorCopy;
    const streaming = (bytes: number, psum: boolean) =>
      trn2.elementwise('vectorCopy', 'Vector', { ...NO_OPERANDS, elements: 480, bytes, leastBytes: bytes, psum }, cost).durationNs -
      (psum ? fixedPsumNs! : fixedNs).value;
    assert.ok(Math.abs(streaming(4, true) / streaming(2, false) - 4) < 1e-9);
  });

  it('documented rules: a stride above 16 bytes halves what streams, and leaves slower arithmetic alone', () => {
    const streaming = (rule: 'scalarCopy' | 'vectorReciprocal', longStride: boolean) => {
      const engine = rule === 'scalarCopy' ? 'Scalar' : 'Vector';
      const operands = { ...NO_OPERANDS, elements: 9600, bytes: 4, leastBytes: 4, unitStride: false, longStrideRead: longStride };
      return trn1.elementwise(rule, engine, operands, cost).issueNs - trn1.machine.rules[rule].issueNs.value;
    };
    assert.ok(Math.abs(streaming('scalarCopy', true) / streaming('scalarCopy', false) - 2) < 1e-9);
    assert.equal(streaming('vectorReciprocal', true), streaming('vectorReciprocal', false));
    assert.ok(!isLongStride(trn1.machine, 8, 2) && isLongStride(trn1.machine, -10, 2));
    const columns = (longStride: boolean) => trn2.matmul('bf16', 512, cost, longStride).issueNs;
    assert.equal(columns(true), 2 * columns(false));
    assert.equal(trn2.matmul('fp32', 512, cost, true).issueNs, trn2.matmul('fp32', 512, cost).issueNs);
  });

  it('documented rules: fp8 has the modes of 16-bit types on v4 only', () => {
    const trn3 = new CostModel(machineFor('trn3'));
    const streaming = (model: CostModel, bytes: number) => {
      const { issueNs } = model.elementwise('vectorCopy', 'Vector', { ...NO_OPERANDS, elements: 9600, bytes, leastBytes: bytes }, cost);
      return issueNs - model.machine.rules.vectorCopy.issueNs.value;
    };
    assert.ok(Math.abs(streaming(trn2, 1) - 2 * streaming(trn2, 2)) < 1e-9);
    assert.ok(Math.abs(streaming(trn3, 1) - streaming(trn3, 2)) < 1e-9);
  });
});
