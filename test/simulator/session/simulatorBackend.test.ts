/** The simulator behind a session: values of an experiment are those of its own machine. */
import assert from 'node:assert/strict';
import { neuronPolicy } from '../../../src/simulator/compile/neuronPolicy';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { withValues } from '../../../src/simulator/hardware/withValues';
import { decodeProfile } from '../../../src/simulator/profile/codec';
import { encodeProgram } from '../../../src/simulator/program/codec';
import { simulatorBackend } from '../../../src/simulator/session/simulatorBackend';
import { floats, session } from '../../support/hostSession';
import { ProgramBuilder } from '../../support/programs';

/** Two partitions, each of which takes the element that the first index of its GpSimd core names. */
function gatherProgram() {
  const b = new ProgramBuilder({ target: 'trn2' });
  const [x, i] = [b.hbm('x', [2, 2], 'float32', 'input'), b.hbm('i', [2, 1], 'int32', 'input')];
  const y = b.hbm('y', [2, 1], 'float32', 'output');
  const [data, index, taken] = [b.sbuf('data', [2, 2], 'float32'), b.sbuf('index', [2, 1], 'int32'), b.sbuf('taken', [2, 1], 'float32')];
  b.record('nki.isa.dma_copy', { dst: data, src: x }, {}, { line: 1 });
  b.record('nki.isa.dma_copy', { dst: index, src: i }, {}, { line: 2 });
  const gather = { num_elem_per_idx: 1, num_valid_indices: 1 };
  b.record('nki.isa.local_gather', { dst: taken, src_buffer: data, index }, gather, { line: 3 });
  b.record('nki.isa.dma_copy', { dst: y, src: taken }, {}, { line: 4 });
  return b.finish();
}

const stock = machineFor('trn2');
/** One GpSimd core for each partition. */
const machine = withValues(stock, { gpsimdPartitions: 1 });

describe('the simulator of a session', () => {
  const program = gatherProgram();
  const inputs = new Map<number, Float32Array | Int32Array>([
    [0, Float32Array.of(1, 2, 3, 4)],
    [1, Int32Array.of(0, 1)],
  ]);
  const options = { shouldStop: () => false };
  const output = [program.outputs[0].tensor];

  it('computes values on the machine of an experiment', () => {
    assert.deepEqual([...simulatorBackend.execute(program, inputs, output, options)[0]], [1, 3]);
    assert.deepEqual([...simulatorBackend.execute(program, inputs, output, { ...options, machine })[0]], [1, 4]);
  });

  it('shows operands as they are on that machine', () => {
    const watch = { ...options, onProgress: () => {} };
    const seen = (on?: typeof machine) => {
      const { operands } = simulatorBackend.inspect(program, inputs, on).at(2, watch);
      return [...operands.find(({ name, moment }) => name === 'dst' && moment === 'after')!.values!];
    };
    assert.deepEqual(
      [seen(), seen(machine)],
      [
        [1, 3],
        [1, 4],
      ],
    );
  });

  it('is given it by the request', () => {
    const outputOf = (request: object) => {
      const s = session({ request: { file: '/w/k.py', root: '/w', ...request }, backend: simulatorBackend });
      const x = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 2] }, floats(1, 2, 3, 4)).ok?.array;
      const i = s.call({ call: 'array.put', dtype: 'int32', shape: [2, 1] }, new Uint8Array(Int32Array.of(0, 1).buffer)).ok?.array;
      const run = s.call({ call: 'run', inputs: [x, i] }, encodeProgram(program));
      assert.equal(run.error, undefined);
      const { payload } = s.call({ call: 'array.get', array: (run.ok!.outputs as number[])[0] });
      const { rerun } = decodeProfile(s.host.results()[0].profile);
      return { values: [...new Float32Array(payload!.slice().buffer)], canRunAgain: rerun !== undefined };
    };
    assert.deepEqual(outputOf({}), { values: [1, 3], canRunAgain: true });
    assert.deepEqual(outputOf({ policy: withValues(neuronPolicy, { nearShare: 0.5 }) }), { values: [1, 3], canRunAgain: true });
    // A profile does not hold the machine: run again, it would show values of another one.
    assert.deepEqual(outputOf({ machine }), { values: [1, 4], canRunAgain: false });
  });
});
