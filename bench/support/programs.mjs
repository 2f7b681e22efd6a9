// Programs of any size, made without Python: one that computes, one that mostly moves data. The builder is of `support/build.mjs`.

export const benchPrograms = ProgramBuilder => ({
  /** @param copies of its lines, by turns: a program of more lines */
  compute: (instructions, copies = 1) => compute(ProgramBuilder, instructions, copies),
  movement: instructions => movement(ProgramBuilder, instructions),
});

/** Tiles of a load, five Vector and Scalar instructions that depend on each other, and a store. */
function compute(ProgramBuilder, instructions, copies) {
  const b = new ProgramBuilder({ target: 'trn2' });
  const x = b.hbm('x', [128, 512], 'float32', 'input');
  const out = b.hbm('out', [128, 512], 'float32', 'output');
  const tiles = Array.from({ length: 8 }, (_, k) => b.sbuf(`t${k}`, [128, 512], 'float32'));
  b.loop('i', Math.round(instructions / 7), i => {
    const at = 10 * (i % copies);
    const [s, t] = [tiles[(2 * i) % 8], tiles[(2 * i + 1) % 8]];
    b.record('nki.isa.dma_copy', { dst: s, src: x }, {}, { line: at + 10 });
    b.record('nki.isa.activation', { dst: t, data: s }, { op: 'exp' }, { line: at + 11 });
    b.record('nki.isa.tensor_tensor', { dst: s, data1: s, data2: t }, { op: 'add' }, { line: at + 12 });
    b.record('nki.isa.tensor_tensor', { dst: t, data1: s, data2: t }, { op: 'multiply' }, { line: at + 13 });
    b.record('nki.isa.activation', { dst: s, data: t }, { op: 'copy' }, { line: at + 14 });
    b.record('nki.isa.tensor_tensor', { dst: t, data1: s, data2: t }, { op: 'add' }, { line: at + 15 });
    b.record('nki.isa.dma_copy', { dst: out, src: t }, {}, { line: at + 16 });
  });
  return b.finish();
}

/** A load, one instruction and a store per tile, each tile a tensor of its own: as many transfers as there can be. */
function movement(ProgramBuilder, instructions) {
  const b = new ProgramBuilder({ target: 'trn2' });
  const x = b.hbm('x', [8192, 512], 'float32', 'input');
  const out = b.hbm('out', [8192, 512], 'float32', 'output');
  b.loop('i', Math.round(instructions / 3), i => {
    const rows = [(i % 64) * 128, (i % 64) * 128 + 128];
    const t = b.sbuf('t', [128, 512], 'float32', { line: 9 });
    b.record('nki.isa.dma_copy', { dst: t, src: x.slice(rows) }, {}, { line: 10 });
    b.record('nki.isa.activation', { dst: t, data: t }, { op: 'exp' }, { line: 11 });
    b.record('nki.isa.dma_copy', { dst: out.slice(rows), src: t }, {}, { line: 12 });
  });
  return b.finish();
}
