/**
 * The colours of a frame, read from CSS variables (`styles/theme.css` maps them from VS Code's). Opaque colours are mixed
 * here instead of drawn translucent, so that high contrast never relies on transparency and overlaps do not darken.
 */
import { cssColour, mix, parseColour, type Rgb, textOn } from './colour';
import type { RectStyle } from './renderer';

/** Colours of whatever is told apart on a page: lines, engines, markers, counters. */
export const SERIES = 8;
/** Colours of opcodes (`tracks/opcodeColours.ts`): others than those, behind them in `Theme.series`. */
export const OPCODE_COLOURS = 16;
/** Collectives of ranks, the last one in `Theme.series`. */
export const COLLECTIVE = SERIES + OPCODE_COLOURS;
const PALETTE = COLLECTIVE + 1;

/** Of the style sheet, by index in `Theme.series`. */
export function seriesVariable(index: number): string {
  if (index === COLLECTIVE) return '--scope-collective';
  return index < SERIES ? `--scope-series-${index}` : `--scope-opcode-${index - SERIES}`;
}

/** Rectangle styles, by index of `RectBatch.style`; lower ones are drawn first. Four blocks have one style per colour of the palette. */
const BLOCKS = 5;
export const STYLE = {
  row: 0,
  rowOther: 1,
  /** Before and after the kernel's body. */
  outside: 2,
  grid: 3,
  stall: 4,
  /** Behind what is narrower than a pixel: that is as high as it is busy, this shows that it is there. */
  column: BLOCKS,
  /** Behind the packets of a turn of a DMA engine. */
  turn: BLOCKS + PALETTE,
  bar: BLOCKS + PALETTE * 2,
  /** Bars outside the marked set. */
  dimmed: BLOCKS + PALETTE * 3,
  density: BLOCKS + PALETTE * 4,
  marked: BLOCKS + PALETTE * 4 + 1,
} as const;

export interface Theme {
  highContrast: boolean;
  background: string;
  foreground: string;
  muted: string;
  grid: string;
  accent: string;
  accentSoft: string;
  stall: string;
  /** Over the rows, where a warning applies. */
  warningSoft: string;
  marked: string;
  /** Of numbers that are none, in heat maps. */
  notFinite: string;
  font: string;
  /** Text on a bar of each series. */
  barText: string[];
  /** The SERIES, the OPCODE_COLOURS, then COLLECTIVE. */
  series: string[];
  styles: RectStyle[];
}

export type ReadVariable = (name: string) => string;

export function buildTheme(read: ReadVariable, highContrast: boolean): Theme {
  const colour = (name: string, fallback: Rgb): Rgb => parseColour(read(name)) ?? fallback;
  const background = colour('--scope-background', [30, 30, 30]);
  const foreground = colour('--scope-foreground', [204, 204, 204]);
  const stall = colour('--scope-stall', [230, 159, 0]);
  const accent = colour('--scope-accent', [0, 127, 212]);
  const marked = colour('--scope-marked', foreground);
  const series = Array.from({ length: PALETTE }, (_, i) => colour(seriesVariable(i), foreground));
  const soft = (c: Rgb, share: number) => cssColour(mix(c, background, share));
  const solid = (fill: string, outline: string | null = null): RectStyle => ({ fill, outline, hatched: false });
  const edge = highContrast ? cssColour(foreground) : null;
  return {
    highContrast,
    background: cssColour(background),
    foreground: cssColour(foreground),
    muted: cssColour(colour('--scope-muted', mix(foreground, background, 0.65))),
    grid: soft(foreground, highContrast ? 0.35 : 0.1),
    accent: cssColour(accent),
    accentSoft: cssColour(accent, 0.18),
    stall: cssColour(stall),
    warningSoft: cssColour(stall, highContrast ? 0.35 : 0.16),
    marked: cssColour(marked),
    notFinite: cssColour(colour('--scope-notFinite', [204, 121, 167])),
    font: read('--scope-font') || 'sans-serif',
    barText: series.map(c => cssColour(textOn(c))),
    series: series.map(c => cssColour(c)),
    styles: [
      solid(cssColour(background)),
      solid(soft(foreground, highContrast ? 0 : 0.035)),
      solid(cssColour(foreground, highContrast ? 0 : 0.045)),
      solid(soft(foreground, highContrast ? 0.3 : 0.09)),
      { fill: cssColour(stall), outline: highContrast ? cssColour(stall) : null, hatched: true },
      ...series.map(c => solid(soft(c, highContrast ? 0.25 : 0.12))),
      ...series.map(c => solid(soft(c, highContrast ? 0.55 : 0.32))),
      ...series.map(c => solid(cssColour(c), edge)),
      ...series.map(c => (highContrast ? solid(cssColour(background), cssColour(c)) : solid(soft(c, 0.22)))),
      solid(cssColour(foreground)),
      solid(cssColour(marked)),
    ],
  };
}
