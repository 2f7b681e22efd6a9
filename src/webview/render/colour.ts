/** Colour arithmetic on `#rgb`, `#rrggbb` and `rgb(...)`: contrast, mixing, transparency. Pure. */

export type Rgb = readonly [number, number, number];

export function parseColour(text: string): Rgb | null {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text.trim())?.[1];
  if (hex) {
    const wide = hex.length < 6 ? [...hex].map(c => c + c).join('') : hex;
    return [0, 2, 4].map(at => Number.parseInt(wide.slice(at, at + 2), 16)) as unknown as Rgb;
  }
  const numbers = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/i.exec(text.trim());
  return numbers ? [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])] : null;
}

/** The alpha of `rgba(...)`; 1 otherwise. */
export const parseAlpha = (text: string) => Number(/^rgba\(.*,\s*([\d.]+)\)$/.exec(text)?.[1] ?? 1);

export const cssColour = (c: Rgb, alpha = 1) =>
  alpha === 1 ? `rgb(${c.map(Math.round).join(',')})` : `rgba(${c.map(Math.round).join(',')},${alpha})`;

/** `share` of `a`, the rest of `b`. */
export const mix = (a: Rgb, b: Rgb, share: number) => a.map((v, i) => v * share + b[i] * (1 - share)) as unknown as Rgb;

/** Relative luminance, WCAG 2.2. */
export function luminance(c: Rgb): number {
  const [r, g, b] = c.map(v => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** Black or white, whichever has more contrast with `background`: at least 4.58:1 for any colour. */
export const textOn = (background: Rgb) => (contrast(BLACK, background) >= contrast(WHITE, background) ? BLACK : WHITE);
