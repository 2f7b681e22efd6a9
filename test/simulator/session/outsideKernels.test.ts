/** What operations outside of kernels cost, against the sums that their rules say. */
import assert from 'node:assert/strict';
import { operations } from '../../../src/simulator/execute/arrays/operations';
import { machineFor, TARGETS } from '../../../src/simulator/hardware/targets';
import { operationCost } from '../../../src/simulator/session/outsideKernels';

const array = (dtype: string, ...shape: number[]) => ({ dtype, shape });

describe('operations outside of kernels', () => {
  for (const target of TARGETS) {
    const machine = machineFor(target);
    const { dma } = machine;
    const rate = (limit: number) => Math.min(limit, 16 * dma.engineBytesPerNs.value);
    const moved = (read: number, written: number) => read / rate(dma.hbmReadBytesPerNs.value) + written / rate(dma.writeBytesPerNs.value);

    it(`takes the FLOPs of a large product at the peak of its dtype on ${target}`, () => {
      const n = 4096;
      const [bf16, fp32] = ['bfloat16', 'float32'].map(
        dtype => operationCost('matmul', [array(dtype, n, n), array(dtype, n, n)], array(dtype, n, n), machine)!,
      );
      assert.equal(bf16.flops, 2 * n ** 3);
      assert.ok(Math.abs(bf16.timeNs! - ((2 * n ** 3) / machine.peakFlops.value) * 1e9) < 1e-3);
      assert.ok(Math.abs(fp32.timeNs! / bf16.timeNs! - 4) < 1e-9);
    });

    it(`takes the bytes of a thin product and of elementwise operations on ${target}`, () => {
      const thin = operationCost('matmul', [array('float32', 1, 8192), array('float32', 8192, 4)], array('float32', 1, 4), machine)!;
      assert.ok(Math.abs(thin.timeNs! - moved((8192 + 8192 * 4) * 4, 16)) < 1e-6);
      const add = operationCost('add', [array('bfloat16', 128, 64), array('bfloat16', 64)], array('bfloat16', 128, 64), machine)!;
      assert.ok(Math.abs(add.timeNs! - moved(2 * (128 * 64 + 64), 2 * 128 * 64)) < 1e-6);
      assert.equal(add.bytes, 2 * (2 * 128 * 64 + 64));
      assert.equal(add.flops, 0);
    });
  }

  it('has a rule for an operation, or says that it has none; views take nothing', () => {
    const machine = machineFor('trn2');
    const costs = [...operations.keys()].map(op => operationCost(op, [array('float32', 4, 4)], array('float32', 4, 4), machine));
    for (const cost of costs) if (cost) assert.equal(cost.timeNs === null, /no rule/.test(cost.rule));
    assert.equal(operationCost('reshape', [array('float32', 4, 4)], array('float32', 16), machine), null);
    assert.equal(operationCost('sort', [array('float32', 4)], array('float32', 4), machine)!.timeNs, null);
  });

  it('knows no product of doubles', () => {
    const cost = operationCost('matmul', [array('float64', 4, 4), array('float64', 4, 4)], array('float64', 4, 4), machineFor('trn2'))!;
    assert.equal(cost.timeNs, null);
    assert.match(cost.rule, /no products in float64/);
  });
});
