/** What a profile says a kernel is likely to take: by its kind, never of experiments, and no more certain than left-out authors show. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { LIKELY_FACTORS, type LikelyFactors, SMALL_DMA_FACTORS } from '../../../src/simulator/hardware/likelyFactors';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { withValues } from '../../../src/simulator/hardware/withValues';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import { kernelKind, withLikelyTime } from '../../../src/simulator/profile/likelyTime';
import { simulate } from '../../../src/simulator/simulate';
import { APART } from '../../../src/simulator/vocabulary/kernelKinds';
import { ProgramBuilder } from '../../support/programs';
import { runOnTwoCores } from '../../support/twoCores';

declare const NKI_SCOPE_ROOT: string;

/** Loads, and so many activations, products or stores. */
function kernel(work: 'activations' | 'products' | 'stores', times: number, target = 'trn2') {
  const b = new ProgramBuilder({ target });
  const x = b.sbuf('x', [128, 512], 'bfloat16');
  b.record('nki.isa.dma_copy', { dst: x, src: b.hbm('hx', [128, 512], 'bfloat16', 'input') });
  const out = b.hbm('out', [128, 512], 'bfloat16', 'output');
  const product = b.psum('product', [128, 512]);
  for (let k = 0; k < times; k++)
    if (work === 'activations') b.record('nki.isa.activation', { dst: x, data: x }, { op: 'exp' });
    else if (work === 'products')
      b.record('nki.isa.nc_matmul', { dst: product, stationary: x.slice(':', [0, 128]), moving: x }, { accumulate: k > 0 });
    else b.record('nki.isa.dma_copy', { dst: b.hbm(`o${k}`, [128, 512], 'bfloat16', 'output'), src: x });
  b.record('nki.isa.dma_copy', { dst: out, src: x });
  return b.finish();
}

describe('the likely time', () => {
  it('goes by what the kernel hangs on', () => {
    assert.equal(kernelKind(simulate(kernel('activations', 1))), 'fixed cost');
    assert.equal(kernelKind(simulate(kernel('activations', 200))), 'vector work');
    assert.equal(kernelKind(simulate(kernel('products', 400))), 'TensorE');
    assert.equal(kernelKind(simulate(kernel('stores', 400), { dge: 'off' })), 'DMA');
  });

  it('is around the modelled one, in figures and in words, and is kept in files', () => {
    const profile = simulate(kernel('activations', 200));
    const { low, high, heldPercent } = LIKELY_FACTORS['literal trn2 vector work'] ?? LIKELY_FACTORS['literal trn2'];
    const likely = { lowNs: profile.totalTimeNs * low, highNs: profile.totalTimeNs * high, heldPercent };
    assert.deepEqual(profile.likely, likely);
    assert.match(profile.accuracy, new RegExp(`took ${low} to ${high} times as long`));
    assert.deepEqual(decodeProfile(encodeProfile(profile)).likely, likely);
  });

  it('is not said of kernels whose DMAs move a few bytes at a time, and they say so', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const x = b.hbm('x', [128, 400], 'float32', 'input');
    for (let k = 0; k < 200; k++) b.record('nki.isa.dma_copy', { dst: b.sbuf(`t${k}`, [128, 1]), src: x.slice(':', [2 * k, 2 * k + 1]) });
    const profile = simulate(b.finish(), { dge: 'off' });
    assert.equal(kernelKind(profile), 'small DMA');
    assert.equal(profile.likely, undefined);
    assert.match(
      profile.accuracy,
      new RegExp(
        `Most of its DMA packets have less than 64 bytes: on hardware ${SMALL_DMA_FACTORS.rows} such kernels of .* took ${SMALL_DMA_FACTORS.low} to ${SMALL_DMA_FACTORS.high} times as long\\.$`,
      ),
    );
  });

  it('is that of kernels over two cores, whatever bounds the kernel', () => {
    const profile = runOnTwoCores();
    assert.equal(kernelKind(profile), 'two cores');
    const { low, high } = LIKELY_FACTORS['literal trn2 two cores'];
    assert.equal(profile.likely?.lowNs, profile.totalTimeNs * low);
    assert.match(profile.accuracy, new RegExp(`such kernels over two cores took ${low} to ${high} times as long`));
    assert.match(
      withLikelyTime({ ...profile, pipeline: 'rewriting' }).accuracy,
      /No likely range is known: too few authors have published such kernels over two cores\.$/,
    );
  });

  it('is not said of experiments, nor of a machine without published times', () => {
    assert.equal(
      simulate(kernel('activations', 200), { machine: withValues(machineFor('trn2'), { 'dma.packetNs': 9 }) }).likely,
      undefined,
    );
    const unknown = simulate(kernel('activations', 200, 'trn3'));
    assert.equal(unknown.likely, undefined);
    assert.match(unknown.accuracy, /No likely range is known: too few authors have published such kernels\.$/);
  });
});

