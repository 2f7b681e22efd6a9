/** What the documents forbid is refused with the operands named; what they allow is not. */
import assert from 'node:assert/strict';
import { constraints, refusedByCompiler } from '../../../../src/simulator/isa/constraints';
import { findRow } from '../../../../src/simulator/isa/table';
import { KernelError } from '../../../../src/simulator/program/error';
import { dtypes } from '../../../../src/simulator/vocabulary/dtypes';
import { ProgramBuilder } from '../../../support/programs';
import { verify } from '../../../support/stages';
import { warned } from '../../../support/warned';

function run(record: (b: ProgramBuilder) => void, target = 'trn2', dialect: 'nki' | 'neuronxcc' = 'nki'): string | null {
  const b = new ProgramBuilder({ target, dialect });
  record(b);
  try {
    verify(b.finish());
    return null;
  } catch (error) {
    assert.ok(error instanceof KernelError);
    assert.equal(error.line, 9);
    return error.message;
  }
}

const at = { line: 9 };
type Memory = 'sbuf' | 'psum';

describe('constraints', () => {
  it('name rows and operands of the table', () => {
    for (const c of constraints) {
      const names = [...(c.notBothInPsum ?? []), ...(c.sameDtype ?? []), ...(c.wideTogether ?? [])];
      for (const rule of [c.dtypes, c.free, c.partitions, c.notInPsum]) if (rule) names.push(rule.operand);
      for (const row of c.rows.map(findRow)) {
        if (!row) continue;
        for (const name of names) assert.ok(row.operands[name], `${row.name} has no operand ${name}`);
      }
    }
    for (const { row } of refusedByCompiler) assert.ok(findRow(row) ?? row === 'nki.language.fmod', row);
  });

  it('two inputs in PSUM', () => {
    const add = (a: Memory, b: Memory) =>
      run(p =>
        p.record(
          'nki.isa.tensor_tensor',
          { dst: p.sbuf('o', [128, 4]), data1: p[a]('x', [128, 4]), data2: p[b]('y', [128, 4]) },
          { op: 'add' },
          at,
        ),
      );
    assert.equal(add('psum', 'psum'), 'nki.isa.tensor_tensor: data1 and data2 are both in psum; at most one of them can be');
    for (const [a, b] of [
      ['sbuf', 'psum'],
      ['psum', 'sbuf'],
      ['sbuf', 'sbuf'],
    ] as [Memory, Memory][])
      assert.equal(add(a, b), null);
  });

  it("PSUM in today's dialect, where the legacy one reaches it", () => {
    const tried = (name: string, from: Memory, to: Memory, dialect: 'nki' | 'neuronxcc') => {
      const b = new ProgramBuilder({ dialect });
      const operands = { dst: b[to]('o', [128, 4]), x: b[from]('x', [128, 4]) };
      b.record(name, operands, {}, at);
      try {
        verify(b.finish());
        return null;
      } catch (error) {
        return error instanceof KernelError ? error.message : error;
      }
    };
    assert.match(String(tried('nki.language.rsqrt', 'psum', 'sbuf', 'nki')), /x is in psum.*use nisa.activation with op=nl.rsqrt/);
    assert.equal(tried('nki.language.rsqrt', 'psum', 'sbuf', 'neuronxcc'), null);
    assert.equal(tried('nki.language.rsqrt', 'sbuf', 'sbuf', 'nki'), null);
  });

  it('descriptors by hardware move bytes as they are', () => {
    const copy = (dge_mode: string, dtype: 'float32' | 'bfloat16') =>
      run(p => p.record('nki.isa.dma_copy', { dst: p.sbuf('o', [128, 4], dtype), src: p.sbuf('x', [128, 4]) }, { dge_mode }, at));
    assert.match(copy('hwdge', 'bfloat16') ?? '', /src is float32 and dst is bfloat16; they must have the same dtype/);
    assert.equal(copy('swdge', 'bfloat16'), null);
    assert.equal(copy('hwdge', 'float32'), null);
  });

  it('GpSimd and PSUM', () => {
    const copy = (engine: string, from: Memory) =>
      run(p => p.record('nki.isa.tensor_copy', { dst: p.sbuf('o', [128, 4]), src: p[from]('x', [128, 4]) }, { engine }, at));
    assert.match(copy('GpSimd', 'psum') ?? '', /src \(x\) is in psum, which the GpSimd engine cannot access/);
    assert.equal(copy('Vector', 'psum'), null);
    assert.equal(copy('GpSimd', 'sbuf'), null);
  });

  it('an engine that a generation has not for it', () => {
    const copy = (engine: string, target: string, dialect?: 'neuronxcc') =>
      run(
        p => p.record('nki.isa.tensor_copy', { dst: p.sbuf('o', [128, 4]), src: p.sbuf('x', [128, 4]) }, { engine }, at),
        target,
        dialect,
      );
    assert.match(copy('Scalar', 'trn1') ?? '', /not on the Scalar engine of NeuronCore-v2/);
    // jjbuck/strands-decider at da92e85 ran such copies on Inferentia2 (gdn11.py)
    assert.equal(copy('Scalar', 'trn1', 'neuronxcc'), null);
    assert.equal(copy('Scalar', 'trn2'), null);
    assert.equal(copy('Vector', 'trn1'), null);
  });

  it('dtypes of a matmul', () => {
    const multiply = (s: string, m: string, d: string, target = 'trn2', transpose = false) =>
      run(p => {
        const tiles = { dst: p.psum('o', [64, 32], d), stationary: p.sbuf('s', [128, 64], s), moving: p.sbuf('m', [128, 32], m) };
        p.record('nki.isa.nc_matmul', tiles, { is_transpose: transpose }, at);
      }, target);
    assert.match(multiply('float32', 'bfloat16', 'float32') ?? '', /stationary is float32 and moving is bfloat16; if one is/);
    assert.match(multiply('bfloat16', 'bfloat16', 'bfloat16') ?? '', /dst is bfloat16; it must be float32 on NeuronCore-v3/);
    assert.equal(multiply('bfloat16', 'bfloat16', 'bfloat16', 'trn3'), null);
    assert.equal(multiply('bfloat16', 'bfloat16', 'bfloat16', 'trn2', true), null);
    assert.equal(multiply('bfloat16', 'float16', 'float32'), null);
    assert.equal(multiply('float32', 'tfloat32', 'float32'), null);
    assert.ok(dtypes.length > 0);
  });
});

