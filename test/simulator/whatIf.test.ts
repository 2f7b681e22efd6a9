/** Experiments: a machine or a policy with other values, through the simulator's public surface and through the stages alone. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { INSTRUCTION_ROWS } from '../../bench/fidelity/instructions';
import { neuronPolicy } from '../../src/simulator/compile/neuronPolicy';
import type { Machine } from '../../src/simulator/hardware/machine';
import { DEFAULT_MACHINE, MACHINES } from '../../src/simulator/hardware/machines';
import { decodeProfile, machineFor, SimulatorClient, withValues } from '../../src/simulator/index';
import { simulate } from '../../src/simulator/simulate';
import { testDist } from '../support/dist';
import { randomProgram } from '../support/randomPrograms';

declare const NKI_SCOPE_ROOT: string;

const root = path.join(NKI_SCOPE_ROOT, 'examples');
const file = path.join(root, 'nki', 'matmul_tiled.py');

describe('what-if experiments', () => {
  let client: SimulatorClient;
  before(async () => {
    client = new SimulatorClient({ dist: await testDist() });
  });
  after(() => client.dispose());

  it('a PE array at twice the clock takes less time, in three lines', async () => {
    const stock = await client.capture({ file, root, target: 'trn2', numerics: 'on' });
    // CONTRIBUTING.md shows these lines.
    const trn2 = machineFor('trn2');
    const machine = withValues(trn2, { 'clockGhz.Tensor': 2 * trn2.clockGhz.Tensor.value });
    const { runs } = await client.capture({ file, root, target: 'trn2', machine });
    const [slow, fast] = [stock.runs[0], runs[0]].map(run => decodeProfile(run.profile));
    const matmulsNs = ({ instructions, opcodes, tracks }: typeof slow) =>
      [...instructions.startNs.keys()]
        .filter(i => opcodes[instructions.opcode[i]] === 'MATMUL' && tracks[instructions.track[i]].engine === 'Tensor')
        .reduce((sum, i) => sum + instructions.endNs[i] - instructions.startNs[i], 0);
    assert.ok(fast.totalTimeNs < slow.totalTimeNs, `${fast.totalTimeNs} ns, ${slow.totalTimeNs} ns`);
    assert.ok(matmulsNs(fast) < matmulsNs(slow));
    assert.equal(fast.instructions.startNs.length, slow.instructions.startNs.length);
    assert.match(fast.accuracy, /^An experiment: /);
    assert.doesNotMatch(slow.accuracy, /experiment/);
  });

  it('the front end records for the machine of the experiment: fewer partitions, another function', async () => {
    const trn2 = machineFor('trn2');
    const kernel = (body: string) => `import nki
import nki.isa as nisa
import nki.language as nl

@nki.jit
def kernel(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 1024), dtype=a.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=a)
    ${body}
    nisa.dma_copy(dst=out, src=tile)
    return out
`;
    const scratch = path.join(root, 'nki', 'whatif_limits.py');
    const messageOf = async (body: string, machine?: Machine) => {
      const args = { a: 'fp32[128,1024]' };
      const request = { file: scratch, root, overlay: { [scratch]: kernel(body) }, kernel: 'kernel', args, target: 'trn2', machine };
      return (await client.capture(request)).error?.message ?? '';
    };
    const unchanged = 'nisa.tensor_copy(dst=tile, src=tile)';
    const fewPartitions = withValues(trn2, { partitions: 64 });
    assert.equal(await messageOf(unchanged), '');
    assert.match(await messageOf(unchanged, fewPartitions), /on-chip memory has 64, nl.tile_size.pmax/);
    const absMax = 'nisa.tensor_scalar(dst=tile, data=tile, op0=nl.abs_max, operand0=1.0)';
    const withAbsMax = withValues(trn2, { 'features.tensorScalarUnaryOperations': true });
    assert.match(await messageOf(absMax), /op0=abs_max is not available on NeuronCore-v3/);
    assert.equal(await messageOf(absMax, withAbsMax), '');
    assert.equal(await messageOf(unchanged), '', 'the next run has the machine of its target again');
  });

  it('is shown to contributors in the lines that were run above', () => {
    const here = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'test/simulator/whatIf.test.ts'), 'utf8');
    const contributing = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'CONTRIBUTING.md'), 'utf8');
    const recipe = contributing.slice(contributing.indexOf('## Try another machine'));
    const shown = /```ts\n([\s\S]*?)```/.exec(recipe)![1].trim().split('\n');
    assert.equal(shown.length, 3);
    for (const line of shown) assert.ok(here.includes(`\n    ${line}\n`), line);
  });

  it('another policy of the compiler gives another order, and the same work', () => {
    const narrow = withValues(neuronPolicy, { windowInstructions: 1 });
    // A list scheduler that looks farther is quicker on the whole, not for every program.
    const gains = [1, 2, 3, 4, 5, 6, 7, 8].map(seed => {
      const program = randomProgram(seed, 120);
      const [stock, near] = [neuronPolicy, narrow].map(policy => simulate(program, { policy, pipeline: 'rewriting' }));
      assert.equal(stock.instructions.startNs.length, near.instructions.startNs.length);
      return near.totalTimeNs - stock.totalTimeNs;
    });
    const gainedNs = gains.reduce((a, b) => a + b);
    assert.ok(gainedNs > 0, `${gainedNs} ns`);
  });

  it('is given machines, and looks none up by the name of the target', () => {
    const program = { ...randomProgram(3, 40), target: 'of no known name' };
    assert.ok(simulate(program, { machine: DEFAULT_MACHINE }).totalTimeNs > 0);
    assert.throws(() => simulate(program), /unknown target of no known name/);
  });

  it('changes the facts that are named, says so in their source, and no others', () => {
    const changed = withValues(DEFAULT_MACHINE, { 'dma.packetNs': 9 });
    assert.deepEqual([changed.dma.packetNs.value, changed.dma.packetNs.confidence], [9, 'assumed']);
    assert.match(changed.dma.packetNs.source, /^an experiment; 5: /);
    assert.equal(changed.dma.hbmReadNs, DEFAULT_MACHINE.dma.hbmReadNs);
    assert.equal(DEFAULT_MACHINE.dma.packetNs.value, 5);
    for (const path of ['dma', 'dma.none', 'generation', 'dma.packetNs.value', 'constructor'])
      assert.throws(() => withValues(DEFAULT_MACHINE, { [path]: 1 }), new RegExp(`there is no fact ${path}`));
  });
});

describe('the compiler’s policy', () => {
  it('says of every setting what it means, in what unit, and where it is from', () => {
    for (const [name, { meaning, source, unit, confidence, rows = [] }] of Object.entries(neuronPolicy)) {
      assert.ok(meaning.length > 10 && source.length > 5 && unit.length > 0, name);
      // AWS documents nothing of its compiler, and profiles show what it did, not by which rule.
      assert.ok(['fitted', 'assumed'].includes(confidence), name);
      assert.equal(confidence === 'fitted', rows.length > 0, name);
    }
  });

  it('is what the table of sensitivities halved and doubled', () => {
    const file = path.join(NKI_SCOPE_ROOT, 'bench/fidelity/sensitivity.json');
    const { results } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
      results: { name: keyof typeof neuronPolicy; what: string; value: unknown }[];
    };
    assert.ok(results.length >= 5);
    for (const { name, what, value } of results) assert.deepEqual([neuronPolicy[name].meaning, neuronPolicy[name].value], [what, value]);
  });

  it('names rows and recordings that there are', () => {
    const measured = ['rows', 'judged', 'published', 'recordings'].flatMap(name =>
      JSON.parse(fs.readFileSync(path.join(NKI_SCOPE_ROOT, `bench/fidelity/${name}.json`), 'utf8')),
    );
    const known = new Set([...measured, ...INSTRUCTION_ROWS].map(({ id, name }: { id?: string; name?: string }) => id ?? name));
    const ofMachines = MACHINES.map(({ tensor }) => tensor.hidesLoads);
    const facts = [...Object.values(neuronPolicy), ...ofMachines];
    const named = facts.flatMap(({ rows = [] }) => rows as readonly string[]);
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter(row => !known.has(row)),
      [],
    );
  });
});
