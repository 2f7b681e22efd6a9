/** Authors left out: what constants and passes rest on is there, others say something in its place, and the sums are right. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { authorOf, authorsOf } from '../bench/fidelity/authors';
import { facts, onOneKernel, unnamed, withoutAuthor } from '../bench/fidelity/withoutAuthor';
import { neuronPolicy } from '../src/simulator/compile/neuronPolicy';
import { POLICY_WITHOUT } from '../src/simulator/compile/otherEvidence';
import { PASS_EVIDENCE } from '../src/simulator/compile/passEvidence';
import { MACHINES } from '../src/simulator/hardware/machines';
import { MACHINE_WITHOUT } from '../src/simulator/hardware/otherEvidence';
import { machineFor } from '../src/simulator/hardware/targets';
import { withValues } from '../src/simulator/hardware/withValues';

declare const NKI_SCOPE_ROOT: string;

interface Row {
  id: string;
  author: string;
  table: string;
  kind?: string;
  family?: string;
  measuredNs: number;
  asIsNs: number;
  leftOutNs: number;
}
interface Errors {
  mean: number;
  worst: number;
}
interface Order {
  pairs: number;
  right: number;
  regret: number;
}
interface Arithmetic {
  byTable(rows: Row[]): { table: string; rows: number; authors: number; asIs: Errors; leftOut: Errors }[];
  byAuthor(rows: Row[]): { author: string; table: string; rows: number }[];
  byFamily(rows: Row[]): { family: string; variants: number; asIs: Order; leftOut: Order }[];
  toldApart(rows: Row[], least: number): { name: string; problems: number; pairs: number; right: number }[];
  overall(families: object[], name: string): { pairs: number; share: number; regret: number };
  once(published: object[], ...others: object[][]): { id: string }[];
}

const V2 = machineFor('trn1');
const V3 = machineFor('trn2');

describe('what constants and passes rest on', () => {
  for (const machine of [V2, V3])
    it(`is named by every measured and fitted constant of ${machine.product}, as rows that exist`, () => {
      const known = [...facts(machine), ...facts(neuronPolicy)].filter(([, { confidence }]) => ['measured', 'fitted'].includes(confidence));
      assert.ok(known.length > 20);
      for (const [place, { rows = [] }] of known) {
        assert.ok(rows.length > 0, place);
        for (const row of rows) assert.ok(authorOf(row), `${place}: ${row}`);
      }
    });

  it('exists of every pass', () => {
    for (const [pass, { rows, also }] of Object.entries(PASS_EVIDENCE)) {
      assert.ok(rows.length > 0 || also, pass);
      for (const row of rows) assert.ok(authorOf(row), `${pass}: ${row}`);
    }
    assert.throws(() => authorsOf(['nobody-1']), /there is no row nobody-1/);
  });

  it('is kept by what a machine inherits', () => assert.deepEqual(V2.dma.packetNs.rows, V3.dma.packetNs.rows));

  it('has another value wherever it is of one author whose kernels are judged', () => {
    const lists = ['rows', 'judged', 'published'].flatMap(
      name =>
        JSON.parse(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'bench', 'fidelity', `${name}.json`), 'utf8')) as {
          author: string;
          run?: { target: string };
        }[],
    );
    const judged = new Set(lists.flatMap(({ author, run }) => (run ? [`${run.target} ${author}`] : [])));
    assert.ok(judged.size >= 14);
    const missing = [...judged].flatMap(one => {
      const [target, author] = one.split(' ');
      return unnamed(author, machineFor(target)).map(place => `${one}: ${place}`);
    });
    assert.deepEqual(missing, []);
  });

  it('names facts that are there', () => {
    for (const machine of MACHINES)
      for (const author of Object.keys(MACHINE_WITHOUT[machine.generation] ?? {}))
        assert.notEqual(withValues(machine, withoutAuthor(author, machine).machine), machine);
    for (const author of Object.keys(POLICY_WITHOUT))
      assert.notEqual(withValues(neuronPolicy, withoutAuthor(author, V3).policy), neuronPolicy);
  });

  it('takes the passes of one author away with the author, and no others', () => {
    const left = (author: string) => {
      const { passes = neuronPolicy.passes.value } = withoutAuthor(author, V3).policy as { passes?: readonly string[] };
      return neuronPolicy.passes.value.filter(pass => !passes.includes(pass));
    };
    assert.deepEqual(left('allenkchau'), ['batching across iterations']);
    assert.deepEqual(left('joshdelg'), ['adjacent loads']);
    assert.deepEqual(left('nki-autotune'), []);
    // Others show that tiles are renamed, too.
    assert.deepEqual(left('xaviergonzalez'), []);
  });

  it('is one kernel of these', () => {
    const found = new Map(onOneKernel(MACHINES).map(one => [`${one.generation} ${one.name}`, one]));
    assert.equal(found.get('v2 rules.vectorReciprocal.cyclesPerElement')?.kernel, 'nkib-t1-silu');
    assert.equal(found.get('v3 dma.triggers.software.issueNs')?.kernel, 'cs-tiled');
    assert.equal(found.get('undefined pass adjacent loads')?.author, 'joshdelg');
    // Of two kernels, and of a document.
    assert.ok(!found.has('v3 rules.activation.fixedNs') && !found.has('undefined pass loop fusion'));
  });
});

describe('errors of left-out authors', () => {
  let sums: Arithmetic;

  before(async () => {
    sums = (await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts', 'leftOutRows.mjs')).href)) as Arithmetic;
  });

  const row = (id: string, measuredNs: number, asIsNs: number, leftOutNs: number, family?: string): Row => ({
    ...{ id, author: id[0], table: 'literal trn2', measuredNs, asIsNs, leftOutNs },
    ...(family !== undefined && { family }),
  });

  it('are means of absolute values, and the worst keeps its sign', () => {
    const [table] = sums.byTable([row('a1', 100, 110, 120), row('b1', 100, 95, 50)]);
    assert.deepEqual([table.table, table.rows, table.authors], ['literal trn2', 2, 2]);
    assert.deepEqual(
      [table.asIs.mean, table.asIs.worst, table.leftOut.mean, table.leftOut.worst].map(value => Math.round(value * 10) / 10),
      [7.5, 10, 35, -50],
    );
    assert.deepEqual(
      sums.byAuthor([row('a1', 100, 110, 120), row('b1', 100, 95, 50)]).map(({ author, rows }) => [author, rows]),
      [
        ['a', 1],
        ['b', 1],
      ],
    );
  });

  it('are beside the order of variants that differ, and what the fastest modelled one costs', () => {
    const rows = [row('a1', 100, 100, 300, 'f'), row('a2', 103, 90, 290, 'f'), row('b1', 200, 150, 150, 'f'), row('c1', 5, 5, 5, 'g')];
    const [family, ...others] = sums.byFamily(rows);
    assert.deepEqual(others, []);
    // The first two do not differ; as it is the model takes the second for the fastest, left out the third.
    assert.deepEqual([family.variants, family.asIs.pairs, family.asIs.right, family.leftOut.right], [3, 2, 2, 0]);
    assert.deepEqual([family.asIs.regret, family.leftOut.regret].map(Math.round), [3, 100]);
    const { pairs, share, regret } = sums.overall([family, { asIs: { pairs: 2, right: 1, regret: 5 } }], 'asIs');
    assert.deepEqual([pairs, share, Math.round(regret)], [4, 75, 4]);
  });

  it('say by pipeline, target and kind which pairs that the model tells apart are in the measured order', () => {
    const rows = [row('a1', 100, 100, 300, 'f'), row('a2', 103, 100.5, 290, 'f'), row('b1', 90, 150, 150, 'f'), row('c1', 5, 5, 5, 'g')];
    const found = sums.toldApart(
      rows.map(one => ({ ...one, kind: one.id === 'a1' ? 'DMA' : 'TensorE' })),
      1,
    );
    // a1 and a2 are less than 1 % apart; b1 is modelled as the slowest of the three, and was the fastest.
    assert.deepEqual(found, [
      { name: 'literal trn2', problems: 1, pairs: 2, right: 0 },
      { name: 'literal trn2 DMA', problems: 1, pairs: 1, right: 0 },
      { name: 'literal trn2 TensorE', problems: 1, pairs: 1, right: 0 },
    ]);
    assert.deepEqual(sums.toldApart(rows, 0.1), [{ name: 'literal trn2', problems: 1, pairs: 3, right: 1 }]);
  });

  it('count what an author published once, as published', () => {
    const of = (id: string, value: number, unit: string) => ({ id, author: 'a', value, unit, run: { target: 'trn2' } });
    const rows = sums.once(
      [of('text', 3.4, 'ms'), { ...of('of-some-size', 7, 'us'), notPublished: 'its size' }],
      [of('ours', 3400, 'us'), of('other', 3.4, 'us')],
      [{ ...of('no-run', 1, 'us'), run: undefined }],
    );
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['text', 'other'],
    );
  });
});
