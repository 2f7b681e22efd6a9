/**
 * DMAs that write a few bytes at a time: held between bounds worked out by hand, never slower for longer runs of the same bytes, and without a
 * cliff between neighbouring sizes but the one at the size of a burst, which kernels on hardware have, too.
 */
import assert from 'node:assert/strict';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { bounds } from '../../../src/simulator/schedule/bounds';
import { schedule } from '../../../src/simulator/schedule/schedule';
import { ProgramBuilder } from '../../support/programs';
import { compile } from '../../support/stages';

const TARGETS = ['trn1', 'trn2', 'trn3'];

/** Start of a DMA, its end and its semaphore. */
const AROUND_NS = 3000;
const CLIFF = 3;

function timeNs(target: string, build: (b: ProgramBuilder) => void): { ns: number; leastNs: number } {
  const b = new ProgramBuilder({ target });
  build(b);
  const compiled = compile(b.finish(), { dge: 'off' });
  const { bodyStartNs, bodyEndNs } = schedule(compiled);
  return { ns: bodyEndNs - bodyStartNs, leastNs: bounds(compiled).ns };
}

/** `rows` of `columns` numbers, gathered within HBM from runs that lie nine times as far apart. */
const gathered =
  (rows: number, columns: number, run: number, dtype = 'uint8') =>
  (b: ProgramBuilder) =>
    b.record('nki.isa.dma_copy', {
      dst: b.hbm('out', [rows, columns / run, run], dtype, 'output'),
      src: b.hbm('in', [rows, columns / run, 9 * run], dtype, 'input').slice(':', ':', [0, run]),
    });

/** A tile of narrow rows, one after another in HBM. */
const stored = (width: number) => (b: ProgramBuilder) =>
  b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, width], 'uint8', 'output'), src: b.sbuf('tile', [128, width], 'uint8') });

describe('DMAs of a few bytes at a time', () => {
  it('take the time that the elements of one engine wait for one another', () => {
    const { dma } = machineFor('trn2');
    for (const [dtype, bytes] of [
      ['bfloat16', 2],
      ['float32', 4],
    ] as const) {
      const ofEngine = (128 * 128) / dma.engines.value;
      const waiting = ofEngine * (1 - bytes / dma.hbmBurstBytes.value);
      const { ns, leastNs } = timeNs('trn2', gathered(128, 128, 1, dtype));
      assert.ok(leastNs >= waiting * dma.sameBurstNs.value, `${dtype}: bound ${leastNs}`);
      assert.ok(ns >= waiting * dma.sameBurstNs.value, `${dtype}: ${ns}`);
      assert.ok(ns <= waiting * dma.sameBurstNs.value + dma.sameBurstLatencyNs!.value + AROUND_NS, `${dtype}: ${ns}`);
    }
  });

  it('end later than a store of whole bursts', () => {
    const store = (width: number) => (b: ProgramBuilder) =>
      b.record('nki.isa.dma_copy', { dst: b.hbm('out', [64, width], 'float32', 'output'), src: b.sbuf('tile', [64, width], 'float32') });
    for (const target of ['trn2', 'trn3']) {
      const { sameBurstNs, sameBurstLatencyNs } = machineFor(target).dma;
      const [words, bursts] = [1, 8].map(width => timeNs(target, store(width)).ns);
      const expectedNs = (7 / 8) * sameBurstLatencyNs!.value + 7 * sameBurstNs.value;
      assert.ok(Math.abs(words - bursts - expectedNs) < 0.1 * expectedNs, `${target}: ${words} ${bursts} ${expectedNs}`);
    }
  });

  it('are never faster than an analytic bound', () => {
    for (const target of TARGETS)
      for (let run = 1; run <= 256; run *= 2) {
        const { ns, leastNs } = timeNs(target, gathered(128, 256, run));
        assert.ok(ns >= leastNs, `${target} ${run}`);
      }
  });

  it('take longer for more runs, and no longer for as many bytes in longer runs', () => {
    for (const target of TARGETS)
      for (let run = 1; run <= 128; run *= 2) {
        const here = timeNs(target, gathered(128, 256, run)).ns;
        assert.ok(timeNs(target, gathered(256, 256, run)).ns > here, `${target} ${run}`);
        assert.ok(timeNs(target, gathered(128, 256, 2 * run)).ns <= here, `${target} ${run}`);
      }
  });

  it('have no cliff between neighbouring sizes, but where a run is a whole burst', () => {
    for (const target of TARGETS) {
      const burst = machineFor(target).dma.hbmBurstBytes.value;
      for (let run = 1; run <= 128; run *= 2) {
        const [here, next] = [run, 2 * run].map(size => timeNs(target, gathered(128, 256, size)).ns);
        const apart = Math.max(here, next) / Math.min(here, next);
        if (2 * run === burst) continue;
        assert.ok(apart <= CLIFF, `${target}: ${run} and ${2 * run} bytes: ${apart.toFixed(1)} times`);
        const [tile, wider] = [run, 2 * run].map(size => timeNs(target, stored(size)).ns);
        assert.ok(Math.max(tile, wider) / Math.min(tile, wider) <= CLIFF, `${target}: rows of ${run} and ${2 * run} bytes`);
      }
    }
  });
});

/** Rows of a table, one to a partition, by indices. */
const byIndex = (bytes: number) => (b: ProgramBuilder) => {
  const table = b.hbm('table', [1000, bytes], 'uint8', 'input');
  const rows = { tensor: table, offset: 0, dims: [[0, 128] as [number, number], [1, bytes] as [number, number]] };
  const operands = { dst: b.sbuf('t', [128, bytes], 'uint8'), src: rows, src_index: b.sbuf('idx', [128, 1], 'uint32') };
  b.record('nki.isa.dma_copy', operands, { src_indirect: [bytes, 1000] });
};

describe('rows that indices name', () => {
  it('take an engine the same time whether they have 256 or 512 bytes, as on hardware, and long ones that of their bytes', () => {
    const { dma } = machineFor('trn2');
    const ofEngineNs = (128 / dma.engines.value) * dma.indexedRowNs.value;
    const [short, twice, long] = [256, 512, 16384].map(bytes => timeNs('trn2', byIndex(bytes)).ns);
    assert.ok(short >= ofEngineNs && short <= ofEngineNs + AROUND_NS, `${short}`);
    assert.ok(Math.abs(twice - short) < 1, `${twice} and ${short}`);
    assert.ok(long > 2 * short, `${long}`);
  });
});