describe('the table of likely times', () => {
  interface Row {
    author: string;
    pipeline: string;
    target: string;
    kind: string;
    factor: number;
  }
  interface LeftOut {
    author: string;
    table: string;
    kind: string;
    rests: string;
    measuredNs: number;
    asIsNs: number;
    leftOutNs: number;
  }
  const timed: LeftOut[] = JSON.parse(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'bench', 'fidelity', 'unseenAuthors.json'), 'utf8'));
  const factors = (own: LeftOut[], name: 'asIsNs' | 'leftOutNs'): Row[] =>
    own.map(row => {
      const [pipeline, target] = row.table.split(' ');
      return { author: row.author, pipeline, target, kind: row.kind, factor: row.measuredNs / row[name] };
    });
  const rows = factors(timed, 'leftOutNs');
  const script = () =>
    import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts', 'likely.mjs')).href) as Promise<{
      likelyFactors(rows: readonly Row[]): Map<string, LikelyFactors>;
      smallDmaFactors(rows: readonly Row[]): Omit<LikelyFactors, 'heldPercent'>;
      CLAIMED_PERCENT: number;
    }>;

  it('is what the rows of authors say who were left out', async () => {
    const { likelyFactors, smallDmaFactors } = await script();
    assert.deepEqual(LIKELY_FACTORS, Object.fromEntries(likelyFactors(rows)));
    const untouched = timed.filter(({ rests }) => !rests);
    assert.ok(untouched.length > 20 && untouched.length < timed.length);
    assert.deepEqual(SMALL_DMA_FACTORS, smallDmaFactors(factors(untouched, 'asIsNs')));
  });

  it('says of every range how much of left-out authors it held, and holds the modelled time', () => {
    for (const [name, { low, high, authors, heldPercent }] of Object.entries(LIKELY_FACTORS)) {
      assert.ok(low <= 1 && high >= 1 && authors >= 3 && heldPercent >= 80 && heldPercent <= 100, name);
      const ofAllKinds = /^\w+ \w+$/.test(name);
      const own = rows.filter(
        ({ pipeline, target, kind }) =>
          `${pipeline} ${target} ${kind}`.startsWith(name) && !(ofAllKinds && APART.some(apart => apart === kind)),
      );
      // authors count the same, however many rows they have
      const shares = [...new Set(own.map(({ author }) => author))].map(author => {
        const theirs = own.filter(row => row.author === author);
        return theirs.filter(({ factor }) => factor >= low - 0.01 && factor <= high + 0.01).length / theirs.length;
      });
      assert.ok(shares.reduce((sum, share) => sum + share, 0) >= 0.8 * shares.length - 1e-9, name);
    }
  });

  it('makes no range of small DMAs, however many authors have some', async () => {
    const { likelyFactors } = await script();
    const small = ['a', 'b', 'c', 'd'].map(author => ({ ...rows[0], author, kind: 'small DMA', factor: 3 }));
    assert.deepEqual([...likelyFactors(small).keys()], []);
  });

  it('keeps kernels over two cores apart from those of one', async () => {
    const { likelyFactors } = await script();
    const made = (kind: string, factor: number) => ['a', 'b', 'c'].map(author => ({ ...rows[0], author, kind, factor }));
    const ranges = likelyFactors([...made('TensorE', 1.1), ...made('two cores', 3)]);
    const name = `${rows[0].pipeline} ${rows[0].target}`;
    assert.equal(ranges.get(name)?.high, 1.1);
    assert.equal(ranges.get(`${name} two cores`)?.high, 3);
  });

  it('widens a range until it holds what it claims of an author it has not seen', async () => {
    const { likelyFactors, CLAIMED_PERCENT } = await script();
    const made = (author: string, ...factors: number[]): Row[] =>
      factors.map(factor => ({ author, pipeline: 'literal', target: 'trn2', kind: 'DMA', factor }));
    const like = [made('a', 0.8, 0.9, 1.1, 1.2), made('b', 0.8, 0.9, 1.1, 1.2), made('c', 0.8, 0.9, 1.1, 1.2)].flat();
    const { low, high, heldPercent } = likelyFactors(like).get('literal trn2')!;
    assert.deepEqual([low, high, heldPercent], [0.8, 1.2, 100]);
    // Beyond all rows where one of the authors is like none of the others.
    const odd = likelyFactors([...made('a', 0.9, 1.1), ...made('b', 1, 1.1), ...made('c', 3, 4)]).get('literal trn2')!;
    assert.ok(odd.heldPercent >= CLAIMED_PERCENT && odd.high > 4);
    assert.equal(likelyFactors(made('a', 0.9, 1.1)).size, 0);
  });
});
