/** Tiles of engine instructions start where engines reach; DMA may start anywhere. */
import type { ProgramBuilder } from '../../../support/programs';
import { warned } from '../../../support/warned';

const copy = (operation: string, from: number, to: number) => (b: ProgramBuilder) => {
  const t = b.sbuf('t', [128, 4]);
  b.record('nki.isa.memset', { dst: t }, { value: 0 });
  b.record(operation, { dst: b.sbuf('o', [128, 4]).slice([0, to - from]), src: t.slice([from, to]) }, {}, { line: 8 });
};

describe('start partition', () => {
  it('a quadrant for up to 32, a half for up to 64, all of them from 0', () => {
    for (const [from, to] of [
      [0, 128],
      [64, 128],
      [96, 128],
      [32, 64],
      [32, 33],
    ])
      warned(copy('nki.isa.tensor_copy', from, to));
    warned(copy('nki.isa.tensor_copy', 5, 6), [
      /src takes partitions 5 to 5 of t; engines reach 1 partition from partition 0, 32, 64, 96 only/,
      8,
    ]);
    warned(copy('nki.isa.tensor_copy', 32, 96), [/engines reach 64 partitions from partition 0, 64 only/, 8]);
    warned(copy('nki.isa.tensor_copy', 32, 128), [/engines reach 96 partitions from partition 0 only/, 8]);
  });

  it('DMA is free', () => warned(copy('nki.isa.dma_copy', 5, 100)));
});
