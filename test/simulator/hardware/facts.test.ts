/** Every constant says its unit and source; targets resolve; what a machine takes over from another it is trusted less with. */
import assert from 'node:assert/strict';
import { assumed, documented, type Fact, isFact, measured } from '../../../src/simulator/hardware/facts';
import { inherit } from '../../../src/simulator/hardware/inherit';
import { DEFAULT_MACHINE, MACHINES } from '../../../src/simulator/hardware/machines';
import { DEFAULT_TARGET, machineFor, TARGETS, targetOfInstance } from '../../../src/simulator/hardware/targets';

function* facts(value: unknown, path: string): Generator<[string, Fact<unknown>]> {
  if (value === null || typeof value !== 'object') return;
  if (isFact(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* facts(inner, `${path}.${key}`);
}

/** Numbers, switches and lists that are no facts; not what a machine says of itself. */
function* bareValues(value: unknown, path: string): Generator<string> {
  const isIdentity = /\.(aliases|accuracyBasis)$/.test(path);
  if (typeof value === 'number' || typeof value === 'boolean' || (Array.isArray(value) && !isIdentity)) yield path;
  if (isIdentity) return;
  if (value === null || typeof value !== 'object' || isFact(value)) return;
  for (const [key, inner] of Object.entries(value)) yield* bareValues(inner, `${path}.${key}`);
}

const heir = {
  generation: 'v9',
  instanceType: 'trn9',
  product: 'Trn9',
  aliases: [],
  guide: 'arch v9',
  accuracyBasis: { sentence: 'Imagined.', namesAssumed: false },
};

describe('machine facts', () => {
  for (const target of TARGETS) {
    it(`${target}: every number carries unit, source and confidence`, () => {
      const machine = machineFor(target);
      const all = [...facts(machine, target)];
      assert.ok(all.length > 80);
      for (const [path, { value, unit, source }] of all) {
        // What a kind of DMA trigger does not need takes no time, and stores need not start sooner than loads.
        const least = /\.triggers\.|\.storeSoonerNs$/.test(path) ? 0 : Number.MIN_VALUE;
        for (const number of [value].flat()) if (unit !== 'choice') assert.ok(Number.isFinite(number) && Number(number) >= least, path);
        assert.ok(unit.length > 0 && source.length > 2, path);
      }
      assert.deepEqual([...bareValues(machine, target)], []);
    });
  }

  it('only NeuronCore-v3 was measured: what the others take from it is assumed, and says from where', () => {
    const { value: base } = { value: new Map([...facts(DEFAULT_MACHINE, '')].map(([path, fact]) => [path, fact])) };
    for (const machine of MACHINES.filter(other => other !== DEFAULT_MACHINE)) {
      const same = [...facts(machine, '')].filter(
        ([path, { value, confidence }]) => confidence === 'measured' && base.get(path)?.value === value,
      );
      // Rows of Trn1 that say the same as those of Trn2.
      const own = ['.rules.scalarCopy.fixedNs', '.tensor.fp32Instructions', '.tensor.weightsWordNs', '.semaphoreNs.Scalar->Scalar'];
      assert.deepEqual(
        same.map(([path]) => path).filter(path => !own.includes(path) || machine.instanceType !== 'trn1'),
        [],
      );
      const taken = machine.rules.activation.fixedNs;
      assert.deepEqual([taken.confidence, taken.source.startsWith('as on v3: ')], ['assumed', true], machine.instanceType);
    }
  });

  it('inherits values, less trust, and what it says itself', () => {
    const v9 = inherit(DEFAULT_MACHINE, {
      ...heir,
      clockGhz: { Vector: documented(9, 'GHz', 'arch v9') },
      tensor: { clock: undefined },
      sharedPorts: documented([{ memory: 'sbuf' as const, engines: ['Vector', 'GpSimd'] as const }], 'choice', 'arch v9'),
    });
    const { clockGhz, tensor, dma, sharedPorts, minIssueCycles, generation } = v9;
    assert.deepEqual([generation, clockGhz.Vector.confidence, clockGhz.Vector.value], ['v9', 'documented', 9]);
    assert.deepEqual(clockGhz.Tensor, assumed(DEFAULT_MACHINE.clockGhz.Tensor.value, 'GHz', 'as on v3: arch v3'));
    const { source, rows } = DEFAULT_MACHINE.dma.packetNs;
    assert.deepEqual(dma.packetNs, { ...assumed(5, 'ns', `as on v3: ${source}`), rows });
    // What AWS states for every generation, and what was assumed already.
    assert.equal(minIssueCycles, DEFAULT_MACHINE.minIssueCycles);
    assert.equal(dma.turnPackets, DEFAULT_MACHINE.dma.turnPackets);
    assert.deepEqual([tensor.clock, sharedPorts.value.length], [undefined, 1]);
    assert.equal(DEFAULT_MACHINE.dma.packetNs.confidence, measured(0, 'ns', [], '').confidence);
  });

  it('takes no trust from what was taken over twice', () => {
    const twice = inherit(inherit(DEFAULT_MACHINE, heir), { ...heir, generation: 'v10', guide: 'arch v10' });
    assert.equal(twice.dma.packetNs.source, `as on v3: ${DEFAULT_MACHINE.dma.packetNs.source}`);
  });

  it('knows the spellings of targets and names them in the error for others', () => {
    assert.equal(machineFor('gen3'), machineFor('trn2'));
    assert.equal(machineFor('inf2').generation, 'v2');
    assert.throws(() => machineFor('toString'), /unknown target toString; known: trn1, inf2/);
    assert.deepEqual(['trn2.48xlarge', 'Inf2.xlarge', 'p5.48xlarge', ''].map(targetOfInstance), ['trn2', 'trn1', undefined, undefined]);
    assert.ok(TARGETS.includes(DEFAULT_TARGET));
  });
});
