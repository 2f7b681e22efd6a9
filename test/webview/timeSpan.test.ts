import assert from 'node:assert/strict';
import fc from 'fast-check';
import { roundStep, ticks } from '../../src/webview/math/ticks';
import {
  clampSpan,
  containsSpan,
  MIN_SPAN_NS,
  mixSpans,
  panSpan,
  pxToTime,
  spanNs,
  timeToPx,
  zoomSpan,
} from '../../src/webview/math/timeSpan';

const limits = { startNs: 0, endNs: 1e9 };
const anySpan = fc
  .tuple(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.double({ min: 1, max: 1e9, noNaN: true }))
  .map(([startNs, width]) => clampSpan({ startNs, endNs: startNs + width }, limits));
const slack = 1e-3;
const inLimits = ({ startNs, endNs }: { startNs: number; endNs: number }) => startNs >= -slack && endNs <= limits.endNs + slack;

describe('webview/math', () => {
  it('never leaves the run, and never zooms below the least span', () => {
    fc.assert(
      fc.property(
        anySpan,
        fc.double({ min: 0.01, max: 1e12, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (span, factor, share) => {
          const zoomed = zoomSpan(span, factor, span.startNs + share * spanNs(span), limits);
          assert.ok(inLimits(zoomed) && spanNs(zoomed) >= MIN_SPAN_NS - slack);
          assert.ok(inLimits(panSpan(span, (factor - 50) * 1e6, limits)));
        },
      ),
    );
  });

  it('keeps the time under the pointer while zooming in', () => {
    fc.assert(
      fc.property(
        anySpan,
        fc.double({ min: 1, max: 50, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (span, factor, share) => {
          const anchor = span.startNs + share * spanNs(span);
          const zoomed = zoomSpan(span, factor, anchor, limits);
          assert.ok(Math.abs(timeToPx(anchor, zoomed, 1000) - timeToPx(anchor, span, 1000)) < 0.01);
        },
      ),
    );
  });

  it('zooming in and out again comes back, away from the edges', () => {
    const span = { startNs: 4e8, endNs: 5e8 };
    const back = zoomSpan(zoomSpan(span, 8, 4.3e8, limits), 1 / 8, 4.3e8, limits);
    assert.ok(Math.abs(back.startNs - span.startNs) < slack && Math.abs(back.endNs - span.endNs) < slack);
  });

  it('maps pixels to times and back', () => {
    fc.assert(
      fc.property(anySpan, fc.double({ min: 0, max: 1400, noNaN: true }), (span, px) => {
        assert.ok(Math.abs(timeToPx(pxToTime(px, span, 1400), span, 1400) - px) < 1e-3);
      }),
    );
  });

  it('mixes from one span to the other, ending exactly', () => {
    const a = { startNs: 0, endNs: 1e6 };
    const b = { startNs: 500, endNs: 700 };
    assert.deepEqual(mixSpans(a, b, 1), b);
    const half = mixSpans(a, b, 0.5);
    assert.ok(containsSpan(a, half) && containsSpan(half, b));
    assert.deepEqual(mixSpans(a, { startNs: 10, endNs: 1e6 + 10 }, 0.5), { startNs: 5, endNs: 1e6 + 5 });
  });

  it('ticks are round, inside the span, about as far apart as asked, and labelled apart', () => {
    fc.assert(
      fc.property(anySpan, fc.integer({ min: 60, max: 3000 }), (span, widthPx) => {
        const { timesNs, labels, stepNs } = ticks(span, widthPx);
        assert.ok([1, 2, 5].includes(Math.round(stepNs / 10 ** Math.floor(Math.log10(stepNs) + 1e-9))));
        assert.ok(timesNs.every(t => t >= span.startNs - stepNs * 1e-6 && t <= span.endNs + stepNs * 1e-6));
        assert.ok(timesNs.length <= widthPx / 96 + 2);
        assert.equal(new Set(labels).size, labels.length, labels.join());
      }),
    );
    assert.deepEqual([0.9, 1.1, 3, 7].map(roundStep), [1, 2, 5, 10]);
  });
});
