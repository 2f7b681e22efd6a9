/** Kernels that fit only where tensors of few partitions have the same bytes: they run, and nothing says that they lie elsewhere. */
import assert from 'node:assert/strict';
import { idleNs } from '../../../../src/simulator/analyze/idleAllocations';
import { partitionUsage } from '../../../../src/simulator/analyze/partitionUsage';
import { READ } from '../../../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import { CapacityError } from '../../../../src/simulator/program/error';
import type { Program } from '../../../../src/simulator/program/program';
import { simulate } from '../../../../src/simulator/simulate';
import { ProgramBuilder } from '../../../support/programs';
import { compile } from '../../../support/stages';

const KIB = 1024 / 2; // elements of bf16

/**
 * The rotation of `core/embeddings/rope.py` of nki-library: of each half of the rows with a value of its own, so that the second half is
 * copied to where the first is. @param rows of x @param kib of a row
 */
function rotation(rows: number, kib: number): Program {
  const half = rows / 2;
  const b = new ProgramBuilder({ target: 'trn2' });
  const load = (name: string, partitions: number, columns: number) => {
    const dst = b.sbuf(name, [partitions, columns], 'bfloat16');
    b.record('nki.isa.dma_copy', { dst, src: b.hbm(`${name}_hbm`, [partitions, columns], 'bfloat16', 'input') });
    return dst;
  };
  const columns = kib * KIB;
  const x = load('x', rows, columns);
  const [cos, sin] = ['cos', 'sin'].map(name => load(name, half, columns / 8));
  const first = x.slice([0, half], ':');
  const tile = (name: string) => b.sbuf(name, [half, columns], 'bfloat16');
  const wide = (tensor: typeof cos) =>
    tensor.ap([
      [columns / 8, half],
      [0, 8],
      [1, columns / 8],
    ]);
  const odd = tile('odd');
  b.record('nki.isa.tensor_copy', { dst: odd, src: x.slice([half, rows], ':') }, { engine: 'Vector' });
  const combined = (dst: ReturnType<typeof x.slice>, data1: typeof dst, data2: typeof dst, op: string) =>
    b.record('nki.isa.tensor_tensor', { dst, data1, data2 }, { op });
  const [evenCos, oddCos, evenSin, oddSin] = ['even_cos', 'odd_cos', 'even_sin', 'odd_sin'].map(tile);
  combined(evenCos.all, first, wide(cos), 'multiply');
  combined(oddCos.all, odd.all, wide(cos), 'multiply');
  combined(evenSin.all, first, wide(sin), 'multiply');
  combined(oddSin.all, odd.all, wide(sin), 'multiply');
  const out = b.sbuf('out', [rows, columns], 'bfloat16');
  combined(out.slice([0, half], ':'), evenCos.all, oddSin.all, 'subtract');
  combined(out.slice([half, rows], ':'), oddCos.all, evenSin.all, 'add');
  b.record('nki.isa.dma_copy', { dst: b.hbm('y', [rows, columns], 'bfloat16', 'output'), src: out });
  return b.finish();
}

const without = withValues(neuronPolicy, { lastStrategies: [] });

describe('placement by partition', () => {
  for (const rows of [64, 128])
    it(`runs a rotation of ${rows} rows of 64 KiB, whose tiles need 328 KiB one behind the other`, () => {
      const program = rotation(rows, 64);
      assert.throws(() => compile(program, { policy: without }), /328 KiB are needed at once/);
      const { allocation: a, patterns, instructions, accesses, machine } = compile(program);
      const used = [...a.firstUse.keys()].filter(t => a.addressBytes[t] >= 0);
      const moved = used.filter(t => a.firstPartition[t] > 0);
      assert.ok(moved.length > 0);
      for (const t of used) {
        assert.ok(a.addressBytes[t] + patterns.bytesPerPartition(t) <= machine.sbufBytesPerPartition.value);
        assert.ok(a.firstPartition[t] + patterns.size(t, 0) <= 128);
      }
      // what VectorE reads together starts at one partition
      for (let i = 0; i < instructions.track.length; i++) {
        if (instructions.transfer[i] >= 0) continue;
        const starts = new Set<number>();
        for (let k = instructions.accessStart[i]; k < instructions.accessStart[i + 1]; k++) {
          const pattern = accesses.pattern[k];
          if (accesses.role[k] === READ) starts.add(a.firstPartition[patterns.tensor(pattern)] + patterns.firstPartition(pattern));
        }
        assert.equal(starts.size, 1);
      }
    });

  it('is shown: in the addresses of operands, in allocations, and in what lies idle', () => {
    const p = simulate(rotation(64, 64));
    const { name, partitionStart, addressBytes, startNs, endNs } = p.allocations;
    const moved = [...name.keys()].filter(row => partitionStart[row] > 0);
    assert.ok(moved.length > 0);
    const idle = idleNs(p);
    for (const row of moved) {
      const at = addressBytes[row] + partitionStart[row] * machineFor('trn2').addressPartitionBytes.value;
      assert.ok([...p.operands.tensor.keys()].some(k => p.operands.tensor[k] === name[row] && p.operands.addressBytes[k] === at));
      assert.ok(idle[row] < 0.9 * (endNs[row] - startNs[row]), p.strings[name[row]]);
    }
  });

  it('never shows more bytes of a partition in use than there are, also while one instruction reads a tile and writes its successor', () => {
    for (const rows of [64, 128])
      for (const { timeNs, used } of partitionUsage(simulate(rotation(rows, 64))))
        assert.ok(Math.max(...used) <= 1, `${rows} rows: ${used} at ${timeNs} ns`);
  });

  it('changes nothing that fits otherwise', () => {
    const program = rotation(128, 32);
    assert.deepEqual(compile(program).allocation, compile(program, { policy: without }).allocation);
    assert.ok(compile(program).allocation.firstPartition.every(first => first === 0));
  });

  it('leaves the error as it was where it does not help', () => {
    const messageOf = (program: Program, policy = neuronPolicy): string => {
      try {
        compile(program, { policy });
      } catch (error) {
        if (error instanceof CapacityError) return error.message;
        throw error;
      }
      assert.fail('it fits');
    };
    const program = rotation(128, 80);
    assert.match(messageOf(program), /410 KiB are needed at once: x 80 KiB \(line \d+\), odd 80 KiB .*; 202\.01 KiB are missing$/);
    assert.equal(messageOf(program), messageOf(program, without));
  });
});
