/** Which tensors may have the place of another one whose last use is their first. */
import assert from 'node:assert/strict';
import { lifetimes } from '../../../../src/simulator/compile/allocation/lifetimes';
import { takeovers } from '../../../../src/simulator/compile/allocation/takeovers';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { type Operand, ProgramBuilder, type Tensor } from '../../../support/programs';
import { compile, inOrder } from '../../../support/stages';

type Record = (b: ProgramBuilder, x: Tensor, y: Tensor) => Tensor;

/** x and y are filled; what `record` makes of them is stored. @returns tensors whose place the result takes over, with the partitions between */
function found(record: Record, rows = 64, dtype = 'float32'): string {
  const b = new ProgramBuilder();
  const [x, y] = ['x', 'y'].map(name => b.sbuf(name, [rows, 32], dtype));
  for (const dst of [x, y]) b.record('nki.isa.memset', { dst }, { value: 1, engine: 'Vector' });
  const result = record(b, x, y);
  b.record('nki.isa.dma_copy', { dst: b.hbm('out', result.shape.slice(), result.dtype, 'output'), src: result });
  const program = b.finish();
  const { patterns, instructions, accesses } = compile(program, { policy: inOrder });
  const lives = lifetimes(patterns, instructions, accesses);
  const all = takeovers({ machine: machineFor('trn2'), program, patterns, instructions, accesses, lives });
  assert.ok([...all.keys()].every(later => later === result.index));
  return [...(all.get(result.index) ?? [])].map(([earlier, behind]) => `${earlier === x.index ? 'x' : 'y'} ${behind}`).join(', ');
}

const sum = (b: ProgramBuilder, dst: Operand, data1: Operand, data2: Operand) =>
  b.record('nki.isa.tensor_tensor', { dst, data1, data2 }, { op: 'add' });

describe('takeovers', () => {
  it('are of inputs whose last use it is, by instructions that work element by element', () => {
    const added: Record = (b, x, y) => {
      const z = b.sbuf('z', [...x.shape]);
      sum(b, z, x, y);
      return z;
    };
    assert.equal(found(added), 'x 0, y 0');
    assert.equal(found(added, 65), '', 'of tensors of more partitions');
    const usedAgain: Record = (b, x, y) => {
      const z = added(b, x, y);
      sum(b, z, z, y);
      return z;
    };
    assert.equal(found(usedAgain), 'x 0');
    const readBefore: Record = (b, x, y) => {
      const z = b.sbuf('z', [...x.shape]);
      b.record('nki.isa.memset', { dst: z }, { value: 0, engine: 'Vector' });
      sum(b, z, x, y);
      return z;
    };
    assert.equal(found(readBefore), '');
    const transposed: Record = (b, x) => {
      const z = b.sbuf('z', [32, 32]);
      b.record('nki.isa.nc_transpose', { dst: z, data: x.slice([0, 32], ':') }, { engine: 'Vector' });
      return z;
    };
    assert.equal(found(transposed), '');
  });

  it('are at the partition that the instruction reads', () => {
    const lower: Record = (b, x, y) => {
      const z = b.sbuf('z', [128, 32]);
      sum(b, z.slice([64, 128], ':'), x, y);
      return z;
    };
    assert.equal(found(lower), 'x -64, y -64');
  });

  it('are only where the elements lie alike', () => {
    const apart = (dst: (z: Tensor) => Operand, data: (x: Tensor) => Operand, dtype = 'float32'): Record => {
      return (b, x, y) => {
        const z = b.sbuf('z', [64, 64], dtype);
        sum(b, dst(z), data(x), y.slice(':', [0, 16]));
        return z;
      };
    };
    const left = (t: Tensor) => t.slice(':', [0, 16]);
    assert.equal(found(apart(left, left)), 'x 0, y 0');
    assert.equal(found(apart(left, x => x.slice(':', [16, 32]))), 'y 0', 'other columns');
    assert.equal(found(apart(left, x => x.slice(':', [0, 32, 2]))), 'y 0', 'every second column');
    assert.equal(found(apart(left, left, 'bfloat16')), '', 'other sizes');
    assert.equal(
      found((b, x) => {
        const z = b.sbuf('z', [64, 16]);
        sum(b, z, left(x), x.slice(':', [16, 32]));
        return z;
      }),
      '',
      'read at two places',
    );
  });
});
