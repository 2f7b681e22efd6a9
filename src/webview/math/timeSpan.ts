/**
 * The visible span of time and how it moves. Immutable, in nanoseconds, float64 throughout.
 *
 * Spaces: *time* (ns from the profile's start), *view* (CSS pixels from the left edge of the tracks), *device* (view times
 * the pixel ratio; only renderers know it).
 */

export interface TimeSpan {
  readonly startNs: number;
  readonly endNs: number;
}

/** Below this a pixel says nothing: the finest clock of the machine ticks in tenths of nanoseconds. */
export const MIN_SPAN_NS = 1;

export const spanNs = (s: TimeSpan) => s.endNs - s.startNs;

/** The same width, moved so that it lies inside `limits`; as wide as `limits` at most. */
export function clampSpan(span: TimeSpan, limits: TimeSpan): TimeSpan {
  const width = Math.min(Math.max(spanNs(span), MIN_SPAN_NS), Math.max(spanNs(limits), MIN_SPAN_NS));
  const startNs = Math.max(limits.startNs, Math.min(span.startNs, limits.endNs - width));
  return { startNs, endNs: startNs + width };
}

/** Narrower by `factor` (> 1) or wider (< 1); the time at `anchorNs` stays where it is on the screen. */
export function zoomSpan(span: TimeSpan, factor: number, anchorNs: number, limits: TimeSpan): TimeSpan {
  const widest = Math.max(spanNs(limits), MIN_SPAN_NS);
  const width = Math.min(Math.max(spanNs(span) / factor, MIN_SPAN_NS), widest);
  const share = spanNs(span) > 0 ? (anchorNs - span.startNs) / spanNs(span) : 0.5;
  const startNs = anchorNs - share * width;
  return clampSpan({ startNs, endNs: startNs + width }, limits);
}

export function panSpan(span: TimeSpan, byNs: number, limits: TimeSpan): TimeSpan {
  return clampSpan({ startNs: span.startNs + byNs, endNs: span.endNs + byNs }, limits);
}

/** A span that shows `of` with some air on both sides. */
export function spanAround(of: TimeSpan, limits: TimeSpan, air = 0.25): TimeSpan {
  const width = Math.max(spanNs(of), MIN_SPAN_NS);
  return clampSpan({ startNs: of.startNs - width * air, endNs: of.startNs + width * (1 + air) }, limits);
}

export const sameSpan = (a: TimeSpan, b: TimeSpan) => a.startNs === b.startNs && a.endNs === b.endNs;
export const containsSpan = (outer: TimeSpan, inner: TimeSpan) => inner.startNs >= outer.startNs && inner.endNs <= outer.endNs;

export const timeToPx = (timeNs: number, span: TimeSpan, widthPx: number) => ((timeNs - span.startNs) / spanNs(span)) * widthPx;
export const pxToTime = (px: number, span: TimeSpan, widthPx: number) => span.startNs + (px / widthPx) * spanNs(span);

/** Between two spans, the way a zoom feels even: widths move geometrically, the rest linearly. */
export function mixSpans(a: TimeSpan, b: TimeSpan, t: number): TimeSpan {
  if (t >= 1) return b;
  const width = spanNs(a) ** (1 - t) * spanNs(b) ** t;
  const widthChange = spanNs(b) - spanNs(a);
  const progress = Math.abs(widthChange) > 1e-9 * spanNs(a) ? (width - spanNs(a)) / widthChange : t;
  const startNs = a.startNs + (b.startNs - a.startNs) * progress;
  return { startNs, endNs: startNs + width };
}
