/** Loads that change places with each other, so that the one that is used first comes first. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { LOAD } from '../../../../src/simulator/compile/directions';
import { neuronPolicy } from '../../../../src/simulator/compile/neuronPolicy';
import { HBM } from '../../../../src/simulator/compile/patterns';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { withValues } from '../../../../src/simulator/hardware/withValues';
import { schedule } from '../../../../src/simulator/schedule/schedule';
import { elementValues } from '../../../support/elementValues';
import { ProgramBuilder } from '../../../support/programs';
import { compile } from '../../../support/stages';

const COLUMNS = 512;

/** Blocks that load `left` tiles, then as many `right` ones, and then add them in pairs, so many times. */
function pairs(blocks: number, tiles: number, { rows = 128, times = 1 } = {}) {
  const b = new ProgramBuilder({ target: 'trn2', literal: true });
  for (let n = 0; n < blocks; n++) {
    const loaded = (side: string) =>
      Array.from({ length: tiles }, (_, k) => {
        const tile = b.sbuf(`${side}${n}.${k}`, [rows, COLUMNS]);
        b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm(`x${side}${n}.${k}`, [rows, COLUMNS], 'float32', 'input') });
        return tile;
      });
    const [left, right] = [loaded('left'), loaded('right')];
    const sum = b.sbuf(`sum${n}`, [rows, COLUMNS]);
    b.record('nki.isa.memset', { dst: sum }, { value: 0 });
    for (let k = 0; k < times * tiles; k++)
      for (const data2 of [left[k % tiles], right[k % tiles]])
        b.record('nki.isa.tensor_tensor', { dst: sum, data1: sum, data2 }, { op: 'add' });
    b.record('nki.isa.dma_copy', { dst: b.hbm(`y${n}`, [rows, COLUMNS], 'float32', 'output'), src: sum });
  }
  return b.finish();
}

const asKernel = withValues(neuronPolicy, { passes: neuronPolicy.passes.value.filter(name => name !== 'loads by first use') });

/** Names of the tiles in the order of their loads. */
function loadsOf({ instructions: { accessStart, transfer }, accesses, transfers, patterns }: Compiled): string[] {
  return [...transfer.keys()]
    .filter(i => transfer[i] >= 0 && transfers.direction[transfer[i]] === LOAD)
    .map(i => {
      const tensors = [...accesses.pattern.subarray(accessStart[i], accessStart[i + 1])].map(pattern => patterns.tensor(pattern));
      return patterns.name(tensors.find(tensor => patterns.space(tensor) !== HBM)!);
    });
}

describe('loads by first use', () => {
  it('come in the order in which their data are used', () => {
    const expected = ['left0.0', 'right0.0', 'left0.1', 'right0.1', 'left0.2', 'right0.2'];
    assert.deepEqual(loadsOf(compile(pairs(1, 3))), expected);
    assert.deepEqual(loadsOf(compile(pairs(1, 3), { policy: asKernel })), [...expected].sort());
  });

  it('change no value', () => {
    const program = pairs(3, 4, { rows: 8 });
    assert.deepEqual(elementValues(compile(program)), elementValues(compile(program, { policy: asKernel })));
  });

  it('have the space that is free first, where two blocks do not fit', () => {
    const machine = withValues(machineFor('trn2'), { sbufBytesPerPartition: 7 * 4 * COLUMNS });
    const tookNs = (policy: typeof neuronPolicy) => schedule(compile(pairs(6, 2, { times: 3 }), { machine, policy })).bodyEndNs;
    const [byUse, inOrder] = [tookNs(neuronPolicy), tookNs(asKernel)];
    assert.ok(byUse < inOrder, `${byUse} ns by first use, ${inOrder} as in the kernel`);
  });
});
