/** Which tensors may start at other partitions than 0, and which only together. */
import assert from 'node:assert/strict';
import { startPartitions } from '../../../../src/simulator/compile/allocation/startPartitions';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile, inOrder } from '../../../support/stages';

/** Of each tensor, as the compiler sees the program: where it may start, and with whom it must. */
function found(b: ProgramBuilder, tensors: readonly Tensor[]) {
  const { patterns, instructions, accesses } = compile(b.finish(), { policy: inOrder });
  const { group, starts } = startPartitions(patterns, { instructions, accesses }, machineFor('trn2'));
  return {
    starts: tensors.map(({ index }) => starts.get(group[index])!.join(' ')),
    together: (a: Tensor, c: Tensor) => group[a.index] === group[c.index],
  };
}

const ALL = '0 32 64 96';

describe('start partitions', () => {
  it('depend on the number of partitions', () => {
    const b = new ProgramBuilder();
    const tensors = [1, 32, 33, 64, 65, 128].map(rows => b.sbuf(`t${rows}`, [rows, 8]));
    for (const dst of tensors) b.record('nki.isa.memset', { dst }, { value: 1, engine: 'Vector' });
    assert.deepEqual(found(b, tensors).starts, [ALL, ALL, '0 64', '0 64', '0', '0']);
  });

  it('are the same for what an engine reads together, not for what it writes', () => {
    const b = new ProgramBuilder();
    const [x, y, z, w] = ['x', 'y', 'z', 'w'].map(name => b.sbuf(name, [32, 8]));
    const wide = b.sbuf('wide', [128, 8]);
    for (const dst of [x, y, w, wide]) b.record('nki.isa.memset', { dst }, { value: 1, engine: 'Vector' });
    b.record('nki.isa.tensor_tensor', { dst: z, data1: x, data2: y }, { op: 'add' });
    b.record('nki.isa.tensor_tensor', { dst: z, data1: y, data2: wide.slice([0, 32], ':') }, { op: 'add' });
    const { starts, together } = found(b, [x, y, z, w, wide]);
    assert.ok(together(x, y) && together(y, wide) && !together(x, z) && !together(x, w));
    assert.deepEqual(starts, ['0', '0', ALL, ALL, '0']);
  });

  it('are free for tensors that DMAs move together', () => {
    const b = new ProgramBuilder();
    const [x, y] = [b.sbuf('x', [32, 8]), b.sbuf('y', [32, 8])];
    b.record('nki.isa.memset', { dst: x }, { value: 1, engine: 'Vector' });
    b.record('nki.isa.dma_copy', { dst: y, src: x.all });
    b.record('nki.isa.dma_copy', { dst: b.hbm('out', [32, 8], 'float32', 'output'), src: y });
    assert.deepEqual(found(b, [x, y]).starts, [ALL, ALL]);
  });

  it('stay 0 for what TensorE reads', () => {
    const b = new ProgramBuilder();
    const [stationary, moving] = [b.sbuf('s', [32, 32], 'bfloat16'), b.sbuf('m', [32, 64], 'bfloat16')];
    for (const dst of [stationary, moving]) b.record('nki.isa.memset', { dst }, { value: 1, engine: 'Vector' });
    b.record('nki.isa.nc_matmul', { dst: b.psum('p', [32, 64]), stationary, moving }, { accumulate: false });
    assert.deepEqual(found(b, [stationary, moving]).starts, ['0', '0']);
  });

  it('leave parts of a tensor where engines reach them', () => {
    const b = new ProgramBuilder();
    const [x, odd, rows] = [b.sbuf('x', [64, 8]), b.sbuf('odd', [64, 8]), b.sbuf('rows', [32, 8])];
    for (const dst of [x, odd, rows]) b.record('nki.isa.memset', { dst }, { value: 1, engine: 'Vector' });
    b.record('nki.isa.tensor_copy', { dst: b.sbuf('a', [32, 8]), src: x.slice([32, 64], ':') }, { engine: 'Vector' });
    b.record('nki.isa.tensor_copy', { dst: b.sbuf('b', [16, 8]), src: odd.slice([0, 64, 4], ':') }, { engine: 'Vector' });
    b.record('nki.isa.tensor_copy', { dst: b.sbuf('c', [8, 8]), src: rows.slice([8, 16], ':') }, { engine: 'Vector' });
    // of steps over partitions nothing is known, and partition 8 is as far from the others as before
    assert.deepEqual(found(b, [x, odd, rows]).starts, ['0 64', '0', '0']);
  });
});