describe('what the compiler refuses', () => {
  const call = (name: string, numbers: Record<string, number | boolean>) => (b: ProgramBuilder) => {
    const [x, y] = [b.sbuf('x', [128, 128]), b.sbuf('y', [128, 128])];
    for (const tile of [x, y]) b.record('nki.isa.memset', { dst: tile }, { value: 1 });
    const dst = name.endsWith('matmul') ? b.psum('o', [128, 128]) : b.sbuf('o', [128, 128]);
    b.record(name, { dst, x, ...('y' in numbers ? {} : { y }) }, numbers, at);
  };

  it('is a warning with what to do instead', () => {
    warned(call('nki.language.divide', {}), [/compiler does not take nki.language.divide: multiply by nl.reciprocal/, 9]);
    warned(call('nki.language.power', { y: 2 }), [/does not take nki.language.power with a number: pass the exponent as a tile/, 9]);
    warned(call('nki.language.matmul', {}), [/does not take nki.language.matmul without transpose_x=True/, 9]);
  });

  const reduction = (axis: number[], kept: number[]) => (b: ProgramBuilder) => {
    const data = b.sbuf('x', [128, 3, 4]);
    b.record('nki.isa.memset', { dst: data }, { value: 1 });
    b.record('nki.isa.tensor_reduce', { dst: b.sbuf('o', [128, ...kept]), data }, { op: 'add', axis }, at);
  };

  it('is said of axes to reduce that are not the last ones', () => {
    warned(reduction([1], [4]), [/does not take nki.isa.tensor_reduce with axis=1: the axes to reduce are the last ones/, 9]);
    warned(reduction([2], [3]));
    warned(reduction([1, 2], [1]));
  });

  it('is said of a transpose that casts', () => {
    const turned = (dtype: 'float32' | 'bfloat16') => (b: ProgramBuilder) => {
      const data = b.sbuf('x', [128, 64], dtype);
      b.record('nki.isa.memset', { dst: data }, { value: 1 });
      b.record('nki.isa.nc_transpose', { dst: b.psum('o', [64, 128]), data }, {}, at);
    };
    warned(turned('bfloat16'), [/does not take nki.isa.nc_transpose with data and dst of different dtypes: its text asks for the same/, 9]);
    warned(turned('float32'));
  });

  it('is said of an argument that the text calls not supported', () => {
    const reversed = (reverse0: boolean) => (b: ProgramBuilder) => {
      const data = b.sbuf('x', [128, 4]);
      b.record('nki.isa.memset', { dst: data }, { value: 1 });
      const dst = b.sbuf('o', [128, 4]);
      b.record('nki.isa.tensor_scalar_reduce', { dst, data }, { op0: 'subtract', operand0: 1, reduce_op: 'add', reverse0 }, at);
    };
    warned(reversed(true), [/does not take nki.isa.tensor_scalar_reduce with reverse0=True: its text calls that not supported yet/, 9]);
    warned(reversed(false));
  });

  it('not said of what it takes, nor in the legacy dialect', () => {
    warned(call('nki.language.power', {}));
    warned(call('nki.language.matmul', { transpose_x: true }));
    warned(call('nki.language.multiply', { y: 2 }));
    const legacy = new ProgramBuilder({ dialect: 'neuronxcc', target: 'trn1' });
    call('nki.language.divide', {})(legacy);
    assert.deepEqual(verify(legacy.finish()), []);
  });
});
