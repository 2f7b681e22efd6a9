/** Programs that no NeuronCore runs are refused at their line. */
import assert from 'node:assert/strict';
import { KernelError } from '../../../src/simulator/program/error';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { verify } from '../../support/stages';

function refused(record: (b: ProgramBuilder) => void, message: RegExp, line: number, target = 'trn2') {
  const b = new ProgramBuilder({ target });
  record(b);
  assert.throws(
    () => verify(b.finish()),
    (error: KernelError) => {
      assert.ok(error instanceof KernelError, String(error));
      assert.match(error.message, message);
      assert.equal(error.line, line);
      assert.ok(error.file.endsWith('kernel.py'));
      return true;
    },
  );
}

describe('verify', () => {
  it('accepts legal programs', () => {
    // Random programs read what they have not written, and only that is to be said of them.
    for (const seed of [1, 2, 3])
      for (const { severity, message } of verify(randomProgram(seed))) assert.match(`${severity} ${message}`, /^warning .*(written|write)/);
  });

  it('more than 128 partitions', () => {
    refused(b => b.sbuf('t', [129, 4], 'float32', { line: 5 }), /t has shape \[129,4\]: sbuf has 128 partitions/, 5);
  });

  it('more than PSUM holds', () => {
    refused(
      b => b.psum('t', [128, 5000], 'float32', { line: 6 }),
      /needs 19.53 KiB of each partition of PSUM, and NeuronCore-v3 has 16 KiB/,
      6,
    );
  });

  it('a PSUM tile placed inside a bank', () => {
    const placed = (addressBytes: number) => (b: ProgramBuilder) => b.psum('t', [128, 128], 'float32', { line: 6, addressBytes });
    refused(placed(1024), /t is placed at byte 1024 of PSUM; it must start at a bank, a multiple of 2048/, 6);
    const b = new ProgramBuilder();
    placed(4096)(b);
    verify(b.finish());
  });

  it('an operand in a memory its instruction cannot reach', () => {
    const record = (b: ProgramBuilder) =>
      b.record('nki.isa.activation', { dst: b.sbuf('o', [128, 4]), data: b.hbm('x', [128, 4]) }, { op: 'exp' }, { line: 7 });
    refused(record, /data \(x\) is in hbm; it must be in sbuf or psum/, 7);
  });

  it('a matmul into SBUF', () => {
    const record = (b: ProgramBuilder) => {
      const operands = { dst: b.sbuf('o', [128, 4]), stationary: b.sbuf('w', [128, 128]), moving: b.sbuf('m', [128, 4]) };
      b.record('nki.isa.nc_matmul', operands, { accumulate: false }, { line: 8 });
    };
    refused(record, /dst \(o\) is in sbuf; it must be in psum/, 8);
  });

  it('a moving tile wider than 512, a stationary wider than 128', () => {
    const record = (columns: number, rows: number) => (b: ProgramBuilder) => {
      const operands = { dst: b.psum('o', [128, 1024]), stationary: b.sbuf('w', [128, rows]), moving: b.sbuf('m', [128, columns]) };
      b.record('nki.isa.nc_matmul', operands, { accumulate: false }, { line: 9 });
    };
    refused(record(513, 128), /moving tile \(moving\) has 513 columns; at most 512/, 9);
    refused(record(512, 129), /stationary tile \(stationary\) has 129 columns; at most 128/, 9);
  });

  it('a moving tile wider than all of PSUM, where a product may cover that', () => {
    const record = (columns: number, dtype: string) => (b: ProgramBuilder) => {
      const operands = { dst: b.psum('o', [128, 4096]), stationary: b.sbuf('w', [128, 8]), moving: b.sbuf('m', [128, columns]) };
      const dst = dtype === 'float32' ? operands.dst : b.psum('p', [128, 8192], dtype);
      b.record('nki.isa.nc_matmul', { ...operands, dst }, { accumulate: false }, { line: 9 });
    };
    refused(record(4097, 'float32'), /moving tile \(moving\) has 4097 columns; at most 4096/, 9, 'trn3');
    refused(record(8193, 'bfloat16'), /moving tile \(moving\) has 8193 columns; at most 8192/, 9, 'trn3');
    const b = new ProgramBuilder({ target: 'trn3' });
    record(8192, 'bfloat16')(b);
    verify(b.finish());
  });

  it('double rows of fp8 one column wider', () => {
    const record = (columns: number) => (b: ProgramBuilder) => {
      const tile = (name: string, width: number) => b.sbuf(name, [128, 2, width], 'float8_e4m3');
      const operands = { dst: b.psum('o', [128, 512]), stationary: tile('w', 128), moving: tile('m', columns) };
      b.record('nki.isa.nc_matmul', operands, { accumulate: false, perf_mode: 'double_row' }, { line: 9 });
    };
    refused(record(513), /moving tile \(moving\) has 513 columns; at most 512/, 9);
    const b = new ProgramBuilder({ target: 'trn2' });
    record(512)(b);
    verify(b.finish());
  });

  it('elements beyond the tensor', () => {
    const record = (b: ProgramBuilder) => {
      const x = b.hbm('x', [128, 4]);
      b.record(
        'nki.isa.dma_copy',
        {
          dst: b.sbuf('t', [128, 4]),
          src: x.ap([
            [4, 128],
            [1, 5],
          ]),
        },
        {},
        { line: 10 },
      );
    };
    refused(record, /src reaches elements 0\.\.512 of x, which has 512/, 10);
  });

  it('free dimensions that run into the next partition', () => {
    const record = (b: ProgramBuilder) => {
      const t = b.sbuf('t', [128, 8]);
      b.record(
        'nki.isa.memset',
        {
          dst: t.ap([
            [8, 64],
            [1, 16],
          ]),
        },
        { value: 0 },
        { line: 11 },
      );
    };
    refused(record, /free dimensions of dst run from one partition of t into the next/, 11);
  });

  it('a first dimension that does not walk partitions', () => {
    const record = (b: ProgramBuilder) => {
      const t = b.sbuf('t', [128, 8]);
      b.record(
        'nki.isa.memset',
        {
          dst: t.ap([
            [1, 8],
            [8, 4],
          ]),
        },
        { value: 0 },
        { line: 12 },
      );
    };
    refused(record, /first dimension of dst must walk partitions of t/, 12);
  });
});
