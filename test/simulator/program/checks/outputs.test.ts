/** What a kernel returns is written, all of it; and a kernel does something. */
import type { ProgramBuilder } from '../../../support/programs';
import { warned } from '../../../support/warned';

describe('outputs', () => {
  const record = (columns: number) => (b: ProgramBuilder) => {
    const x = b.hbm('x', [256, 512], 'float32', 'input');
    const out = b.hbm('out', [256, 512], 'float32', 'output', { line: 3 });
    const t = b.sbuf('t', [128, 512]);
    b.loop('i', 2, i => {
      const rows: [number, number] = [i * 128, i * 128 + 128];
      b.record('nki.isa.dma_copy', { dst: t, src: x.slice(rows) });
      if (columns > 0) b.record('nki.isa.dma_copy', { dst: out.slice(rows, [0, columns]), src: t.slice(':', [0, columns]) });
    });
  };

  it('written whole: nothing to say', () => warned(record(512)));

  it('written in part: how much is missing, and where', () => {
    warned(record(500), [
      /out is returned, but the kernel does not write all of it: 3,072 of 131,072 elements are missing, in out\[0:256, 500:512\]/,
      3,
    ]);
  });

  it('never written', () => warned(record(0), [/out is returned, but the kernel never writes to it/, 3]));

  it('an input that is returned', () => {
    warned(b => {
      const x = b.hbm('x', [4], 'float32', 'input');
      b.output(x);
      b.record('nki.isa.dma_copy', { dst: x.slice([0, 2]), src: x.slice([2, 4]) });
    });
  });
});

describe('kernels that record nothing', () => {
  it('at the output, or at the top of the file', () => {
    warned(b => b.hbm('out', [4], 'float32', 'output', { line: 9 }), [/kernel kernel records no instruction/, 9]);
    warned(() => {}, [/kernel kernel records no instruction/, 1]);
  });
});
