/**
 * Shapes that a kernel's asserts allow: `assert x.shape == (128, 512)`, `rows, columns = x.shape` with `assert rows % 128 == 0`,
 * `assert x.shape[1] <= 2048`, `assert x.dtype == nl.float32`. Reads text line by line; what it does not understand it leaves. Pure.
 */
import { dtypeWord } from './dtypeWord';

/** Of a dimension that nothing is said of. */
const FREE_SIZE = 512;
const FIRST_SIZE = 128;

interface Shape {
  /** Names or sizes of its dimensions. */
  dimensions: (string | number)[];
  dtype: string;
}

/** @param body text of the function @returns by parameter, as `dtype[shape]` */
export function assertedShapes(body: string): Map<string, string> {
  const sizes = new Map<string, number>();
  const shapes = new Map<string, Shape>();
  const shapeOf = (name: string) => {
    const known = shapes.get(name) ?? { dimensions: [], dtype: 'bf16' };
    shapes.set(name, known);
    return known;
  };
  const equal: [string, string][] = [];
  const dimension = (name: string, index: number) => `${name}.shape[${index}]`;
  const number = (word: string) => (/^\d+$/.test(word) ? Number(word) : sizes.get(word));
  for (const line of body.split('\n').map(text => text.replace(/#.*/, '').trim())) {
    const constant = /^([A-Za-z_]\w*)\s*=\s*(\d+)$/.exec(line);
    if (constant) sizes.set(constant[1], Number(constant[2]));
    const unpacked = /^\(?([A-Za-z_][\w\s,]*)\)?\s*=\s*(\w+)\.shape$/.exec(line);
    if (unpacked?.[1].includes(',')) {
      const names = unpacked[1].split(',').map(name => name.trim());
      shapeOf(unpacked[2]).dimensions = names.filter(name => name !== '');
    }
    const single = /^(\w+)\s*=\s*(\w+)\.shape\[(\d)\]$/.exec(line);
    if (single) shapeOf(single[2]).dimensions[Number(single[3])] = single[1];
    if (!line.startsWith('assert')) continue;
    for (const term of line
      .slice('assert'.length)
      .split(/,\s*f?["']/)[0]
      .split(/\band\b/)) {
      const whole = /(\w+)\.shape\s*==\s*[([]([^)\]]*)[)\]]/.exec(term);
      if (whole) {
        const words = whole[2].split(',').map(word => word.trim());
        shapeOf(whole[1]).dimensions = words.filter(word => word !== '').map(word => number(word) ?? word);
      }
      const alike = /(\w+)\.shape\s*==\s*(\w+)\.shape\b/.exec(term);
      if (alike) shapes.set(alike[1], shapeOf(alike[2]));
      const typed = /(\w+)\.dtype\s*(?:==|is)\s*([\w.]+)/.exec(term);
      if (typed) shapeOf(typed[1]).dtype = dtypeWord(typed[2]) ?? 'bf16';
      const limit = /^\s*\(?\s*(\w+(?:\.shape\[\d\])?)\s*(%|==|<=|>=)\s*(\w+)(\s*==\s*0)?/.exec(term);
      const size = limit ? number(limit[3]) : undefined;
      if (limit?.[2] === '==' && size === undefined) equal.push([limit[1], limit[3]]);
      if (!limit || size === undefined || size < 1) continue;
      const indexed = /^(\w+)\.shape\[(\d)\]$/.exec(limit[1]);
      if (indexed) shapeOf(indexed[1]).dimensions[Number(indexed[2])] ??= dimension(indexed[1], Number(indexed[2]));
      // what must be a multiple of a tile is at least one
      const known = sizes.get(limit[1]);
      sizes.set(limit[1], limit[2] === '%' && known ? Math.max(known, size) : size);
    }
  }
  for (const [a, b] of [...equal, ...equal]) {
    const size = sizes.get(a) ?? sizes.get(b);
    if (size !== undefined) for (const name of [a, b]) sizes.set(name, size);
  }
  const sizeOf = (word: string | number | undefined, index: number) =>
    (typeof word === 'number' ? word : word === undefined ? undefined : sizes.get(word)) ?? (index === 0 ? FIRST_SIZE : FREE_SIZE);
  return new Map(
    [...shapes]
      .filter(([, { dimensions, dtype }]) => dimensions.length > 0 || dtype !== 'bf16')
      .map(([name, { dimensions, dtype }]) => {
        const words = dimensions.length > 0 ? Array.from(dimensions) : [undefined, undefined];
        return [name, `${dtype}[${words.map(sizeOf).join(',')}]`];
      }),
  );
}
