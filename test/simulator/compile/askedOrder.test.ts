/** `with_schedule`: an instruction waits for those its attribute `after` names, and for all that they do. */
import assert from 'node:assert/strict';
import { schedule } from '../../../src/simulator/schedule/schedule';
import { ProgramBuilder } from '../../support/programs';
import { compile } from '../../support/stages';

/** A load, two instructions on other engines that no data orders, with the attributes of the last. */
function program(after: number[]) {
  const b = new ProgramBuilder({ literal: true });
  const [loaded, one, two] = ['loaded', 'one', 'two'].map(name => b.sbuf(name, [128, 512]));
  b.record('nki.isa.dma_copy', { dst: loaded.slice(':', ':'), src: b.hbm('x', [128, 512], 'float32', 'input').slice(':', ':') });
  b.record('nki.isa.memset', { dst: one.slice(':', ':') }, { value: 0, engine: 'Vector' });
  b.record('nki.isa.memset', { dst: two.slice(':', ':') }, { value: 0, engine: 'GpSimd', ...(after.length > 0 ? { after } : {}) });
  return compile(b.finish());
}

const waitsOfLast = ({ dependencies: { start, event } }: ReturnType<typeof program>) => [...event.subarray(start[start.length - 2])];

describe('asked order', () => {
  it('makes an instruction wait for another that shares no data with it', () => {
    assert.deepEqual(waitsOfLast(program([])), []);
    assert.deepEqual(waitsOfLast(program([1])), [program([]).instructions.track.length - 2]);
  });

  it('waits for the data of a DMA, not for its trigger', () => {
    const c = program([0]);
    for (const t of c.transfers.trigger.keys()) assert.ok(waitsOfLast(c).includes(c.instructions.track.length + t));
    const { instructions, transfers } = schedule(c);
    const begins = instructions.startNs[c.instructions.track.length - 1];
    assert.ok(begins >= Math.max(...transfers.endNs));
    assert.ok(schedule(program([])).instructions.startNs.at(-1)! < begins);
  });
});
