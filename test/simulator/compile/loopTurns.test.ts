/** Turns of a hardware loop: each begins when all of the one before has ended, and its branch was taken. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../src/simulator/compile/compiled';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { schedule } from '../../../src/simulator/schedule/schedule';
import { ProgramBuilder } from '../../support/programs';
import { compile } from '../../support/stages';

/** Turns that load a tile, copy it and store it; the tiles of a turn are its own. */
function turns(count: number, loops: boolean): Compiled {
  const b = new ProgramBuilder({ target: 'trn2', literal: true });
  const out = b.hbm('out', [128, 512 * count], 'float32', 'output');
  for (let turn = 0; turn < count; turn++) {
    if (loops) b.record('nki.language.dynamic_range', {});
    const [tile, copy] = ['tile', 'copy'].map(name => b.sbuf(`${name}${turn}`, [128, 512]));
    b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm(`x${turn}`, [128, 512], 'float32', 'input') });
    b.record('nki.isa.tensor_copy', { dst: copy, src: tile }, { engine: 'Vector' });
    b.record('nki.isa.activation', { dst: tile, data: copy }, { op: 'exp' });
    b.record('nki.isa.dma_copy', { dst: out.slice(':', [512 * turn, 512 * (turn + 1)]), src: copy });
  }
  return compile(b.finish(), { pipeline: 'literal' });
}

const COUNT = 4;

describe('turns of a hardware loop', () => {
  it('begin when the one before has ended, also its DMAs, and the branch was taken', () => {
    const compiled = turns(COUNT, true);
    const { instructions, transfers } = schedule(compiled);
    const { opcode, transfer } = compiled.instructions;
    const branches = [...opcode.keys()].filter(i => compiled.opcodes[opcode[i]] === 'COMPARE_BRANCH');
    assert.equal(branches.length, COUNT);
    const { turnNs } = machineFor('trn2').registers;
    for (const [turn, branch] of branches.entries()) {
      const next = branches[turn + 1] ?? opcode.length;
      for (let i = branch + 1; i < next; i++)
        assert.ok(instructions.startNs[i] >= instructions.startNs[branch] + turnNs.value, `instruction ${i} of turn ${turn}`);
      if (next === opcode.length) continue;
      for (let i = branch + 1; i < next; i++) {
        const endNs = transfer[i] < 0 ? instructions.endNs[i] : transfers.endNs[transfer[i]];
        assert.ok(instructions.startNs[next] >= endNs, `instruction ${i} of turn ${turn}`);
      }
    }
  });

  it('overlap where Python runs the loop', () => {
    const endNs = (loops: boolean) => Math.max(...schedule(turns(COUNT, loops)).instructions.endNs);
    assert.ok(endNs(true) > endNs(false) + (COUNT - 1) * machineFor('trn2').registers.turnNs.value);
  });
});
