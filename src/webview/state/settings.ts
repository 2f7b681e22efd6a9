/**
 * What a person sets and expects to find again: one row per setting with its first value and its check. Kept by the host as
 * plain JSON (`protocol/messages.ts`) and shared as a link, so every value that comes in is checked here.
 */
import { MOST_LAYER_DEPTH } from '../../simulator/analyze/layerSpans';
import { SYSTEM_GROUPINGS, type SystemGrouping } from '../../simulator/profile/systemRows';
import type { RendererChoice } from '../render/chooseRenderer';
import type { Marker, MarkerSet } from './marker';
import { isMarker, isMarkerSet } from './marker';

export const COLOURS = {
  opcode: 'opcode',
  engine: 'engine',
  line: 'source line',
  function: 'function',
  loop: 'loop level',
  layer: 'layer',
  type: 'instruction type',
  tensor: 'DMA tensor',
  stall: 'wait reason',
  slack: 'slack',
} as const;
export type ColourBy = keyof typeof COLOURS;

export const DMA_ROWS = { queue: 'by queue', engine: 'by engine', both: 'both', packets: 'by queue, packets' } as const;
export const DRAG_MODES = { zoom: 'zoom', box: 'box select' } as const;
export const PALETTES = { standard: 'standard', bright: 'bright hues', grey: 'shades of grey' } as const;
export const RENDERERS: Readonly<Record<RendererChoice, string>> = { auto: 'automatic', canvas: 'Canvas 2D', webgl: 'WebGL' };
export const TAB_IDS = [
  'summary',
  'details',
  'selection',
  'search',
  'launches',
  'layers',
  'lines',
  'opcodes',
  'flame',
  'path',
  'memory',
  'tensors',
  'program',
  'values',
  'advice',
  'whatIf',
  'warnings',
  'markers',
  'events',
  'compare',
  'ranks',
] as const;
export type TabId = (typeof TAB_IDS)[number];

export interface ViewSettings {
  colourBy: ColourBy;
  /** Down to which layers are told apart, from 1. */
  layerDepth: number;
  dmaRows: keyof typeof DMA_ROWS;
  dragMode: keyof typeof DRAG_MODES;
  palette: keyof typeof PALETTES;
  renderer: RendererChoice;
  /** Names of rows, as everywhere below. */
  collapsed: readonly string[];
  hidden: readonly string[];
  pinned: readonly string[];
  /** Letters of stacked profiles: in the user's order, and those whose rows are folded away. */
  stackOrder: readonly string[];
  foldedProfiles: readonly string[];
  /** Rows without events are shown in their places, not folded away. */
  idleRows: boolean;
  /** Of ranks above one another, only the rows of CC cores. */
  collectiveRows: boolean;
  /** Of runs over several physical cores, the one whose rows are shown; -1: all. */
  core: number;
  /** Of a system profile: what its rows stand for. */
  systemRows: SystemGrouping;
  /** Rows in the user's order; rows not named follow in the usual one. */
  rowOrder: readonly string[];
  /** Height of single rows relative to the usual. */
  rowScale: Readonly<Record<string, number>>;
  /** Ids of the counter rows shown (`data/counters.ts`). */
  counters: readonly string[];
  counterPx: number;
  barText: boolean;
  waits: boolean;
  arrows: boolean;
  snap: boolean;
  warningBands: boolean;
  /** Width of the rows' names; 0: what they need. */
  labelsPx: number;
  detailsPx: number;
  detailsOpen: boolean;
  tab: TabId;
  markers: readonly Marker[];
  markerSets: readonly MarkerSet[];
  searchText: string;
}

interface Setting<T> {
  initial: T;
  check(value: unknown): boolean;
}

const oneOf = <T extends string>(choices: Readonly<Record<T, unknown>> | readonly T[], initial: T): Setting<T> => ({
  initial,
  check: value => typeof value === 'string' && (Array.isArray(choices) ? choices.includes(value as T) : Object.hasOwn(choices, value)),
});
const flag = (initial: boolean): Setting<boolean> => ({ initial, check: value => typeof value === 'boolean' });
const isNumber = (value: unknown, least: number, most: number) => typeof value === 'number' && value >= least && value <= most;
const number = (initial: number, least: number, most: number): Setting<number> => ({
  initial,
  check: value => isNumber(value, least, most),
});
const list = <T>(initial: readonly T[], item: (value: unknown) => boolean): Setting<readonly T[]> => ({
  initial,
  check: value => Array.isArray(value) && value.every(item),
});
const names = (...initial: string[]) => list<string>(initial, item => typeof item === 'string');

/** `ViewSettings.core` */
export const ALL_CORES = -1;

export const LEAST_SCALE = 0.5;
export const MOST_SCALE = 4;

export const SETTINGS: { readonly [K in keyof ViewSettings]: Setting<ViewSettings[K]> } = {
  colourBy: oneOf(COLOURS, 'opcode'),
  layerDepth: { initial: 1, check: value => Number.isInteger(value) && isNumber(value, 1, MOST_LAYER_DEPTH) },
  dmaRows: oneOf(DMA_ROWS, 'queue'),
  dragMode: oneOf(DRAG_MODES, 'zoom'),
  palette: oneOf(PALETTES, 'standard'),
  renderer: oneOf(RENDERERS, 'auto'),
  collapsed: names(),
  hidden: names(),
  pinned: names(),
  stackOrder: names(),
  foldedProfiles: names(),
  idleRows: flag(false),
  collectiveRows: flag(false),
  core: number(ALL_CORES, ALL_CORES, 1023),
  systemRows: oneOf(SYSTEM_GROUPINGS, 'default'),
  rowOrder: names(),
  rowScale: {
    initial: {},
    check: value =>
      typeof value === 'object' && value !== null && Object.values(value).every(scale => isNumber(scale, LEAST_SCALE, MOST_SCALE)),
  },
  counters: names('dma', 'pending', 'matrix'),
  counterPx: number(44, 20, 200),
  barText: flag(true),
  waits: flag(true),
  arrows: flag(true),
  snap: flag(true),
  warningBands: flag(true),
  labelsPx: number(0, 0, 360),
  detailsPx: number(200, 90, 4000),
  detailsOpen: flag(true),
  tab: oneOf(TAB_IDS, 'summary'),
  markers: list<Marker>([], isMarker),
  markerSets: list<MarkerSet>([], isMarkerSet),
  searchText: { initial: '', check: value => typeof value === 'string' },
};

export const SETTING_NAMES = Object.keys(SETTINGS) as (keyof ViewSettings)[];

export const initialSettings = Object.fromEntries(SETTING_NAMES.map(name => [name, SETTINGS[name].initial])) as unknown as ViewSettings;

/** Those values that are what they should be; the rest is left out. */
export function checkedSettings(given: Readonly<Record<string, unknown>> | undefined): Partial<ViewSettings> {
  const entries = SETTING_NAMES.filter(name => given && Object.hasOwn(given, name) && SETTINGS[name].check(given[name]));
  return Object.fromEntries(entries.map(name => [name, given![name]])) as Partial<ViewSettings>;
}

/** Only what differs from the first values: links stay short. */
export function changedSettings(state: ViewSettings): Record<string, unknown> {
  return Object.fromEntries(SETTING_NAMES.filter(name => state[name] !== SETTINGS[name].initial).map(name => [name, state[name]]));
}
