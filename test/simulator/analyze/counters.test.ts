import assert from 'node:assert/strict';
import fc from 'fast-check';
import { trackActiveNs } from '../../../src/simulator/analyze/activeTime';
import { counters, dmaThroughput, memoryUsage, pendingDmas, runningMeans, runningSum } from '../../../src/simulator/analyze/counters';
import { cumulativeFlops, hardwareUtilization, modelUtilization } from '../../../src/simulator/analyze/flopsSeries';
import { summary } from '../../../src/simulator/analyze/summary';
import { Counter, type StepSeries } from '../../../src/simulator/profile/windowCounters';
import { syntheticProfile } from '../../support/syntheticProfile';

/** Value x ns up to the last step (every series ends at 0). */
const area = (series: StepSeries) => new Counter(series).integralAt(series.timesNs[series.timesNs.length - 1]);
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);
const profiles = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.nat()).map(([size, seed]) => syntheticProfile(size, seed));

describe('counters', () => {
  it('moves exactly the bytes: the integral of the throughput', () => {
    fc.assert(
      fc.property(profiles, p => near(area(dmaThroughput(p)) / 1e9, sum(p.dmaSlices.bytes))),
      { seed: 1, numRuns: 40 },
    );
  });

  it('holds each transfer pending from its trigger to its semaphore', () => {
    fc.assert(
      fc.property(profiles, p => near(area(pendingDmas(p)), sum(p.transfers.doneNs) - sum(p.transfers.readyNs))),
      { seed: 2, numRuns: 40 },
    );
  });

  it('uses TensorMatrix for as long as its row is active', () => {
    fc.assert(
      fc.property(profiles, p => {
        const row = p.tracks.findIndex(t => t.name === 'TensorMatrix');
        const series = counters(p).find(c => c.kind === 'share')!;
        near(area(series), trackActiveNs(p)[row]);
        assert.ok(series.values.every(v => v === 0 || v === 1));
      }),
      { seed: 3, numRuns: 40 },
    );
  });

  it('has the utilizations of the summary as means of HFU and MFU, and every FLOP in the end', () => {
    fc.assert(
      fc.property(profiles, p => {
        const { hfu_estimated_percent: hfu, mfu_inst_estimated_percent: mfu } = summary(p);
        near(area(hardwareUtilization(p)) / p.totalTimeNs, Number(hfu ?? 0));
        near(area(modelUtilization(p)) / p.totalTimeNs, Number(mfu ?? 0));
        near(cumulativeFlops(p).values.at(-1)!, sum(p.instructions.flops));
      }),
      { seed: 5, numRuns: 40 },
    );
  });

  it('steps once per distinct time, in order, from 0 back to 0', () => {
    fc.assert(
      fc.property(profiles, p => {
        for (const { timesNs, values } of counters(p)) {
          assert.equal(timesNs[0], 0);
          assert.equal(values[values.length - 1], 0);
          for (let i = 1; i < timesNs.length; i++) assert.ok(timesNs[i] > timesNs[i - 1] && values[i] !== values[i - 1]);
        }
      }),
      { seed: 4, numRuns: 30 },
    );
  });

  it('agrees with counting at every instant, in whatever order the rows are', () => {
    const interval = fc.record({ start: fc.nat(40), length: fc.nat(12), weight: fc.integer({ min: 1, max: 5 }) });
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 30 }), rows => {
        const series = runningSum(
          { startNs: Float64Array.from(rows, r => r.start), endNs: Float64Array.from(rows, r => r.start + r.length) },
          row => rows[row].weight,
        );
        for (let t = 0.5; t < 60; t++) {
          const at = series.timesNs.findLastIndex(time => time <= t);
          assert.equal(
            series.values[at],
            rows.filter(r => r.start <= t && t < r.start + r.length).reduce((n, r) => n + r.weight, 0),
          );
        }
      }),
      { seed: 6, numRuns: 200 },
    );
  });

  it('has the means and the maximum of the steps that it does not hold', () => {
    const interval = fc.record({ start: fc.nat(40), length: fc.nat(12), weight: fc.integer({ min: 1, max: 5 }) });
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 30 }), fc.double({ min: 0.7, max: 60, noNaN: true }), (rows, stretchNs) => {
        const intervals = { startNs: Float64Array.from(rows, r => r.start), endNs: Float64Array.from(rows, r => r.start + r.length) };
        const weight = (row: number) => rows[row].weight;
        const steps = new Counter(runningSum(intervals, weight));
        const { means, maximum } = runningMeans({ intervals, weight }, stretchNs, Math.ceil(52 / stretchNs));
        assert.equal(maximum, steps.maximum);
        for (const [k, mean] of means.entries()) near(mean, steps.meanBetween(k * stretchNs, (k + 1) * stretchNs));
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('adds up allocations over all their partitions', () => {
    const p = syntheticProfile(40);
    assert.equal(Math.max(...memoryUsage(p, 'sbuf').values), 2048 * 128);
    near(area(memoryUsage(p, 'psum')), 2048 * 128 * (p.allocations.endNs[1] - p.allocations.startNs[1]));
  });
});
