/**
 * Colours of numbers. Values of one sign go from dark blue to yellow, values of both signs from blue through the page's background to
 * orange: both in steps of lightness, so that neither depends on telling red from green. What is not finite has a colour of its own.
 */
import { mix, type Rgb } from '../render/colour';

/** Dark to light, evenly in lightness. */
const ONE_SIGN: readonly Rgb[] = [
  [0, 32, 81],
  [36, 68, 107],
  [87, 100, 112],
  [130, 131, 120],
  [180, 167, 104],
  [235, 206, 60],
  [255, 234, 70],
];
const BELOW: Rgb = [33, 113, 205];
const ABOVE: Rgb = [224, 119, 10];

export interface HeatScale {
  /** 0 lies inside: two colours, that of 0 between them. */
  bothSigns: boolean;
  min: number;
  max: number;
  colour(value: number): Rgb;
}

export interface HeatTheme {
  background: Rgb;
  /** Of what is not finite. */
  notFinite: Rgb;
}

export function heatScale(min: number, max: number, { background, notFinite }: HeatTheme): HeatScale {
  const bothSigns = min < 0 && max > 0;
  const most = Math.max(-min, max);
  const colour = (value: number): Rgb => {
    if (!Number.isFinite(value)) return notFinite;
    // the square root keeps small values apart from nothing
    if (bothSigns) return mix(value < 0 ? BELOW : ABOVE, background, Math.sqrt(Math.min(1, Math.abs(value) / most)));
    return along(max > min ? (value - min) / (max - min) : 0.5);
  };
  return { bothSigns, min, max, colour };
}

function along(share: number): Rgb {
  const at = Math.max(0, Math.min(1, share)) * (ONE_SIGN.length - 1);
  const step = Math.min(ONE_SIGN.length - 2, Math.floor(at));
  return mix(ONE_SIGN[step + 1], ONE_SIGN[step], at - step);
}
