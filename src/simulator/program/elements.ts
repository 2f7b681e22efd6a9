/** Converts access patterns to elements of another size, for a tensor whose bits are read as another dtype (`operands.dtype`). */

export interface ElementWalk {
  offset: number;
  strides: number[];
  counts: number[];
}

/**
 * A pattern over elements of `fromBytes` as one over elements of `toBytes`. Exact for smaller elements. For larger elements the result
 * covers at least all accessed bytes: steps inside a larger element are dropped.
 */
export function inElementsOf(walk: ElementWalk, fromBytes: number, toBytes: number): ElementWalk {
  if (fromBytes === toBytes) return walk;
  return fromBytes > toBytes ? split(walk, fromBytes / toBytes) : joined(walk, toBytes / fromBytes);
}

/** Every element becomes `ratio` neighbouring elements. */
function split({ offset, strides, counts }: ElementWalk, ratio: number): ElementWalk {
  return { offset: offset * ratio, strides: [...strides.map(stride => stride * ratio), 1], counts: [...counts, ratio] };
}

/** `ratio` elements become one. Remainders of several dimensions can add up to further elements. */
function joined({ offset, strides, counts }: ElementWalk, ratio: number): ElementWalk {
  const whole = strides.map(stride => stride % ratio === 0);
  const leftOver = whole.filter(isWhole => !isWhole).length + (offset % ratio === 0 ? 0 : 1);
  return {
    offset: Math.floor(offset / ratio),
    strides: [...strides.map((stride, k) => (whole[k] ? stride / ratio : Math.sign(stride))), 1],
    counts: [
      ...counts.map((count, k) => (whole[k] ? count : Math.floor((Math.abs(strides[k]) * (count - 1)) / ratio) + 1)),
      Math.max(1, leftOver),
    ],
  };
}
