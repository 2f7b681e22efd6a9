import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checksum, fnv1a64 } from '../../../src/simulator/execute/checksum';
import { Execution } from '../../../src/simulator/execute/execute';
import { semantics } from '../../../src/simulator/execute/semantics/index';
import { instructionTable } from '../../../src/simulator/isa/table';
import { ProgramBuilder } from '../../support/programs';

function counting() {
  const b = new ProgramBuilder();
  const tile = b.hbm('tile', [1, 1], 'float32', 'output');
  b.record('nki.language.zeros', { dst: tile });
  for (let i = 0; i < 200; i++) b.record('nki.language.add', { dst: tile, x: tile }, { y: 1 });
  return { program: b.finish(), tile: tile.index };
}

describe('execution', () => {
  it('has a semantics for every row of the instruction table, and no other', () => {
    assert.deepEqual(Object.keys(semantics).sort(), [...new Set(instructionTable.map(row => row.semantics))].sort());
  });

  it('runs up to an instruction and goes on from there', () => {
    const { program, tile } = counting();
    const execution = new Execution(program, () => null);
    execution.run(11);
    assert.equal(execution.tensor(tile)[0], 10);
    execution.run(11);
    assert.equal(execution.position, 11);
    execution.run();
    assert.equal(execution.tensor(tile)[0], 200);
  });

  it('stops when asked, at an instruction', () => {
    const { program, tile } = counting();
    let polls = 0;
    const execution = new Execution(program, () => null, { shouldStop: () => ++polls === 2 });
    assert.throws(() => execution.run(), { name: 'ExecutionError', message: 'stopped', instruction: 8 });
    assert.equal(execution.tensor(tile)[0], 7);
  });

  it('keeps no tile after its last use, and the next one starts uninitialised', () => {
    const b = new ProgramBuilder();
    const out = b.hbm('out', [1, 2], 'float32', 'output');
    const [first, second] = [b.sbuf('first', [1, 2]), b.sbuf('second', [1, 2])];
    b.record('nki.language.ones', { dst: first });
    b.record('nki.language.copy', { dst: out, x: first });
    b.record('nki.language.zeros', { dst: second.slice(':', 0) });
    b.record('nki.language.copy', { dst: out.slice(':', 1), x: second.slice(':', 1) });
    const execution = new Execution(b.finish(), () => null);
    execution.run();
    assert.deepEqual([...execution.tensor(out.index)], [1, Number.NaN]);
    assert.throws(() => execution.tensor(first.index), /values of first are no longer kept/);
  });

  it('keeps a tile that the kernel returns', () => {
    const b = new ProgramBuilder();
    const tile = b.sbuf('tile', [1, 2]);
    b.record('nki.language.ones', { dst: tile });
    const execution = new Execution(b.output(tile).finish(), () => null);
    execution.run();
    assert.deepEqual([...execution.tensor(tile.index)], [1, 1]);
  });

  it('holds one tile in memory however many a loop allocates', () => {
    const b = new ProgramBuilder();
    const out = b.hbm('out', [1, 1], 'float32', 'output');
    b.record('nki.language.zeros', { dst: out });
    for (let i = 0; i < 21; i++) {
      const tile = b.sbuf(`tile${i}`, [128, 8192]);
      b.record('nki.language.ones', { dst: tile.slice(0, 0) });
      b.record('nki.language.add', { dst: out, x: out, y: tile.slice(0, 0) });
    }
    const execution = new Execution(b.finish(), () => null);
    const before = process.memoryUsage().arrayBuffers;
    execution.run();
    assert.equal(execution.tensor(out.index)[0], 21);
    assert.ok(process.memoryUsage().arrayBuffers - before < 2.5 * 128 * 8192 * 4, 'less than three tiles of 4 MiB');
  });

  it('names what an instruction lacks', () => {
    const misuse: [string, (b: ProgramBuilder) => void, RegExp][] = [
      [
        'an operand',
        b => b.record('nki.isa.tensor_tensor', { dst: b.sbuf('t', [1, 1]), data1: b.sbuf('u', [1, 1]) }, { op: 'add' }),
        /needs data2/,
      ],
      ['an attribute', b => b.record('nki.isa.activation', { dst: b.sbuf('t', [1, 1]), data: b.sbuf('u', [1, 1]) }), /needs op/],
      [
        'a known function',
        b => b.record('nki.isa.activation', { dst: b.sbuf('t', [1, 1]), data: b.sbuf('u', [1, 1]) }, { op: 'toString' }),
        /toString is not an activation/,
      ],
      [
        'a matching shape',
        b => b.record('nki.isa.tensor_copy', { dst: b.sbuf('t', [2, 4]), src: b.sbuf('u', [2, 3]) }),
        /src \[2,3\] does not go with \[2,4\]/,
      ],
      [
        'integers for bits',
        b => b.record('nki.language.bitwise_and', { dst: b.sbuf('t', [1, 1], 'int32'), x: b.sbuf('u', [1, 1]) }, { y: 1 }),
        /x is float32/,
      ],
      [
        'one kind of operation',
        b =>
          b.record(
            'nki.isa.tensor_scalar',
            { dst: b.sbuf('t', [1, 1], 'int32'), data: b.sbuf('u', [1, 1], 'int32') },
            { op0: 'add', operand0: 1, op1: 'bitwise_or', operand1: 1 },
          ),
        /cannot mix bit and arithmetic/,
      ],
      [
        'a free axis',
        b => b.record('nki.language.sum', { dst: b.sbuf('t', [2, 1]), x: b.sbuf('u', [2, 3]) }, { axis: [2] }),
        /axis 2 of a tile of 2 dimensions/,
      ],
      [
        'equal contraction',
        b => b.record('nki.isa.nc_matmul', { dst: b.psum('t', [2, 2]), stationary: b.sbuf('u', [3, 2]), moving: b.sbuf('v', [4, 2]) }),
        /contraction sizes differ, \[3,2\] and \[4,2\]/,
      ],
      [
        'room',
        b => b.record('nki.isa.nc_matmul', { dst: b.psum('t', [2, 3]), stationary: b.sbuf('u', [3, 2]), moving: b.sbuf('v', [3, 2]) }),
        /dst \[2,3\] has no room for 4/,
      ],
    ];
    for (const [what, record, message] of misuse) {
      const b = new ProgramBuilder();
      record(b);
      assert.throws(() => new Execution(b.finish(), () => null).run(), { name: 'ExecutionError', message, instruction: 0 }, what);
    }
  });
});

describe('checksum', () => {
  it('is FNV-1a 64: the published vectors', () => {
    const of = (text: string) => fnv1a64(new TextEncoder().encode(text));
    assert.equal(of(''), 'cbf29ce484222325');
    assert.equal(of('a'), 'af63dc4c8601ec8c');
    assert.equal(of('foobar'), '85944171f73967e8');
  });

  it('equals the definition in BigInt', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        let hash = 0xcbf29ce484222325n;
        for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
        assert.equal(fnv1a64(bytes), hash.toString(16).padStart(16, '0'));
      }),
      { seed: 41, numRuns: 300 },
    );
  });

  it('sees the dtype, not how values are held', () => {
    assert.equal(checksum('bfloat16', [1, 2]), checksum('bfloat16', Float32Array.of(1.0001, 2)));
    assert.notEqual(checksum('bfloat16', [1, 2]), checksum('float16', [1, 2]));
  });
});
