/**
 * How hot a line is, in the gutter: its share of the time in percent as a number, over a bar as long as the share. The gutter is in sight
 * however long the line is. Pure.
 */

/** The bar is full from half of the time on. */
const FULL_SHARE = 0.5;

/** Lines from this share up are marked as hot, others as warm, in the overview ruler. */
export const HOT_SHARE = 1 / 8;

/** From cold to hot, for a theme's background. */
const COLOURS = {
  dark: { text: '#e6e6e6', track: '#ffffff', bars: ['#8a7434', '#c9992e', '#ff8a3a', '#ff5c3a'] },
  light: { text: '#2b2b2b', track: '#000000', bars: ['#d3b14c', '#c98a1c', '#c75a1c', '#b3261e'] },
} as const;

export type GutterTheme = keyof typeof COLOURS;

/** @param share of the total time, 0..1 @returns 1..100 */
export const heatPercent = (share: number): number => Math.min(100, Math.max(1, Math.round(share * 100)));

/** An SVG. @param percent as `heatPercent` gives it */
export function heatIcon(theme: GutterTheme, percent: number): string {
  const { text, track, bars } = COLOURS[theme];
  const filled = Math.min(1, percent / 100 / FULL_SHARE);
  const colour = bars[Math.min(bars.length - 1, Math.floor(filled * bars.length))];
  const sizePx = percent === 100 ? 8 : 10.5;
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">',
    `<text x="8" y="11" text-anchor="middle" font-family="sans-serif" font-size="${sizePx}" fill="${text}">${percent}</text>`,
    `<rect x="0.5" y="13" width="15" height="2.5" fill="${track}" fill-opacity=".15"/>`,
    `<rect x="0.5" y="13" width="${(15 * filled).toFixed(1)}" height="2.5" fill="${colour}"/>`,
    '</svg>',
  ].join('');
}
