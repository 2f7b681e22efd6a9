import assert from 'node:assert/strict';
import fc from 'fast-check';
import { upperBound } from '../../../src/simulator/columns/search';
import { Counter, type StepSeries, windowSteps } from '../../../src/simulator/profile/windowCounters';

const anySeries = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 120 })
  .map(steps => {
    let now = 0;
    const timesNs = Float64Array.from(steps, ([gap]) => (now += gap));
    return { timesNs, values: Float64Array.from(steps, ([, value]) => value) };
  });

/** Area under the steps, by walking nanosecond by nanosecond. */
function area(series: StepSeries, from: number, to: number) {
  let sum = 0;
  for (let t = from; t < to; t++) sum += series.values[upperBound(series.timesNs, t) - 1] ?? 0;
  return sum;
}

/** In the memory that the page gives it. */
function small(series: StepSeries): Counter {
  const counter = new Counter(series);
  counter.compact();
  return counter;
}

describe('profile/windowCounters', () => {
  it('means are exact', () => {
    fc.assert(
      fc.property(anySeries, fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 900 }), (series, from, length) => {
        const mean = new Counter(series).meanBetween(from, from + length);
        assert.ok(Math.abs(mean * length - area(series, from, from + length)) < 1e-6);
      }),
    );
  });

  it('keeps the area of the window however few columns there are', () => {
    fc.assert(
      fc.property(
        anySeries,
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 1, max: 60 }),
        (series, from, length, columns) => {
          const steps = windowSteps(small(series), from, from + length, columns);
          assert.ok(steps.timesNs.length <= columns + 2);
          assert.equal(steps.timesNs[0], from);
          assert.equal(steps.timesNs.at(-1), from + length);
          let sum = 0;
          for (let i = 0; i + 1 < steps.timesNs.length; i++) {
            assert.ok(steps.timesNs[i] <= steps.timesNs[i + 1]);
            sum += steps.values[i] * (steps.timesNs[i + 1] - steps.timesNs[i]);
          }
          assert.ok(Math.abs(sum - area(series, from, from + length)) < 1e-6, `${sum}`);
        },
      ),
    );
  });
});
