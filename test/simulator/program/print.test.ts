/** The printed form of a program: everything it holds, once. */
import { printProgram } from '../../../src/simulator/program/print';
import { expectGolden } from '../../support/golden';
import { ProgramBuilder } from '../../support/programs';

describe('print program', () => {
  it('shows tensors, patterns, attributes, predicates, lines and iterations', () => {
    const b = new ProgramBuilder({ kernel: 'scale', target: 'trn1', literal: false });
    const x = b.hbm('x', [256, 512], 'bfloat16', 'input');
    const tile = b.sbuf('tile', [128, 512], 'bfloat16', { addressBytes: 1024 });
    b.loop('i', 2, i => {
      b.record('nki.isa.dma_copy', { dst: tile, src: x.slice([i * 128, (i + 1) * 128]) });
      b.call('helper', 9, () =>
        b.record(
          'nki.isa.tensor_scalar',
          { dst: tile.slice(':', [0, 512, 2]), data: tile.slice(':', [0, 512, 2]) },
          { op0: 'multiply', operand0: 2 },
          { line: 3, predicate: { terms: [{ coefficients: [1, -1], constant: 0 }] } },
        ),
      );
    });
    expectGolden('print-program', printProgram(b.finish()));
  });
});
