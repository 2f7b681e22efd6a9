/** Every constant says its unit and source; targets resolve. */
import assert from 'node:assert/strict';
import type { Fact } from '../../../src/simulator/hardware/facts';
import { machineFor, TARGETS } from '../../../src/simulator/hardware/targets';

function* facts(value: unknown, path: string): Generator<[string, Fact]> {
  if (value === null || typeof value !== 'object') return;
  if ('confidence' in value) yield [path, value as Fact];
  else for (const [key, inner] of Object.entries(value)) yield* facts(inner, `${path}.${key}`);
}

function* bareNumbers(value: unknown, path: string): Generator<string> {
  if (typeof value === 'number') yield path;
  if (value === null || typeof value !== 'object' || 'confidence' in value) return;
  for (const [key, inner] of Object.entries(value)) yield* bareNumbers(inner, `${path}.${key}`);
}

describe('machine facts', () => {
  for (const target of TARGETS) {
    it(`${target}: every number carries unit, source and confidence`, () => {
      const machine = machineFor(target);
      const all = [...facts(machine, target)];
      assert.ok(all.length > 80);
      for (const [path, fact] of all) {
        // What a kind of DMA trigger does not need takes no time.
        const least = path.includes('.triggers.') ? 0 : Number.MIN_VALUE;
        assert.ok(Number.isFinite(fact.value) && fact.value >= least, path);
        assert.ok(fact.unit.length > 0 && fact.source.length > 2, path);
      }
      assert.deepEqual([...bareNumbers(machine, target)], []);
    });
  }

  it('only NeuronCore-v3 was measured: the others take its fixed times as assumptions', () => {
    for (const target of ['trn1', 'trn3']) assert.equal(machineFor(target).rules.activation.fixedNs.confidence, 'assumed', target);
    assert.equal(machineFor('trn2').rules.activation.fixedNs.confidence, 'measured');
  });

  it('knows the spellings of targets and names them in the error for others', () => {
    assert.equal(machineFor('gen3'), machineFor('trn2'));
    assert.equal(machineFor('inf2').generation, 'v2');
    assert.throws(() => machineFor('toString'), /unknown target toString; known: trn1, inf2/);
  });
});
